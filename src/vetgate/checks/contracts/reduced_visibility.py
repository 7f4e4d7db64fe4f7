"""Definitions, members of TypeScript classes and re-exports with less visibility, and the callers that lose access."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.checks.contracts.broken import CLASS, EXPORT, Broken, names, unique
from vetgate.checks.contracts.callers import defined, followers_of, is_own, passing, uses_of
from vetgate.checks.contracts.signature import misfit
from vetgate.index.classes import ReferenceContext
from vetgate.index.constructor import base_classes
from vetgate.index.facts import MAKERS, NEW, CallSite, Definition, DefinitionSite
from vetgate.index.inheritance import SourceDefinition
from vetgate.index.reading import MODULE
from vetgate.index.references import MAKING, reference_by, references
from vetgate.index.visibility import CRATE, FILE, PACKAGE, PRIVATE, PROTECTED, SUPER
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from vetgate.checks.contracts.broken import Sides
    from vetgate.checks.contracts.callers import Use
    from vetgate.index.facts import Facts, Import
    from vetgate.index.language_resolver import LanguageResolver, Through
    from vetgate.index.references import Reference
    from vetgate.index.view import View


_OF_MEMBERS = frozenset({PRIVATE, PROTECTED})
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
        is_other = each.visibility in _OF_MEMBERS and symbol in was and was[symbol].visibility != each.visibility
        uses = _member_uses(sides, each) if is_other else ()
        found = tuple(reference for reference in uses if _is_shut_out(sides, was[symbol], each, reference))
        if found:
            yield Broken(EXPORT, symbol, each.line, TOLD[each.visibility], found)


def _member_uses(sides: Sides, member: Definition) -> Iterator[Reference]:
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
    return _can_call(sides.view, was.visibility, klass, user) and not _can_call(sides.view, now.visibility, klass, user)


def _can_call(view: View, visibility: str, klass: DefinitionSite, user: DefinitionSite) -> bool:
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


TOLD = {
    PRIVATE: "is private now",
    PROTECTED: "is protected now",
    PACKAGE: "is now visible only in its package",
    FILE: "is now visible only in its file",
    CRATE: "is now visible only in its crate",
    SUPER: "is now visible only in its parent module",
}


def find_reduced_visibility(sides: Sides, own: LanguageResolver) -> Iterator[Broken]:
    """Of what has moved only who followed it is told: others tell who does not find it any more."""
    if sides.before.unsure or sides.after.unsure:
        return
    was, now = _forms(sides.before, own), _forms(sides.after, own)
    was |= _unwritten(was, now)
    told: list[str] = []
    for symbol in was:
        is_told = any(symbol.startswith(f"{other}.") for other in told)
        is_other = symbol in now and {each.visibility for each in was[symbol]} != {
            each.visibility for each in now[symbol]
        }
        found = tuple(_shut_out(sides, own, was[symbol], now[symbol])) if is_other and not is_told else ()
        if found:
            told.append(symbol)
            yield Broken(EXPORT, symbol, now[symbol][0].line, TOLD[_narrowest(now[symbol])], found)


def _forms(facts: Facts, own: LanguageResolver) -> dict[str, list[Definition]]:
    """Where types are written, what a name means is known of all its forms."""
    found: dict[str, list[Definition]] = {}
    for each in facts.definitions if own.is_typed else unique(facts).values():
        found.setdefault(each.symbol, []).append(each)
    return found


def _unwritten(was: Mapping[str, object], now: Mapping[str, Sequence[Definition]]) -> dict[str, list[Definition]]:
    """What makes objects of a class is there for everybody as long as nobody speaks of it."""
    fresh = (symbol for symbol in now if symbol.endswith(MAKING) and symbol not in was)
    return {
        symbol: [replace(each, visibility="") for each in now[symbol]]
        for symbol in fresh
        if symbol.removesuffix(MAKING) in was
    }


def _narrowest(forms: Iterable[Definition]) -> str:
    reaches = {each.visibility for each in forms}
    return next(visibility for visibility in TOLD if visibility in reaches)


def _shut_out(
    sides: Sides, own: LanguageResolver, was: Sequence[Definition], now: Sequence[Definition]
) -> Iterator[Reference]:
    # What an object says to itself, a subclass may have.
    is_elsewhere = own.has_subclasses and defined(sides, now[0].name) > 1
    for use in _uses(sides, own, now[0]):
        path, facts, by = use
        before, after = _fitting(was, by), _fitting(now, by)
        if not after or (is_elsewhere and is_own(by)) or _is_inherited(now[0], facts, by):
            continue
        if _can_access(sides, own, before, use) and not _can_access(sides, own, after, use):
            yield reference_by(path, by)


def _uses(sides: Sides, own: LanguageResolver, it: Definition) -> Iterator[Use]:
    has_moved = bool(sides.file.was) or sides.before.space != sides.after.space or it.symbol.endswith(MAKING)
    if it.kind != MODULE or own.through is None:
        yield from followers_of(sides, own, it.symbol) if has_moved else uses_of(sides, own, it.symbol)
    elif not has_moved:
        yield from passing(sides, own.through, it.symbol)


def _fitting(forms: Iterable[Definition], by: CallSite | Import) -> list[Definition]:
    """Those that may be meant, of several that take different things."""
    return [
        each
        for each in forms
        if each.parameters is None or not isinstance(by, CallSite) or misfit(by, each.parameters) is None
    ]


def _is_inherited(it: Definition, facts: Facts, by: CallSite | Import) -> bool:
    """Who only names it as a base class makes no object of it."""
    return isinstance(by, CallSite) and it.kind != CLASS and by not in facts.calls


def _can_access(sides: Sides, own: LanguageResolver, forms: Iterable[Definition], use: Use) -> bool:
    path, facts, by = use
    context = ReferenceContext(path, facts, by.owner if isinstance(by, CallSite) else "")
    classes = (SourceDefinition(sides.file.path, each, sides.after) for each in forms)
    return any(own.can_access(sides.view, klass, context, by) for klass in classes)


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
        if now is None:
            is_lost = not own.resolves(sides.view, path, facts, by)
        else:
            was_free = _can_access(sides, own, [_as_definition(was)], use)
            is_lost = was_free and not _can_access(sides, own, [_as_definition(now)], use)
        if is_lost:
            yield reference_by(path, by)


def _as_definition(each: Import) -> Definition:
    return Definition(each.local, each.line, "use", None, visibility=each.visibility)
