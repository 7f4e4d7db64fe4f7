"""Names that a module no longer re-exports, or to fewer, and who still imports them from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.contracts.broken import EXPORT, Broken, names
from vetgate.checks.contracts.callers import passing
from vetgate.checks.contracts.reduced_visibility import TOLD
from vetgate.index.classes import ReferenceContext
from vetgate.index.facts import CallSite, Definition
from vetgate.index.inheritance import SourceDefinition
from vetgate.index.references import reference_by
from vetgate.index.visibility import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.contracts.broken import Sides
    from vetgate.checks.contracts.callers import Use
    from vetgate.index.facts import Import
    from vetgate.index.language_resolver import LanguageResolver, Through
    from vetgate.index.references import Reference

_EVERY = "*"


def find_lost_re_exports(sides: Sides, own: LanguageResolver) -> Iterator[Broken]:
    if own.through is None or sides.before.unsure or sides.after.unsure or sides.file.was or sides.file.after is None:
        return
    for was, now in _changed(sides):
        found = tuple(dict.fromkeys(_left(sides, own, own.through, (was, now))))
        if found:
            text = TOLD[now.visibility] if now is not None else "is no longer re-exported"
            yield Broken(EXPORT, was.local, now.line if now is not None else 1, text, found)


def _changed(sides: Sides) -> Iterator[tuple[Import, Import | None]]:
    """What was passed on, and how it is now; of another thing under the same name others tell."""
    kept = {each.local: each for each in sides.after.imports}
    there = names(sides.after)
    for each in sides.before.imports:
        now = kept.get(each.local)
        is_same = each.local in there or (now is not None and now.visibility == each.visibility)
        if each.visibility != PRIVATE and each.name != _EVERY and not is_same:
            yield each, now


def _left(
    sides: Sides, own: LanguageResolver, through: Through, either: tuple[Import, Import | None]
) -> Iterator[Reference]:
    was, now = either
    for use in passing(sides, through, was.local):
        path, facts, by = use
        is_found = own.resolves(sides.view, path, facts, by)
        is_lost = (
            not is_found if now is None else _can_access(sides, own, was, use) and not _can_access(sides, own, now, use)
        )
        if is_lost:
            yield reference_by(path, by)


def _can_access(sides: Sides, own: LanguageResolver, each: Import, use: Use) -> bool:
    path, facts, by = use
    it = SourceDefinition(
        sides.file.path, Definition(each.local, each.line, "use", None, visibility=each.visibility), sides.after
    )
    return own.can_access(
        sides.view, it, ReferenceContext(path, facts, by.owner if isinstance(by, CallSite) else ""), by
    )
