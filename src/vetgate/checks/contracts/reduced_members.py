"""Members of TypeScript classes whose visibility is reduced, and the callers that lose access."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.contracts.broken import EXPORT, Broken, unique
from vetgate.index.constructor import base_classes
from vetgate.index.facts import MAKERS, NEW, DefinitionSite
from vetgate.index.references import references
from vetgate.index.visibility import PRIVATE, PROTECTED
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.contracts.broken import Sides
    from vetgate.index.facts import Definition
    from vetgate.index.references import Reference
    from vetgate.index.view import View

_TOLD = {PRIVATE: "is private now", PROTECTED: "is protected now"}
# In other languages nobody holds to it.
_HELD = frozenset({"typescript", "tsx"})
# Whoever writes so knows better than the compiler.
_UNHELD = "@ts-"
_DEEPEST = 8


def find_reduced_members(sides: Sides) -> Iterator[Broken]:
    if sides.before.unsure or sides.after.unsure:
        return
    was, now = unique(sides.before), unique(sides.after)
    for symbol, each in now.items():
        is_other = each.visibility in _TOLD and symbol in was and was[symbol].visibility != each.visibility
        found = (
            tuple(reference for reference in _uses(sides, each) if _is_shut_out(sides, was[symbol], each, reference))
            if is_other
            else ()
        )
        if found:
            yield Broken(EXPORT, symbol, each.line, _TOLD[each.visibility], found)


def _uses(sides: Sides, member: Definition) -> Iterator[Reference]:
    owner = member.symbol.rpartition(".")[0]
    is_maker = member.name in MAKERS
    site = DefinitionSite(sides.file.path, owner if is_maker else member.symbol)
    for reference in references(sides.view, site, site.symbol.rpartition(".")[2]):
        if reference.call is not None and reference.call.callee.startswith(NEW) == is_maker:
            yield reference


def _is_shut_out(sides: Sides, was: Definition, now: Definition, reference: Reference) -> bool:
    klass = DefinitionSite(sides.file.path, now.symbol.rpartition(".")[0])
    if language_of(reference.path) not in _HELD or _is_unheld(sides.view, reference) or reference.call is None:
        return False
    user = DefinitionSite(reference.path, reference.call.owner)
    return _can_access(sides.view, was.visibility, klass, user) and not _can_access(
        sides.view, now.visibility, klass, user
    )


def _can_access(view: View, visibility: str, klass: DefinitionSite, user: DefinitionSite) -> bool:
    if not visibility or (user.path == klass.path and f"{user.symbol}.".startswith(f"{klass.symbol}.")):
        return True
    return visibility == PROTECTED and bool(user.symbol) and _is_subclass(view, user, klass)


def _is_subclass(view: View, user: DefinitionSite, klass: DefinitionSite, depth: int = 0) -> bool:
    """So it is, where one of its base classes is not known."""
    facts = view.facts(user.path)
    found = unique(facts).get(user.symbol) if facts is not None else None
    above = base_classes(view, user.path, found) if found is not None and depth <= _DEEPEST else None
    if above is None:
        return True
    sites = [DefinitionSite(*each) for each in above]
    return klass in sites or any(_is_subclass(view, each, klass, depth + 1) for each in sites)


def _is_unheld(view: View, reference: Reference) -> bool:
    lines = view.text(reference.path).split("\n")
    return _UNHELD in "\n".join(lines[max(0, reference.line - 2) : reference.line]) or f"{_UNHELD}nocheck" in "\n".join(
        lines[:20]
    )
