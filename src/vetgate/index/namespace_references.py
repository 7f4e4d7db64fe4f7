"""Who uses a definition of a language with namespaces: the files that say its name, asked what they mean by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.facts import NEW, CallSite, last_name
from vetgate.index.inheritance import with_subclasses

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from vetgate.index.facts import DefinitionSite, Facts, Import
    from vetgate.index.language_resolver import LanguageResolver
    from vetgate.index.view import View

# An object is made by the name of its class, or of a subclass's.
MAKERS = frozenset({"__construct", "initialize"})
# How the `new` of a class ends that has one of its own.
MAKING = ".self.new"
_OWN = frozenset({"self", "static", "super"})


def namespace_references(
    view: View, site: DefinitionSite, own: LanguageResolver
) -> Iterator[tuple[str, CallSite | Import]]:
    """Calls and imports that mean this place, those of its own file first."""
    names = names_of(view, site)
    facts = view.facts(site.path)
    files = {site.path: facts} if facts is not None else {}
    near = [[f"{kind}{name}" for name in sorted(_kin(view, site)) for kind in "cmq"]] if own.is_typed else []
    files |= dict(view.holding([f"c{name}" for name in sorted(names)], *near))
    for path, each in files.items():
        yield from ((path, by) for by in references_in_file(view, site, own, (path, each, names)))


def references_in_file(
    view: View, site: DefinitionSite, own: LanguageResolver, where: tuple[str, Facts, Collection[str]]
) -> Iterator[CallSite | Import]:
    """Those of one file, which says these names."""
    path, facts, names = where
    said = {*names, *(each.local.removesuffix("()") for each in facts.imports if each.local != each.name)}
    if site.symbol.rpartition(".")[2] in MAKERS:
        said |= _OWN | MAKERS
    for call in (*facts.calls, *_inheriting(facts, said)):
        is_near = any(last_name(part) in said for part in (*call.callee.split("."), call.of))
        if is_near and site in {own.called(view, path, facts, call), own.holder(view, path, facts, call)}:
            yield call
    for each in facts.imports:
        if each.name in said and own.imported(view, path, each) == site:
            yield each


def _inheriting(facts: Facts, said: Collection[str]) -> Iterator[CallSite]:
    """What a class is made of is called, in a way, by whoever is called itself."""
    for each in facts.definitions:
        around = each.symbol.rpartition(".")[0]
        named = (base.rpartition(" ")[2] for base in each.bases if last_name(base) in said)
        yield from (CallSite(f"{NEW}{base}", each.line, is_open=True, owner=around) for base in named)


def names_of(view: View, site: DefinitionSite) -> frozenset[str]:
    """The names by which it may be reached: of a constructor those of its class, and of the subclasses of that."""
    owner, _, name = site.symbol.rpartition(".")
    if site.symbol.endswith(MAKING):
        return with_subclasses(view, site.symbol.removesuffix(MAKING))
    return with_subclasses(view, owner) if name in MAKERS else frozenset({name})


def _kin(view: View, site: DefinitionSite) -> frozenset[str]:
    owner, _, name = site.symbol.rpartition(".")
    return with_subclasses(view, owner or name)
