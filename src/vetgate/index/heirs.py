"""The heirs of a class, by their names, and what they have of a method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.facts import last_name
from vetgate.index.lineage import Home

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.facts import Definition, Facts
    from vetgate.index.place import Place
    from vetgate.index.view import View

_GENERATIONS = 8
_NAMELESS = frozenset({"*", "default"})


def with_heirs(view: View, owner: str) -> frozenset[str]:
    return frozenset({owner.rpartition(".")[2], *(each.definition.name for each in heirs(view, owner))})


def heirs(view: View, owner: str) -> list[Home]:
    """Classes that may be heirs of one of this name, or of what it is passed on as."""
    name = owner.rpartition(".")[2]
    return view.once(("heirs", name), lambda: list(_all_heirs(view, name)))


def _all_heirs(view: View, name: str) -> Iterator[Home]:
    names = pending = {name}
    seen: set[tuple[str, str]] = set()
    for _ in range(_GENERATIONS):
        found = list(view.holding([f"c{each}" for each in sorted(pending)])) if pending else []
        aliases = {alias for _, facts in found for alias in _aliases(facts, names)}
        new = [each for path, facts in found for each in _heirs(path, facts, names | aliases)]
        yield from (each for each in new if (each.path, each.definition.symbol) not in seen)
        seen.update((each.path, each.definition.symbol) for each in new)
        pending = ({each.definition.name for each in new} | aliases) - names
        names = names | pending


def _aliases(facts: Facts, names: set[str]) -> Iterator[str]:
    yield from (each.local for each in facts.imports if each.name in names)
    yield from (each.name for each in facts.exports if each.local in names and each.name not in _NAMELESS)


def _heirs(path: str, facts: Facts, names: set[str]) -> Iterator[Home]:
    for each in facts.definitions:
        if any(last_name(base) in names for base in each.bases):
            yield Home(path, each, facts)


def inherited_anew(view: View, place: Place) -> list[Definition]:
    """What the heirs of a class have of a method's name themselves."""
    owner, _, name = place.symbol.rpartition(".")
    homes = [(path, each) for path, facts in view.holding([f"d{name}", f"q{name}"]) for each in facts.definitions]
    others = [each for path, each in homes if each.name == name and (path, each.symbol) != place]
    names = with_heirs(view, owner) if others else frozenset()
    return [each for each in others if each.symbol.rpartition(".")[0].rpartition(".")[2] in names]
