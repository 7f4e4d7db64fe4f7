"""Overloads: functions of one name with different parameters; a call has to fit one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.contracts.broken import GONE, METHOD, Broken
from vetgate.checks.contracts.signature import ARITY, Misfit, misfit
from vetgate.index.facts import DefinitionSite
from vetgate.index.references import references
from vetgate.index.resolve import called

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.contracts.broken import Sides
    from vetgate.index.facts import CallSite, Definition, Facts
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
    return Misfit(ARITY, f"none of its {len(found)} forms takes what it hands over"), site.path, found[0]


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
