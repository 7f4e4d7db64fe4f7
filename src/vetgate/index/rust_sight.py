"""Who may use an item of Rust that is not public: the module it is for, and all modules inside of that."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from vetgate.index.crates import ROOTS, Module, crate_root, parent
from vetgate.index.facts import Import
from vetgate.index.reach import CRATE, SUPER
from vetgate.index.reading import MODULE
from vetgate.index.rust import INSIDE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.index.classes import Here
    from vetgate.index.facts import Call, Facts
    from vetgate.index.lineage import Home
    from vetgate.index.view import View

_DEEPEST = 20


def sees(view: View, it: Home, here: Here, by: Call | Import) -> bool:
    """Whether what is said there may mean this; so it may, where nobody can tell."""
    if not it.definition.reach:
        return True
    home = _modules(it.facts, it.definition.symbol)
    within = _within(view, Module(it.path, home), it.definition.reach)
    said = by.local if isinstance(by, Import) else by.owner.partition(INSIDE)[0]
    inner = _modules(here.facts, said if isinstance(by, Import) else f"{said}.")
    around = list(_outwards(view, Module(here.path, inner)))
    is_known = around[-1] == crate_root(view, here.path) and within is not None
    return not is_known or within in around or _is_part_of_both(view, it.path, here.path)


def _within(view: View, home: Module, reach: str) -> Module | None:
    if reach == CRATE:
        root = crate_root(view, home.path)
        # A file beside others that are crates of their own may be a module of one of them.
        return root if root is not None and posixpath.basename(root.path) in ROOTS else None
    return parent(view, home) if reach == SUPER else home


def _modules(facts: Facts, symbol: str) -> tuple[str, ...]:
    """The modules of the file that it stands in."""
    modules = {each.symbol for each in facts.definitions if each.kind == MODULE and each.made}
    *outer, _ = symbol.split(".")
    depth = 0
    while depth < len(outer) and ".".join(outer[: depth + 1]) in modules:
        depth += 1
    return tuple(outer[:depth])


def _outwards(view: View, module: Module) -> Iterator[Module]:
    here: Module | None = module
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
