"""What a path means in Rust: which file a module is, through modules, `use`, and whoever passes a name on."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.facts import DefinitionSite
from vetgate.index.reading import MODULE
from vetgate.index.rust import ANY, VALUE, seen_from_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vetgate.index.facts import Facts
    from vetgate.index.view import View


MANIFEST = "Cargo.toml"
ROOTS = ("lib.rs", "main.rs")
# Each file of these folders is a crate of its own.
_OWN_CRATES = frozenset({"bin", "tests", "examples", "benches"})
_PACKAGE = re.compile(r"^\[package\][^\[]*?^name\s*=\s*\"([^\"]+)\"", re.MULTILINE)
_LIBRARY = re.compile(r"^\[lib\][^\[]*?^(?:name|path)\s*=", re.MULTILINE)
_DEPENDENCY = re.compile(r"^([\w-]+)\s*=\s*([\"'][\d^~=<>*].*|\{.*)$", re.MULTILINE)
_IN_PLACE = re.compile(r"\b(?:path|workspace)\s*=")
_GIVEN = frozenset({"alloc", "core", "std", "test"})
_FOLDERS = 12


class RustModule(NamedTuple):
    """A file, or one of the modules that stand inside of it."""

    path: str
    inner: tuple[str, ...] = ()

    def symbol(self, name: str) -> str:
        return ".".join((*self.inner, name))


def crate_root(view: View, path: str) -> RustModule | None:
    folder, _, name = path.rpartition("/")
    if posixpath.basename(folder) in _OWN_CRATES or name == "build.rs":
        return RustModule(path)
    for _ in range(_FOLDERS):
        if name in ROOTS and view.exists(posixpath.join(folder, name)):
            return RustModule(posixpath.join(folder, name))
        found = next((each for each in ROOTS if view.exists(posixpath.join(folder, each))), None)
        if found is not None:
            return RustModule(posixpath.join(folder, found))
        if not folder or posixpath.basename(folder) == "src":
            return None
        folder = posixpath.dirname(folder)
    return None


def parent(view: View, module: RustModule) -> RustModule | None:
    if module.inner:
        return RustModule(module.path, module.inner[:-1])
    root = crate_root(view, module.path)
    if root is None or root.path == module.path:
        return None
    folder, _, name = module.path.rpartition("/")
    around = posixpath.dirname(folder) if name == "mod.rs" else folder
    if around == posixpath.dirname(root.path):
        return root
    found = [each for each in (f"{around}.rs", f"{around}/mod.rs") if view.exists(each)]
    return RustModule(found[0]) if len(found) == 1 else None


def child(view: View, module: RustModule, name: str) -> RustModule | None:
    """A module that is declared once, inside of the file or in one of its own."""
    facts = view.facts(module.path)
    symbol = module.symbol(name)
    declared = [each for each in (facts.definitions if facts else ()) if each.symbol == symbol and each.kind == MODULE]
    if len(declared) != 1 or not declared[0].exported:
        return None
    if declared[0].made:
        return RustModule(module.path, (*module.inner, name))
    site = posixpath.join(_folder(view, module.path), *module.inner, name)
    found = [each for each in (f"{site}.rs", f"{site}/mod.rs") if view.exists(each)]
    return RustModule(found[0]) if len(found) == 1 else None


def _folder(view: View, path: str) -> str:
    """Where the modules lie that a file declares."""
    folder, _, name = path.rpartition("/")
    root = crate_root(view, path)
    if name == "mod.rs" or (root is not None and root.path == path) or name in ROOTS:
        return folder
    return posixpath.join(folder, name.removesuffix(".rs"))


def crate_named(view: View, name: str, path: str) -> RustModule | None:
    """One of the crates of the same repository, as a file calls it."""
    if name in _GIVEN or _is_foreign(view, name, path):
        return None
    known = view.once((MANIFEST,), lambda: [(_name(view.text(file)), file) for file in view.manifests((MANIFEST,))])
    found = [file for each, file in known if each == name]
    root = posixpath.join(posixpath.dirname(found[0]), "src/lib.rs") if len(found) == 1 else ""
    return RustModule(root) if root and view.exists(root) else None


def _is_foreign(view: View, name: str, path: str) -> bool:
    """Whether the manifest of a file takes the crate of this name from elsewhere, or another one under it."""
    folder = posixpath.dirname(path)
    while folder and not view.exists(posixpath.join(folder, MANIFEST)):
        folder = posixpath.dirname(folder)
    return name in view.once((MANIFEST, folder), lambda: _foreign(view.text(posixpath.join(folder, MANIFEST))))


@lru_cache(maxsize=1_000)
def _foreign(manifest: str) -> frozenset[str]:
    listed = _DEPENDENCY.findall(manifest)
    return frozenset(name.replace("-", "_") for name, how in listed if not _IN_PLACE.search(how) or "package" in how)


@lru_cache(maxsize=1_000)
def _name(manifest: str) -> str:
    """What others call the crate; "" where it says so in more than a word."""
    named = _PACKAGE.search(manifest)
    return named[1].replace("-", "_") if named is not None and not _LIBRARY.search(manifest) else ""


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
