"""Classes whose objects take something else to be made, be it written there or made of fields; and their heirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.checks.contracts.broken import CLASS, Broken, unique
from vetgate.checks.contracts.callers import misfits
from vetgate.index.constructor import ancestors, constructor, own_maker
from vetgate.index.place import MAKERS, Place
from vetgate.index.users import sites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.contracts.broken import Sides
    from vetgate.index.facts import Definition, Facts, Parameter
    from vetgate.index.view import View

# Classes that are called for one of their members, whatever their constructor takes.
_LISTED = ("Enum", "Flag", "?")
_GENERATIONS = 3


def remade(sides: Sides) -> Iterator[Broken]:
    was, now = _making(sides.before), _making(sides.after)
    if was == now or sides.is_lenient:
        return
    stood, stands = unique(sides.before), unique(sides.after)
    for symbol in was:
        old, new = stood.get(symbol), stands.get(symbol)
        if old is not None and new is not None and new.kind == CLASS:
            took, takes = _takes(sides.earlier, sides.old_path, old), _takes(sides.view, sides.file.path, new)
            if takes is not None and took is not None and takes != took:
                place = Place(sides.file.path, symbol)
                yield from misfits(sides, place, replace(old, parameters=took), replace(new, parameters=takes))
                yield from _inherited(sides, place, new.line)


def _making(facts: Facts) -> dict[str, tuple[Definition, ...]]:
    """All that has a say in how objects are made, by class."""
    found: dict[str, tuple[Definition, ...]]
    found = {each.symbol: (replace(each, line=0),) for each in facts.definitions if each.kind == CLASS}
    for each in facts.definitions:
        owner, _, name = each.symbol.rpartition(".")
        if name in MAKERS and owner in found:
            found[owner] += (replace(each, line=0),)
    return found


def _takes(view: View, path: str, each: Definition) -> tuple[Parameter, ...] | None:
    found = constructor(view, path, each)
    if found is not None or any(base.endswith(_LISTED) for base in each.bases):
        return found
    facts = view.facts(path)
    own = own_maker(facts, each.symbol) if facts is not None else None
    return own.parameters if own is not None else None


def _inherited(sides: Sides, place: Place, line: int) -> Iterator[Broken]:
    """Heirs outside of this file are made as their ancestor is, as far as they do not say otherwise."""
    for path, heir in _heirs(sides.view, place):
        took, takes = constructor(sides.earlier, path, heir), constructor(sides.view, path, heir)
        if path != place.path and took is not None and takes is not None and took != takes:
            was, now = replace(heir, parameters=took), replace(heir, parameters=takes, line=line)
            yield from misfits(sides, Place(path, heir.symbol), was, now)


def _heirs(view: View, place: Place) -> Iterator[tuple[str, Definition]]:
    pending, seen = [place], {place}
    for _ in range(_GENERATIONS):
        found = [each for here in pending for each in _children(view, here)]
        pending = [Place(path, each.symbol) for path, each in found if Place(path, each.symbol) not in seen]
        seen.update(pending)
        yield from ((path, each) for path, each in found if Place(path, each.symbol) in pending)


def _children(view: View, place: Place) -> Iterator[tuple[str, Definition]]:
    used = sites(view, place, place.symbol.rpartition(".")[2])
    for path in dict.fromkeys((place.path, *(site.path for site in used))):
        facts = view.facts(path)
        for each in unique(facts).values() if facts is not None else ():
            known = (ancestors(view, path, each) if each.kind == CLASS and each.bases else None) or ()
            if any(Place(*it) == place for it in known):
                yield path, each
