"""What Go imports, and whether `go.mod` requires it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.imports.misspellings import is_slip_on_the_way
from vetgate.checks.imports.unknown_imports import (
    MISTYPED,
    UNKNOWN,
    UnknownImport,
    folders,
    index_of,
    known_in,
    statement_at,
)
from vetgate.source.disk_cache import listed, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from vetgate.source.syntax import Source, Syntax

_QUOTED = re.compile(rb'"([\w.~+/-]+)"')
_HEAD = re.compile(rb"^(?:func|type|var|const)\b", re.MULTILINE)
_MODULE = re.compile(r"^\s*(?:module|require|replace)?\s*\(?\s*\"?([\w.~+/-]+)\"?", re.MULTILINE)
_WORDS = frozenset(
    {"module", "require", "replace", "go", "toolchain", "exclude", "retract", "tool", "godebug", "ignore"}
)
_STANDARD = frozenset(
    """archive bufio builtin bytes cmp compress container context crypto database debug embed encoding errors expvar
    flag fmt go hash html image index io iter log maps math mime net os path plugin reflect regexp runtime slices sort
    strconv strings structs sync syscall testing text time unicode unique unsafe weak internal vendor C cmd""".split()
)


def unknown(source: Source, syntax: Syntax, *, is_test: bool) -> Iterator[UnknownImport]:
    if source.root is None or b"import" not in syntax.data:
        return
    known = known_in(folders(str(source.root), source.path), _required)
    if known is None:
        return
    for path, offset in _written(syntax.data):
        if _is_known(path, known):
            continue
        node = statement_at(syntax, offset, "import_spec")
        found = _found(path, node, known) if node is not None else None
        if found is None or _is_elsewhere(str(source.root), path):
            continue
        if found.rule == MISTYPED or not is_test:
            yield found


def _written(data: bytes) -> Iterator[tuple[str, int]]:
    """Imports stand before everything else, so no more is read."""
    head = _HEAD.search(data)
    end = head.start() if head else len(data)
    for match in _QUOTED.finditer(data, 0, end):
        yield match[1].decode(), match.start()


def _required(folder: str) -> frozenset[str] | None:
    return read(f"{folder}/go.mod", _modules) if "go.mod" in listed(folder) else None


def _modules(text: str) -> frozenset[str]:
    return frozenset(name for name in _MODULE.findall(text) if name not in _WORDS)


def _is_known(path: str, known: Iterable[str]) -> bool:
    first = path.partition("/")[0]
    return (
        first in _STANDARD or path.startswith(".") or any(path == each or path.startswith(f"{each}/") for each in known)
    )


def _is_elsewhere(root: str, path: str) -> bool:
    index = index_of(root)
    return not index.whole or any(_is_known(path, _required(folder) or ()) for folder in index.manifests)


def _found(path: str, node: Node, known: frozenset[str]) -> UnknownImport:
    meant = next((each for each in known if is_slip_on_the_way(path.split("/"), each.split("/"))), "")
    if meant:
        message = f"`go.mod` requires nothing for `{path}`; it does require `{meant}`."
        return UnknownImport(MISTYPED, path, node, message, f"Import `{meant}`, or what is below it.", 0.95)
    fix = "Make sure that the module exists and is the one you mean, then `go get` it."
    message = f"`{path}` is unknown: it is not part of Go, and `go.mod` does not require it."
    return UnknownImport(UNKNOWN, path, node, message, fix)
