"""A call that was written, beside the function it means, or its overloads: whether what it passes fits."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.contracts.broken import GONE, METHOD, Broken
from vetgate.checks.contracts.callers import is_called_by_class, is_called_on_object, passed_arguments
from vetgate.checks.contracts.expected_failures import is_expected_to_fail
from vetgate.checks.contracts.objects import may_be_another
from vetgate.checks.contracts.signature import ARITY, Misfit, is_taken, misfit
from vetgate.index.constructor import constructor
from vetgate.index.facts import MAKERS, DefinitionSite
from vetgate.index.inheritance import overriding_methods
from vetgate.index.language_resolver import resolver_for
from vetgate.index.references import references
from vetgate.index.resolve import called, definition_of
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.contracts.broken import Sides
    from vetgate.index.facts import CallSite, Definition, Facts, Parameter
    from vetgate.index.references import Reference
    from vetgate.index.view import View

# Of what has one form before and one after others speak.
_SINGLE = 2


def overload_misfit(view: View, path: str, facts: Facts, call: CallSite) -> tuple[Misfit, str, Definition] | None:
    """Why a call fits none of several forms, and where the first of them stands."""
    site = called(view, path, facts, call)
    there = view.facts(site.path) if site is not None else None
    found = _forms(there, site.symbol) if site is not None and there is not None else []
    if site is None or len(found) < _SINGLE or not _fits_none(call, found):
        return None
    return Misfit(ARITY, f"none of its {len(found)} forms takes what it passes"), site.path, found[0]


def find_lost_overloads(sides: Sides) -> Iterator[Broken]:
    """Calls that fitted a form which is gone or takes something else."""
    if sides.before.unsure or sides.after.unsure or sides.before.space != sides.after.space:
        return
    for symbol in dict.fromkeys(each.symbol for each in sides.before.definitions if each.kind == METHOD):
        was, now = _forms(sides.before, symbol), _forms(sides.after, symbol)
        is_chosen = bool(now) and len(was) + len(now) > _SINGLE
        is_other = [each.parameters for each in was] != [each.parameters for each in now]
        found = tuple(_left_over(sides, symbol, was, now)) if is_chosen and is_other else ()
        if found:
            yield Broken(GONE, symbol, now[0].line, "is gone in the form that is called", found)


def _left_over(sides: Sides, symbol: str, was: list[Definition], now: list[Definition]) -> Iterator[Reference]:
    for reference in references(sides.view, DefinitionSite(sides.file.path, symbol), symbol.rpartition(".")[2]):
        if reference.call is not None and not _fits_none(reference.call, was) and _fits_none(reference.call, now):
            yield reference


def _forms(facts: Facts, symbol: str) -> list[Definition]:
    return [each for each in facts.definitions if each.symbol == symbol and each.kind == METHOD]


def _fits_none(call: CallSite, forms: list[Definition]) -> bool:
    return all(each.parameters is not None and misfit(call, each.parameters) is not None for each in forms)


_LENIENT = frozenset({"javascript"})
_OWN = ("self.", "this.", "static.")
_OF_CLASS = "class."
_INHERITED = ("parent.", "super.")


class Wrong(NamedTuple):
    call: CallSite
    misfit: Misfit
    path: str
    definition: Definition


def wrong_calls(view: View, path: str, before: Facts, after: Facts) -> Iterator[Wrong]:
    """Calls that were not there before and do not fit what they call."""
    if language_of(path) in _LENIENT:
        return
    stood = Counter(map(_written, before.calls))
    for call in after.calls:
        if stood[_written(call)]:
            stood[_written(call)] -= 1
            continue
        found = _expected(view, path, after, call)
        if found is None:
            yield from _formless(view, path, after, call)
            continue
        site, definition, parameters = found
        given = passed_arguments(view, path, call, definition)
        wrong = misfit(given, parameters) if given is not None else None
        if given is None or wrong is None or _may_be_another(view, path, given, (site, definition)):
            continue
        if not is_expected_to_fail(view, path, call):
            yield Wrong(call, wrong, site, definition)


def _formless(view: View, path: str, facts: Facts, call: CallSite) -> Iterator[Wrong]:
    own_way = resolver_for(path)
    found = overload_misfit(view, path, facts, call) if own_way is not None and own_way.is_typed else None
    if found is not None:
        wrong, site, definition = found
        yield Wrong(call, wrong, site, definition)


def _may_be_another(view: View, path: str, call: CallSite, meant: tuple[str, Definition]) -> bool:
    """Whether the method of a subclass may be called instead."""
    where, definition = meant
    site = DefinitionSite(where, definition.symbol)
    if resolver_for(path) is None:
        name = call.callee.rpartition(".")[2]
        is_maker = definition.kind == "class" and "." in call.callee and name in MAKERS
        is_member = is_maker or definition.kind == "method"
        return is_member and may_be_another(view, path, call, site.member(name) if is_maker else site)
    if not _may_be_a_subclass(path, call, definition):
        return False
    if not call.of:
        return _has_many(view, definition.name)
    return is_taken(call, overriding_methods(view, site))


def _may_be_a_subclass(path: str, call: CallSite, definition: Definition) -> bool:
    own_way = resolver_for(path)
    is_exact = call.callee.startswith(_INHERITED) or (own_way is not None and not own_way.has_subclasses)
    return (definition.kind == "method" or call.callee.startswith(_OF_CLASS)) and not is_exact


def _has_many(view: View, name: str) -> bool:
    """Whether several classes have a method of this name: what `self` is may be any of them."""
    classes = (each for _, facts in view.holding([f"d{name}"]) for each in facts.definitions)
    return sum(each.name == name for each in classes) > 1


def _written(call: CallSite) -> tuple[object, ...]:
    return call.callee, call.positional, call.keywords, call.is_open, call.owner


def _expected(
    view: View, path: str, facts: Facts, call: CallSite
) -> tuple[str, Definition, tuple[Parameter, ...]] | None:
    """What the call has to pass, where that is beyond doubt."""
    site = called(view, path, facts, call)
    found = definition_of(view, site) if site is not None else None
    if found is None or language_of(found[0]) in _LENIENT:
        return None
    where, definition = found
    if definition.kind == "class":
        parameters = constructor(view, where, definition)
        return (where, definition, parameters) if parameters is not None else None
    if definition.kind not in {"function", "method"} or not _is_reached(view, path, call, definition):
        return None
    return (where, definition, definition.parameters) if definition.parameters is not None else None


def _is_reached(view: View, path: str, call: CallSite, definition: Definition) -> bool:
    """Whether a method is known by what it is called on; a field that holds a function may hold another by then."""
    own_way, is_method = resolver_for(path), definition.kind == "method"
    if own_way is None:
        is_known = is_called_on_object(view, path, view.facts(path), call)
        return is_known == is_method or is_called_by_class(view, path, call, definition)
    return not is_method or own_way.is_typed or bool(call.of) or call.callee.startswith((*_OWN, *_INHERITED))
