"""Who names a module of Rust, or what one passes on, on the way to something else or at the end of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.crates import Module, crate_named
from vetgate.index.facts import Call
from vetgate.index.rust_names import import_path, modules_around
from vetgate.index.rust_paths import resolved

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vetgate.index.facts import Facts, Import
    from vetgate.index.place import Place
    from vetgate.index.view import View


def through(view: View, place: Place) -> Iterator[tuple[str, Call | Import]]:
    """Nobody, where another item of the name may be meant."""
    *inner, name = place.symbol.split(".")
    around, own = Module(place.path, tuple(inner)), view.facts(place.path)
    symbols = [each.symbol for each in own.definitions] if own is not None else []
    brought = [each.local for each in own.imports] if own is not None else []
    if [*symbols, *brought].count(place.symbol) != 1:
        return
    # A function may have the name of a module, and be one of all those that are brought along.
    has_all = ".".join((*inner, "*")) in brought
    for path, facts in view.holding([f"m{name}", f"c{name}"]):
        for by, said, parts in _paths(facts, name):
            is_last_free = has_all or (isinstance(by, Call) and place.symbol in symbols)
            upto = len(parts) - is_last_free
            steps = [number for number, part in enumerate(parts) if part == name and 0 < number < upto]
            if any(_is(view, Module(path, said), parts[:number], around) for number in steps):
                yield path, by


def _is(view: View, here: Module, parts: Sequence[str], wanted: Module) -> bool:
    """A name by itself may also be that of a crate."""
    found = resolved(view, here, parts).target
    is_free = found is None and len(parts) == 1
    return (crate_named(view, parts[0], here.path) if is_free else found) == wanted


def _paths(facts: Facts, name: str) -> Iterator[tuple[Call | Import, tuple[str, ...], Sequence[str]]]:
    """Those that say a name, each with the modules it is said in."""
    for each in facts.imports:
        if each.name == name or name in each.module:
            yield each, (), import_path(each)
    for call in facts.calls:
        if name in call.callee and "." in call.callee:
            yield call, modules_around(call), call.callee.split(".")
