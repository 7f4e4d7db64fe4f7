"""What is for fewer than it was, and who still uses it where it is out of sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.checks.contracts.broken import CLASS, EXPORT, Broken, unique
from vetgate.checks.contracts.signature import misfit
from vetgate.checks.contracts.uses import defined, followers_of, is_own, passing, uses_of
from vetgate.index.classes import Here
from vetgate.index.facts import Call
from vetgate.index.lineage import Home
from vetgate.index.reach import CRATE, FILE, PACKAGE, PRIVATE, PROTECTED, SUPER
from vetgate.index.reading import MODULE
from vetgate.index.seekers import MAKING
from vetgate.index.users import site_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from vetgate.checks.contracts.broken import Sides
    from vetgate.index.facts import Definition, Facts, Import
    from vetgate.index.tongue import Tongue
    from vetgate.index.users import Site

    Use = tuple[str, Facts, Call | Import]

TOLD = {
    PRIVATE: "is private now",
    PROTECTED: "is protected now",
    PACKAGE: "is only for its package now",
    FILE: "is only for its file now",
    CRATE: "is only for its crate now",
    SUPER: "is only for the module around its own now",
}


def narrowed(sides: Sides, own: Tongue) -> Iterator[Broken]:
    """Of what has moved only who followed it is told: others tell who does not find it any more."""
    if sides.before.unsure or sides.after.unsure:
        return
    was, now = _forms(sides.before, own), _forms(sides.after, own)
    was |= _unwritten(was, now)
    told: list[str] = []
    for symbol in was:
        is_told = any(symbol.startswith(f"{other}.") for other in told)
        is_other = symbol in now and {each.reach for each in was[symbol]} != {each.reach for each in now[symbol]}
        found = tuple(_shut_out(sides, own, was[symbol], now[symbol])) if is_other and not is_told else ()
        if found:
            told.append(symbol)
            yield Broken(EXPORT, symbol, now[symbol][0].line, TOLD[_narrowest(now[symbol])], found)


def _forms(facts: Facts, own: Tongue) -> dict[str, list[Definition]]:
    """Where types are written, what a name means is known of all its forms."""
    found: dict[str, list[Definition]] = {}
    for each in facts.definitions if own.written else unique(facts).values():
        found.setdefault(each.symbol, []).append(each)
    return found


def _unwritten(was: Mapping[str, object], now: Mapping[str, Sequence[Definition]]) -> dict[str, list[Definition]]:
    """What makes objects of a class is there for everybody as long as nobody speaks of it."""
    fresh = (symbol for symbol in now if symbol.endswith(MAKING) and symbol not in was)
    return {
        symbol: [replace(each, reach="") for each in now[symbol]]
        for symbol in fresh
        if symbol.removesuffix(MAKING) in was
    }


def _narrowest(forms: Iterable[Definition]) -> str:
    reaches = {each.reach for each in forms}
    return next(reach for reach in TOLD if reach in reaches)


def _shut_out(sides: Sides, own: Tongue, was: Sequence[Definition], now: Sequence[Definition]) -> Iterator[Site]:
    # What an object says to itself, an heir may have.
    is_elsewhere = own.has_heirs and defined(sides, now[0].name) > 1
    for use in _uses(sides, own, now[0]):
        path, facts, by = use
        before, after = _fitting(was, by), _fitting(now, by)
        if not after or (is_elsewhere and is_own(by)) or _is_inherited(now[0], facts, by):
            continue
        if _sees(sides, own, before, use) and not _sees(sides, own, after, use):
            yield site_of(path, by)


def _uses(sides: Sides, own: Tongue, it: Definition) -> Iterator[Use]:
    has_moved = bool(sides.file.was) or sides.before.space != sides.after.space or it.symbol.endswith(MAKING)
    if it.kind != MODULE or own.through is None:
        yield from followers_of(sides, own, it.symbol) if has_moved else uses_of(sides, own, it.symbol)
    elif not has_moved:
        yield from passing(sides, own.through, it.symbol)


def _fitting(forms: Iterable[Definition], by: Call | Import) -> list[Definition]:
    """Those that may be meant, of several that take different things."""
    return [
        each
        for each in forms
        if each.parameters is None or not isinstance(by, Call) or misfit(by, each.parameters) is None
    ]


def _is_inherited(it: Definition, facts: Facts, by: Call | Import) -> bool:
    """Who only names it as an ancestor makes no object of it."""
    return isinstance(by, Call) and it.kind != CLASS and by not in facts.calls


def _sees(sides: Sides, own: Tongue, forms: Iterable[Definition], use: Use) -> bool:
    path, facts, by = use
    here = Here(path, facts, by.owner if isinstance(by, Call) else "")
    homes = (Home(sides.file.path, each, sides.after) for each in forms)
    return any(own.sees(sides.view, home, here, by) for home in homes)
