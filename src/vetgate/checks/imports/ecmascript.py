"""What JavaScript and TypeScript import, and whether anybody knows it."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from vetgate.checks.imports.misspellings import is_slip, nearest
from vetgate.checks.imports.node_manifests import packages
from vetgate.checks.imports.node_names import NodeNames, package_in
from vetgate.checks.imports.unknown_imports import (
    MISTYPED,
    UNKNOWN,
    WRONG_FILE,
    UnknownImport,
    folders,
    is_aside,
    places_of,
)
from vetgate.source.disk_cache import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.source.syntax import Source, Syntax

_IMPORT = re.compile(rb"""\s*(?:\(\s*)?(?:"([^"\\\n]+)"|'([^'\\\n]+)')""")
_WORDS = (b"from", b"import", b"require")
# Not a package's name: addresses, schemes, absolute paths, aliases by their sign, loaders in the name.
_ELSEWHERE = re.compile(r"[:!\0\\ ]|^[/~#$%]|^@/|^$")
_SPEAKS = frozenset({"import_statement", "export_statement", "import_require_clause"})
_GUARDS = frozenset(
    {"try_statement", "if_statement", "ternary_expression", "switch_statement", "catch_clause", "ambient_declaration"}
)
_CALLED = frozenset({b"require", b"import"})
_ENDINGS = re.compile(r"(?:\.d)?\.(?:[cm]?[jt]sx?|json|vue|svelte|astro)$")


def unknown(source: Source, syntax: Syntax, *, is_test: bool) -> Iterator[UnknownImport]:
    if source.root is None:
        return
    above = folders(str(source.root), source.path)
    named = [told for folder in above if (told := packages(folder)) is not None]
    if not named:
        return
    names = NodeNames(tuple(above), str(source.root), frozenset().union(*named))
    sure_only = is_test or is_aside(source.path)
    for specifier, node in _unaccounted(syntax, names):
        package = package_in(specifier)
        found = _found(names, package, node) if package else _wrong_file(above[0], specifier, node)
        if found is not None and not (sure_only and found.rule == UNKNOWN):
            yield found


def _unaccounted(syntax: Syntax, names: NodeNames) -> Iterator[tuple[str, Node]]:
    """Each package that nobody near the file knows, and each file, once, where it is imported in earnest."""
    seen: set[str] = set()
    for specifier, offset in _written(syntax.data):
        package = package_in(specifier)
        key = package or specifier
        if key in seen or (names.knows(specifier, package) if package else _is_file(names.folders[0], specifier)):
            continue
        node = _statement(syntax, offset)
        if node is not None:
            seen.add(key)
            yield specifier, node


def _written(data: bytes) -> Iterator[tuple[str, int]]:
    for match in _matches(data):
        group = 1 if match[1] is not None else 2
        specifier = match[group].decode("utf-8", "replace")
        if not _ELSEWHERE.search(specifier):
            yield specifier, match.start(group)


def _matches(data: bytes) -> Iterator[re.Match[bytes]]:
    for word in _WORDS:
        for place in places_of(word, data):
            match = _IMPORT.match(data, place + len(word))
            if match is not None:
                yield match


def _statement(syntax: Syntax, offset: int) -> Node | None:
    """The import around a name; None where it is none, or one that is made only where it works."""
    node = syntax.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    while node is not None and node.type in {"string_fragment", "string"}:
        node = node.parent
    if node is not None and node.type == "arguments":
        node = node.parent
        called = node.child_by_field_name("function") if node is not None else None
        if called is None or syntax.data[called.start_byte : called.end_byte] not in _CALLED:
            return None
    elif node is None or node.type not in _SPEAKS:
        return None
    return node if node is not None and not _is_guarded(syntax, node) else None


def _is_guarded(syntax: Syntax, node: Node) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.type in _GUARDS or _is_caught(syntax, parent):
            return True
        parent = parent.parent
    return False


def _is_caught(syntax: Syntax, node: Node) -> bool:
    if node.type != "member_expression":
        return False
    name = node.child_by_field_name("property")
    return name is not None and syntax.data[name.start_byte : name.end_byte] == b"catch"


def _found(names: NodeNames, package: str, node: Node) -> UnknownImport | None:
    if names.is_elsewhere(package):
        return None
    near = nearest(package, names.all())
    if near and is_slip(package, near):
        message = f"Nobody here knows a package `{package}`; there is one called `{near}`."
        return UnknownImport(MISTYPED, package, node, message, f"Import `{near}`.", 0.95)
    message = f"Neither Node.js, this project, its manifests nor its environment know `{package}`."
    meant = f"Did you mean `{near}`? If not, make" if near else "Make"
    return UnknownImport(
        UNKNOWN, package, node, message, f"{meant} sure that the package exists, and add it to `package.json`."
    )


def _is_file(folder: str, specifier: str) -> bool:
    place, name = _place(folder, specifier)
    there = listed(place) if specifier.startswith(".") else frozenset()
    stem = _ENDINGS.sub("", name)
    return not there or name in there or not _stems(there).isdisjoint((name, stem, stem.partition(".")[0]))


def _wrong_file(folder: str, specifier: str, node: Node) -> UnknownImport | None:
    """Only where there is a file that was meant: a file that is not there may be written next."""
    place, name = _place(folder, specifier)
    stem = _ENDINGS.sub("", name)
    near = nearest(stem, _stems(listed(place)))
    if not near or not is_slip(stem, near):
        return None
    message = f"There is no file `{name}` in that folder; there is one called `{near}`."
    return UnknownImport(WRONG_FILE, specifier, node, message, f"Import `{specifier.removesuffix(name)}{near}`.", 0.9)


def _place(folder: str, specifier: str) -> tuple[str, str]:
    place, _, name = posixpath.normpath(f"{folder}/{specifier.partition('?')[0]}").rpartition("/")
    return place, name


@lru_cache(maxsize=1024)
def _stems(names: frozenset[str]) -> frozenset[str]:
    return frozenset(_ENDINGS.sub("", name) for name in names)
