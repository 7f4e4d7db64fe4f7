"""What of worth stood in a file when it was first seen, and is gone or has shrunk since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.engine.check import Loss
from vetgate.store.rows import MARK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from vetgate.engine.check import Check, Mark
    from vetgate.model import Finding
    from vetgate.source.syntax import Source
    from vetgate.store import Known

    Others = Callable[[str], Iterable[tuple[str, str]]]


def lost(
    source: Source,
    marks: Sequence[Mark],
    known: Iterable[Known],
    checks: Mapping[str, Check],
    others: Others,
    *,
    sees_all: bool = False,
) -> Iterator[Finding]:
    """A finding for each known mark that these marks fall short of, unless its check sees it elsewhere."""
    stood = tuple(each for each in known if each.is_mark)
    for before, now in _pairs(marks, stood):
        if now is not None and now.value >= (before.value or 0):
            continue
        family, _, rule = before.id.removeprefix(MARK).partition("/")
        check = checks.get(family)
        if check is not None and check.on_lost_mark is not None:
            after = tuple(mark for mark in marks if mark.check == family)
            loss = Loss(source, rule, before.symbol, before.value or 0, now, others, stood, after, sees_all)
            finding = check.on_lost_mark(loss)
            if finding is not None:
                yield finding


def _pairs(marks: Sequence[Mark], known: Sequence[Known]) -> Iterator[tuple[Known, Mark | None]]:
    """Each known mark with what it is now: the one of the same name, else one of the same content."""
    left = list(marks)
    open_: list[Known] = []
    for before in known:
        now = next((mark for mark in left if mark.id == before.id and mark.symbol == before.symbol), None)
        if now is None:
            open_.append(before)
        else:
            left.remove(now)
            yield before, now
    for before in open_:
        alike = (m for m in left if m.id == before.id and before.evidence and m.evidence == before.evidence)
        now = next(alike, None)
        if now is not None:
            left.remove(now)
        yield before, now
