"""Classes whose constructor takes other arguments, written or made of fields; and their subclasses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from vetgate.checks.contracts.broken import CLASS, Broken, unique
from vetgate.checks.contracts.callers import misfits
from vetgate.index.constructor import base_classes, constructor, own_maker
from vetgate.index.facts import MAKERS, DefinitionSite
from vetgate.index.references import references

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.contracts.broken import Sides
    from vetgate.index.facts import Definition, Facts, Parameter
    from vetgate.index.view import View

# Classes that are called for one of their members, whatever their constructor takes.
_LISTED = ("Enum", "Flag", "?")
_GENERATIONS = 3


def find_changed_constructors(sides: Sides) -> Iterator[Broken]:
    was, now = _making(sides.before), _making(sides.after)
    if was == now or sides.is_lenient:
        return
    stood, stands = unique(sides.before), unique(sides.after)
    for symbol in was:
        old, new = stood.get(symbol), stands.get(symbol)
        if old is not None and new is not None and new.kind == CLASS:
            took, takes = _takes(sides.earlier, sides.old_path, old), _takes(sides.view, sides.file.path, new)
            if takes is not None and took is not None and takes != took:
                site = DefinitionSite(sides.file.path, symbol)
                yield from misfits(sides, site, replace(old, parameters=took), replace(new, parameters=takes))
                yield from _inherited(sides, site, new.line)


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


def _inherited(sides: Sides, site: DefinitionSite, line: int) -> Iterator[Broken]:
    """Subclasses outside of this file are made as their base class is, as far as they do not say otherwise."""
    for path, subclass in _subclasses(sides.view, site):
        took, takes = constructor(sides.earlier, path, subclass), constructor(sides.view, path, subclass)
        if path != site.path and took is not None and takes is not None and took != takes:
            was, now = replace(subclass, parameters=took), replace(subclass, parameters=takes, line=line)
            yield from misfits(sides, DefinitionSite(path, subclass.symbol), was, now)


def _subclasses(view: View, site: DefinitionSite) -> Iterator[tuple[str, Definition]]:
    pending, seen = [site], {site}
    for _ in range(_GENERATIONS):
        found = [each for here in pending for each in _children(view, here)]
        pending = [
            DefinitionSite(path, each.symbol) for path, each in found if DefinitionSite(path, each.symbol) not in seen
        ]
        seen.update(pending)
        yield from ((path, each) for path, each in found if DefinitionSite(path, each.symbol) in pending)


def _children(view: View, site: DefinitionSite) -> Iterator[tuple[str, Definition]]:
    used = references(view, site, site.symbol.rpartition(".")[2])
    for path in dict.fromkeys((site.path, *(reference.path for reference in used))):
        facts = view.facts(path)
        for each in unique(facts).values() if facts is not None else ():
            known = (base_classes(view, path, each) if each.kind == CLASS and each.bases else None) or ()
            if any(DefinitionSite(*it) == site for it in known):
                yield path, each
