"""Which file a module of Rust is, and which module stands around it."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.reading import MODULE

if TYPE_CHECKING:
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
_DEEPEST = 12


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
    for _ in range(_DEEPEST):
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
