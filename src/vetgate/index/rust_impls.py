"""Where the functions of a Rust type are written: beside it, or in an `impl` of another file of its crate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.crates import RustModule
from vetgate.index.facts import DefinitionSite
from vetgate.index.reading import CLASS, FUNCTION, UNNAMED
from vetgate.index.rust import ANY, TRAIT
from vetgate.index.rust_objects import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.facts import Definition, Facts
    from vetgate.index.view import View

    Givers = list[tuple[str, Definition]]


def member(view: View, site: DefinitionSite) -> DefinitionSite:
    """Where a function stands that is looked for at a place; there, where nobody knows of another."""
    key = ("rust member", site)
    if key not in view.found:
        view.found[key] = site  # for who asks in a circle
        view.found[key] = _member(view, site)
    found = view.found[key]
    return found if isinstance(found, DefinitionSite) else site


def _member(view: View, site: DefinitionSite) -> DefinitionSite:
    owner, _, name = site.symbol.rpartition(".")
    if not owner or _is_defined(view, site):
        return site
    klass = _type(view, site.path, owner)
    if klass is None:
        return site
    return elsewhere(view, klass, givers(view, klass.symbol, name)) or DefinitionSite(
        klass.path, f"{klass.symbol}.{name}"
    )


def elsewhere(view: View, klass: DefinitionSite, given: Givers) -> DefinitionSite | None:
    """The one function of all that may give a type its name, if it is written for the type itself."""
    if len(given) != 1 or not view.sees_all:
        return None
    path, it = given[0]
    facts = [view.facts(each) for each in (klass.path, path)]
    if it.parameters is None or any(each is None or each.unsure or ANY in each.bound for each in facts):
        return None  # of a trait, or a macro may write another
    # Beside the type there may be another one, for other type arguments.
    is_only = not _is_defined(view, DefinitionSite(klass.path, f"{klass.symbol}.{it.name}"))
    return (
        DefinitionSite(path, it.symbol)
        if is_only and _type(view, path, it.symbol.rpartition(".")[0]) == klass
        else None
    )


def _is_defined(view: View, site: DefinitionSite) -> bool:
    facts = view.facts(site.path)
    return facts is not None and any(each.symbol == site.symbol for each in facts.definitions)


def _type(view: View, path: str, written: str) -> DefinitionSite | None:
    """What an `impl` names: `a.b::T` is `b::T` in the module `a` of the file."""
    modules, _, name = written.rpartition(".")
    inner = tuple(modules.split(".")) if modules else ()
    return type_of(view, RustModule(path, inner), "", name.replace("::", "."))


def givers(view: View, owner: str, name: str) -> Givers:
    """What may give a type a function of a name, in all files."""
    found = view.holding([f"d{name}", f"q{name}"])
    return [(path, each) for path, facts in found for each in _giving(facts, owner, name)]


def _giving(facts: Facts, owner: str, name: str) -> Iterator[Definition]:
    traits = {each.symbol for each in facts.definitions if each.kind == TRAIT}
    types = {each.symbol for each in facts.definitions if each.kind in {CLASS, FUNCTION}}
    last = owner.rpartition(".")[2]
    for each in facts.definitions:
        holds, _, called = each.symbol.rpartition(".")
        # Where the type itself stands, it is another one of that name.
        is_its_own = holds not in types and holds.rpartition(".")[2].rpartition(":")[2] == last
        if called == name and (holds in traits or is_its_own or holds.endswith(UNNAMED)):
            yield each
