"""Who may use an item of Rust that is not public, and who names a module on the way to something else."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from vetgate.index.crates import ROOTS, RustModule, crate_named, crate_root, parent
from vetgate.index.facts import CallSite, Import
from vetgate.index.reading import MODULE
from vetgate.index.rust import INSIDE
from vetgate.index.rust_names import import_path, modules_around
from vetgate.index.rust_paths import resolved
from vetgate.index.visibility import CRATE, SUPER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vetgate.index.classes import ReferenceContext
    from vetgate.index.facts import DefinitionSite, Facts
    from vetgate.index.inheritance import SourceDefinition
    from vetgate.index.view import View


_DEEPEST = 20


def can_access(view: View, it: SourceDefinition, context: ReferenceContext, by: CallSite | Import) -> bool:
    """Whether what is said there may mean this; so it may, where nobody can tell."""
    if not it.definition.visibility:
        return True
    klass = _modules(it.facts, it.definition.symbol)
    within = _within(view, RustModule(it.path, klass), it.definition.visibility)
    said = by.local if isinstance(by, Import) else by.owner.partition(INSIDE)[0]
    inner = _modules(context.facts, said if isinstance(by, Import) else f"{said}.")
    around = list(_outwards(view, RustModule(context.path, inner)))
    is_known = around[-1] == crate_root(view, context.path) and within is not None
    return not is_known or within in around or _is_part_of_both(view, it.path, context.path)


def _within(view: View, klass: RustModule, visibility: str) -> RustModule | None:
    if visibility == CRATE:
        root = crate_root(view, klass.path)
        # A file beside others that are crates of their own may be a module of one of them.
        return root if root is not None and posixpath.basename(root.path) in ROOTS else None
    return parent(view, klass) if visibility == SUPER else klass


def _modules(facts: Facts, symbol: str) -> tuple[str, ...]:
    """The modules of the file that it stands in."""
    modules = {each.symbol for each in facts.definitions if each.kind == MODULE and each.made}
    *outer, _ = symbol.split(".")
    depth = 0
    while depth < len(outer) and ".".join(outer[: depth + 1]) in modules:
        depth += 1
    return tuple(outer[:depth])


def _outwards(view: View, module: RustModule) -> Iterator[RustModule]:
    here: RustModule | None = module
    for _ in range(_DEEPEST):
        if here is None:
            return
        yield here
        here = parent(view, here)


def _is_part_of_both(view: View, *paths: str) -> bool:
    """Whether two crates take in the same files, as a library and a program of one folder may."""
    roots = [root for path in paths if (root := crate_root(view, path)) is not None]
    declared = [_declared(view.facts(root.path)) for root in dict.fromkeys(roots)]
    return len(declared) > 1 and not declared[0].isdisjoint(declared[1])


def _declared(facts: Facts | None) -> set[str]:
    return {each.symbol for each in (facts.definitions if facts else ()) if each.kind == MODULE and not each.made}


def through(view: View, site: DefinitionSite) -> Iterator[tuple[str, CallSite | Import]]:
    """Nobody, where another item of the name may be meant."""
    *inner, name = site.symbol.split(".")
    around, own = RustModule(site.path, tuple(inner)), view.facts(site.path)
    symbols = [each.symbol for each in own.definitions] if own is not None else []
    brought = [each.local for each in own.imports] if own is not None else []
    if [*symbols, *brought].count(site.symbol) != 1:
        return
    # A function may have the name of a module, and be one of all those that are brought along.
    has_all = ".".join((*inner, "*")) in brought
    for path, facts in view.holding([f"m{name}", f"c{name}"]):
        for by, said, parts in _paths(facts, name):
            is_last_free = has_all or (isinstance(by, CallSite) and site.symbol in symbols)
            upto = len(parts) - is_last_free
            steps = [number for number, part in enumerate(parts) if part == name and 0 < number < upto]
            if any(_is(view, RustModule(path, said), parts[:number], around) for number in steps):
                yield path, by


def _is(view: View, here: RustModule, parts: Sequence[str], wanted: RustModule) -> bool:
    """A name by itself may also be that of a crate."""
    found = resolved(view, here, parts).target
    is_free = found is None and len(parts) == 1
    return (crate_named(view, parts[0], here.path) if is_free else found) == wanted


def _paths(facts: Facts, name: str) -> Iterator[tuple[CallSite | Import, tuple[str, ...], Sequence[str]]]:
    """Those that say a name, each with the modules it is said in."""
    for each in facts.imports:
        if each.name == name or name in each.module:
            yield each, (), import_path(each)
    for call in facts.calls:
        if name in call.callee and "." in call.callee:
            yield call, modules_around(call), call.callee.split(".")
