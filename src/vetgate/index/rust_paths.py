"""What a path means in Rust: through modules, `use`, and whoever passes a name on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.crates import RustModule, child, crate_named, crate_root, parent
from vetgate.index.facts import DefinitionSite
from vetgate.index.reading import MODULE
from vetgate.index.rust import ANY, VALUE
from vetgate.index.rust_use import seen_from_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vetgate.index.facts import Facts
    from vetgate.index.view import View

_DEEPEST = 8


class ResolvedPath(NamedTuple):
    """Without a target there is none, or nobody can tell; `sure` says which."""

    target: RustModule | DefinitionSite | None
    sure: bool = True


DOUBT = ResolvedPath(None, sure=False)


def resolved(view: View, here: RustModule, parts: Sequence[str], depth: int = 0) -> ResolvedPath:
    if parts[0] in {"super", "mod", "self"}:
        said = ["self" if part == "mod" else part for part in parts]
        here, parts = RustModule(here.path), seen_from_file(here.inner, said)
    if parts[0] == "crate":
        return _followed(view, ResolvedPath(crate_root(view, here.path), sure=False), parts[1:], depth)
    if parts[0] == "self":
        return _followed(view, ResolvedPath(here), parts[1:], depth)
    if parts[0] == "super":
        return _upwards(view, here, parts, depth)
    return _followed(view, _first(view, here, parts, depth), parts[1:], depth)


def _upwards(view: View, here: RustModule, parts: Sequence[str], depth: int) -> ResolvedPath:
    above: RustModule | None = here
    rest = list(parts)
    while above is not None and rest and rest[0] == "super":
        above = parent(view, above)
        rest.pop(0)
    return _followed(view, ResolvedPath(above, sure=False), rest, depth)


def _first(view: View, here: RustModule, parts: Sequence[str], depth: int) -> ResolvedPath:
    found = _looked_up(view, here, parts[0], depth)
    if found.target is not None or len(parts) == 1 or _is_declared(view, here, parts[0]):
        return found
    outside = crate_named(view, parts[0], here.path)
    return ResolvedPath(outside) if outside is not None else DOUBT


def _is_declared(view: View, here: RustModule, name: str) -> bool:
    """A module of which the file is gone."""
    facts = view.facts(here.path)
    return facts is not None and any(each.symbol == here.symbol(name) for each in facts.definitions)


def _followed(view: View, found: ResolvedPath, rest: Sequence[str], depth: int) -> ResolvedPath:
    for number, name in enumerate(rest, 1):
        if isinstance(found.target, DefinitionSite):
            is_last = number == len(rest)
            return (
                ResolvedPath(DefinitionSite(found.target.path, f"{found.target.symbol}.{name}")) if is_last else DOUBT
            )
        if found.target is None:
            return found
        found = _looked_up(view, found.target, name, depth)
    return found


def _looked_up(view: View, module: RustModule, name: str, depth: int) -> ResolvedPath:
    """Once for all that ask; whoever asks again on the way there goes in circles."""
    key = (*module, name)
    if key not in view.found:
        view.found[key] = DOUBT
        view.found[key] = _searched(view, module, name, depth)
    known = view.found[key]
    return known if isinstance(known, ResolvedPath) else DOUBT


def _searched(view: View, module: RustModule, name: str, depth: int) -> ResolvedPath:
    """A name of a module: its own, one that it brings in by itself, or one of all those of another."""
    facts = view.facts(module.path)
    if facts is None or depth > _DEEPEST:
        return DOUBT
    symbol = module.symbol(name)
    own = [each for each in facts.definitions if each.symbol == symbol]
    brought = [each for each in facts.imports if each.local == symbol]
    if len(own) + len({(each.module, each.name) for each in brought}) > 1:
        return DOUBT
    if f"{VALUE}{symbol}" in facts.bound:
        return DOUBT
    if own:
        if own[0].kind != MODULE:
            return ResolvedPath(DefinitionSite(module.path, symbol))
        return ResolvedPath(child(view, module, name), sure=own[0].exported)
    if brought:
        path = [*brought[0].module.split("."), brought[0].name] if brought[0].module else [brought[0].name]
        is_itself = path == [name]
        return DOUBT if is_itself else resolved(view, RustModule(module.path), path, depth + 1)
    return _among(view, module, facts, name, depth)


def _among(view: View, module: RustModule, facts: Facts, name: str, depth: int) -> ResolvedPath:
    found: set[RustModule | DefinitionSite] = set()
    sure = ANY not in facts.bound and not facts.unsure
    for each in facts.imports:
        if each.name != "*" or each.local != module.symbol("*"):
            continue
        origin = (
            resolved(view, RustModule(module.path), each.module.split("."), depth + 1).target if each.module else None
        )
        if origin is None:
            sure = False
            continue
        known = _inside(view, origin, name, depth)
        sure = sure and known.sure
        found.update([known.target] if known.target is not None else [])
    return ResolvedPath(found.pop(), sure) if len(found) == 1 else ResolvedPath(None, sure and not found)


def _inside(view: View, origin: RustModule | DefinitionSite, name: str, depth: int) -> ResolvedPath:
    if isinstance(origin, RustModule):
        return _looked_up(view, origin, name, depth + 1)
    facts, symbol = view.facts(origin.path), f"{origin.symbol}.{name}"
    is_there = facts is not None and any(each.symbol == symbol for each in facts.definitions)
    return ResolvedPath(DefinitionSite(origin.path, symbol)) if is_there else ResolvedPath(None)
