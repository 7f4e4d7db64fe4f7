"""At a commit and a push: what is about to land is judged as an edit would be, beside all that it was made from."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from vetgate.engine.decide import at_the_end
from vetgate.engine.run import CheckRunner
from vetgate.engine.suppressions import Suppressions
from vetgate.project import mentioning
from vetgate.respond.verdict import judged
from vetgate.source.clock import Deadline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vetgate.config.schema import Config
    from vetgate.engine.analysis import Analyzer
    from vetgate.engine.run import FileBaseline
    from vetgate.index.project import ProjectIndex
    from vetgate.model import Verdict
    from vetgate.source.git_landing import Landing
    from vetgate.store import Known


_NOT_BUILT = "the index of the project could not be built in time; `vetgate index --build` builds it"


class Parents:
    """No session: what one of the parents had is not new, and what one of them gave up is not lost."""

    def baseline(self, path: str, past: FileBaseline, head: Callable[[], FileBaseline]) -> tuple[Known, ...]:  # noqa: ARG002
        other = head()
        return either(past.known, other.known) if other.known or other.marks else past.known

    def elsewhere(self, path: str, counts: Callable[[str], bool]) -> frozenset[str]:  # noqa: ARG002
        return frozenset()

    def owing(self) -> frozenset[str]:
        return frozenset()

    @property
    def lasts(self) -> bool:
        return True


def landed(
    landing: Landing,
    gates: Iterable[str],
    config: Config,
    analyzer: Analyzer,
    suppressions: Suppressions | None = None,
    *,
    index: ProjectIndex | None = None,
) -> Verdict:
    """Nobody waits for a hook's own clock here, so every file is looked at; one that could not be is held back."""
    runner = CheckRunner(
        landing.change,
        analyzer,
        config,
        Deadline.never(),
        Parents(),
        landing.text_beside,
        partial(mentioning, landing.change.root),
        # What the change does not hold is as it was in the last commit; on disk anything may lie.
        partial(mentioning, landing.change.root),
        suppressions=suppressions or Suppressions(),
        index=index,
        final=True,
        sees_all=(landing.change.root / ".git").exists,
        no_index=_NOT_BUILT if index is not None and not index.is_ready else "",
    )
    return at_the_end(judged(gates, runner))


def either(one: Iterable[Known], other: Iterable[Known]) -> tuple[Known, ...]:
    """Findings of either side, the higher value of a measure; marks of both, the lower value."""
    one, other = tuple(one), tuple(other)
    return (*_highest((*one, *other)), *_plain(one, other), *_kept_by_both(one, other))


def _highest(known: Iterable[Known]) -> tuple[Known, ...]:
    found: dict[tuple[str, str], Known] = {}
    for each in known:
        if not each.is_mark and each.value is not None:
            place = (each.id, each.symbol)
            found[place] = max(found.get(place, each), each, key=lambda known: known.value or 0)
    return tuple(found.values())


def _plain(one: Iterable[Known], other: Iterable[Known]) -> tuple[Known, ...]:
    """As often as the side has it that has it more often."""
    counts = [Counter(each for each in side if not each.is_mark and each.value is None) for side in (one, other)]
    return tuple((counts[0] | counts[1]).elements())


def _kept_by_both(one: Iterable[Known], other: Iterable[Known]) -> tuple[Known, ...]:
    there = {(each.id, each.symbol): each for each in other if each.is_mark}
    pairs = ((each, there.get((each.id, each.symbol))) for each in one if each.is_mark)
    return tuple(min(each, same, key=lambda known: known.value or 0) for each, same in pairs if same)
