"""What Rust uses, and whether `Cargo.toml` or `Cargo.lock` name it.

A path may begin with a crate or with anything that is in scope, so a file in which that could come from elsewhere, by a
declaration, another `use`, a glob or a macro, is left alone.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from vetgate.checks.imports.misspellings import is_slip, nearest
from vetgate.checks.imports.unknown_imports import (
    MISTYPED,
    UnknownImport,
    folders,
    index_of,
    is_aside,
    known_in,
    mistyped,
    resembles,
    statement_at,
    unknown_package,
)
from vetgate.source.disk_cache import listed, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.source.syntax import Source, Syntax

_TABLES = ("dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies")
_LOCKED = re.compile(r'^name = "([\w-]+)"', re.MULTILINE)
# Under the first edition every path begins at the root of the crate.
EVERY_MODULE = "*"
_RENAMED = re.compile(r"\bextern\s+crate\s+\w+\s+as\s+(\w+)")


def crates(folder: str) -> frozenset[str] | None:
    """None where there is no manifest."""
    if "Cargo.toml" not in listed(folder):
        return None
    named = read(f"{folder}/Cargo.toml", _named)
    if named is None:
        return None
    more = (("Cargo.lock", _locked), ("src/lib.rs", _renamed), ("src/main.rs", _renamed))
    return named.union(*(read(f"{folder}/{file}", parse) or () for file, parse in more))


def _named(text: str) -> frozenset[str]:
    manifest = tomllib.loads(text)
    names = {name.replace("-", "_") for name in _names(manifest) if isinstance(name, str)}
    package = manifest.get("package")
    return frozenset(names | {EVERY_MODULE} if package is not None and "edition" not in package else names)


def _names(manifest: dict[str, Any]) -> Iterator[str]:
    for table in ("package", "project", "lib"):
        yield manifest.get(table, {}).get("name", "")
    for key in ("bin", "example"):
        yield from (each.get("name", "") for each in manifest.get(key, []))
    for place in (manifest, manifest.get("workspace", {}), *manifest.get("target", {}).values()):
        for table in _TABLES:
            for name, wanted in place.get(table, {}).items():
                yield name
                if isinstance(wanted, dict):
                    yield wanted.get("package", "")


def _locked(text: str) -> frozenset[str]:
    return frozenset(name.replace("-", "_") for name in _LOCKED.findall(text))


def _renamed(text: str) -> frozenset[str]:
    return frozenset(_RENAMED.findall(text))


_USED = re.compile(
    rb"^[ \t]*(?:pub(?:\([^)\n]{1,40}\))?[ \t]+)?(?:use|extern[ \t]+crate)[ \t]+(?:::)?([a-z]\w*)", re.MULTILINE
)
_GLOB = re.compile(rb"\buse\b[^;]{1,400}\*")
_OWN = frozenset("std core alloc proc_macro test crate self super r kani loom compiler_builtins libfuzzer_sys".split())
_COMPILERS = ("rustc_", "rustdoc")


def unknown(source: Source, syntax: Syntax, *, is_test: bool) -> Iterator[UnknownImport]:
    if source.root is None or not _USED.search(syntax.data):
        return
    known = known_in(folders(str(source.root), source.path), crates)
    if known is None:
        return
    sure_only = is_test or is_aside(source.path) or EVERY_MODULE in known or _GLOB.search(syntax.data) is not None
    for name, node in _unaccounted(syntax, known):
        found = _found(name, node, known)
        if (found.rule == MISTYPED or not sure_only) and not _is_elsewhere(str(source.root), name):
            yield found


def _unaccounted(syntax: Syntax, known: frozenset[str]) -> Iterator[tuple[str, Node]]:
    seen = set(known | _OWN)
    for match in _USED.finditer(syntax.data):
        name = match[1].decode()
        if name in seen or name.startswith(_COMPILERS):
            continue
        seen.add(name)
        node = _statement(syntax, match.start(1))
        if node is not None and not _is_in_scope(syntax.data, name):
            yield name, node


def _statement(syntax: Syntax, offset: int) -> Node | None:
    """The declaration around a name; None where it is none, or holds only under a condition."""
    node = statement_at(syntax, offset, "use_declaration", "extern_crate_declaration")
    above = node
    while above is not None:
        if above.type in {"macro_invocation", "macro_definition", "token_tree"} or _has_condition(syntax, above):
            return None
        above = above.parent
    return node


def _has_condition(syntax: Syntax, node: Node) -> bool:
    before = node.prev_named_sibling
    while before is not None and before.type in {"attribute_item", "line_comment", "block_comment"}:
        if before.type == "attribute_item" and b"cfg" in syntax.data[before.start_byte : before.end_byte]:
            return True
        before = before.prev_named_sibling
    return False


def _is_in_scope(data: bytes, name: str) -> bool:
    """Declared or brought into the file under that name, by whatever means."""
    word = re.escape(name.encode())
    brought = rb"\b(?:mod|as|enum|struct|trait|type|union|fn|macro_rules!)\s+%b\b|::\s*%b\b|[{,]\s*%b\s*[,:}]"
    return re.search(brought % (word, word, word), data) is not None


def _is_elsewhere(root: str, name: str) -> bool:
    index = index_of(root)
    return (
        not index.whole
        or name in index.modules
        or any(name in (crates(folder) or ()) or resembles(name, crates(folder) or ()) for folder in index.manifests)
    )


def _found(name: str, node: Node, known: frozenset[str]) -> UnknownImport:
    near = nearest(name, known)
    if near and is_slip(name, near):
        return mistyped(name, node, near, "crate", verb="Use")
    message = f"The crate `{name}` is unknown: it is in neither `Cargo.toml`, `Cargo.lock` nor this project."
    return unknown_package(name, node, near, message, ("crate", "`Cargo.toml`"))
