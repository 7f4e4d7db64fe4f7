"""What Python imports, and whether anybody knows it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.imports.misspellings import POPULAR_IN_PYTHON, is_slip, nearest, popular_meant
from vetgate.checks.imports.python_names import HOMES, PythonNames, declared, inline, normal
from vetgate.checks.imports.unknown_imports import (
    MISTYPED,
    UNKNOWN,
    UnknownImport,
    folders,
    is_aside,
    known_in,
    mistyped,
    places_of,
    unknown_package,
)
from vetgate.source.syntax import enclosing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.source.syntax import Source, Syntax

_IMPORT = re.compile(rb"[ \t]*(?:from[ \t]+(\w+)[\w.]*[ \t]+import\b|import[ \t]+(\w[^\n#;]*))")
_STATEMENTS = frozenset({"import_statement", "import_from_statement"})
# An import below one of these is made only where it works, or not missed where it does not.
_GUARDS = frozenset({"try_statement", "if_statement", "with_statement", "match_statement", "else_clause"})
_OWN_PATH = (b"sys.path", b"sys.modules", b"sys.meta_path", b"addsitedir", b"importorskip")
_LOOSE = (".pyi", ".ipynb")


def unknown(source: Source, syntax: Syntax, *, is_test: bool) -> Iterator[UnknownImport]:
    names = _names(source, syntax)
    if names is None:
        yield from _mistyped(source, syntax)
        return
    sure_only = is_test or is_aside(source.path) or any(word in syntax.data for word in _OWN_PATH)
    for module, node in _unaccounted(syntax, names):
        found = _found(names, module, node)
        if found is not None and (found.rule == MISTYPED or not (sure_only or _is_late(node))):
            yield found


def _mistyped(source: Source, syntax: Syntax) -> Iterator[UnknownImport]:
    """Where no manifest says what there is, only slips of names that everybody knows."""
    if source.root is None or source.path.endswith(_LOOSE):
        return
    names = PythonNames(tuple(folders(str(source.root), source.path)), str(source.root), frozenset())
    for module, node in _unaccounted(syntax, names):
        near = popular_meant(module, POPULAR_IN_PYTHON, HOMES)
        if near and not names.is_elsewhere(module):
            yield mistyped(module, node, near, "module")


def _unaccounted(syntax: Syntax, names: PythonNames) -> Iterator[tuple[str, Node]]:
    """Each module once that nobody near the file knows and that is imported in earnest."""
    seen: set[str] = set()
    for module, offset in _written(syntax.data):
        if module in seen:
            continue
        if names.knows(module) and not names.misnamed(module):
            seen.add(module)
            continue
        node = _statement(syntax, offset)
        if node is not None and not _is_guarded(node):
            seen.add(module)
            yield module, node


def _names(source: Source, syntax: Syntax) -> PythonNames | None:
    """None where nobody says what the file may import."""
    if source.path.endswith(_LOOSE):
        return None
    own = inline(syntax.data)
    if own is not None:
        root = str(source.root) if source.root else ""
        return PythonNames(tuple(folders(root, source.path)[:1]) if root else (), "", own)
    if source.root is None:
        return None
    above = folders(str(source.root), source.path)
    named = known_in(above, declared)
    return PythonNames(tuple(above), str(source.root), named) if named is not None else None


def _written(data: bytes) -> Iterator[tuple[str, int]]:
    """The first part of every module's name, and where its statement begins."""
    for place in places_of(b"import", data):
        match = _IMPORT.match(data, data.rfind(b"\n", 0, place) + 1)
        if match is None or match.end() < place:
            continue
        offset = match.start() + len(match[0]) - len(match[0].lstrip())
        if match[1]:
            yield match[1].decode(), offset
        else:
            for each in match[2].split(b","):
                words = each.split()
                if words:
                    yield words[0].partition(b".")[0].decode("utf-8", "replace"), offset


def _statement(syntax: Syntax, offset: int) -> Node | None:
    token = syntax.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    parent = token.parent if token is not None else None
    return parent if parent is not None and parent.type in _STATEMENTS and not parent.has_error else None


def _is_guarded(node: Node) -> bool:
    return enclosing(node.parent, _GUARDS) is not None


def _is_late(node: Node) -> bool:
    """Made when a function runs, not when the module is loaded: that is how people import what may be missing."""
    return enclosing(node.parent, {"function_definition"}) is not None


def _found(names: PythonNames, module: str, node: Node) -> UnknownImport | None:
    wrong = names.misnamed(module)
    if wrong:
        message = f"`{module}` is what the package is called; the module in it is `{wrong}`."
        return UnknownImport(MISTYPED, module, node, message, f"Import `{wrong}`.", 0.95)
    if names.is_elsewhere(module):
        return None
    near = nearest(module, names.all())
    if not (near and is_slip(module, near)):
        near = popular_meant(module, POPULAR_IN_PYTHON, HOMES) or near
    if near and module not in HOMES and is_slip(module, near):
        return mistyped(module, node, near, "module")
    homes = HOMES.get(module)
    if homes:
        elsewhere = f"`{module}` comes with another package, which no manifest names:"
        told = "No manifest of this project names" if normal(module) == homes[0] else elsewhere
        fix = f"Add `{homes[0]}` to the project's dependencies."
        return UnknownImport(UNKNOWN, module, node, f"{told} `{homes[0]}`.", fix)
    message = (
        f"`{module}` is unknown: it is not in the standard library, not in this project, not declared, not installed."
    )
    return unknown_package(module, node, near, message, ("package", "the project's dependencies"))
