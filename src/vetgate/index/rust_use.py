"""What `use` brings in Rust, each name with the path it comes from; seen from the file, whichever module says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.facts import Import
from vetgate.index.reading import MODULE
from vetgate.index.visibility import CRATE, PRIVATE, SUPER
from vetgate.source.syntax import first_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See

_REACHES = {"": PRIVATE, "pub(self)": PRIVATE, "pub(crate)": CRATE, "crate": CRATE, "pub(super)": SUPER}
# Stands for a trait of others that a file brings along without a name.
NAMELESS = "as _"
_KNOWN = frozenset({"crate", "self", "super", "std", "core", "alloc"})
_NAMED = frozenset({"identifier", "self", "super", "crate", "metavariable"})


def _use(reading: Reading, node: Node) -> None:
    modules = [name for kind, name in reading.around(node) if kind == MODULE]
    visibility = written_visibility(reading, node)
    for path, local, line in _brought(reading, node.child_by_field_name("argument")):
        *before, name = path
        if name == "self" and before:
            *before, name = before
        if (local or name) == "_":
            reading.bound.update({NAMELESS} if path[0] not in _KNOWN else ())
            continue  # a trait that has no name here
        known = ".".join(seen_from_file(modules, before))
        here = ".".join((*modules, local or name))
        reading.imports.append(Import(line, known, name, here, visibility=visibility))


def written_visibility(reading: Reading, node: Node) -> str:
    """For whom an item is; nothing of what is for one module by name."""
    said = next((child for child in node.children if child.type == "visibility_modifier"), None)
    return _REACHES.get("".join(reading.text(said).split()), "")


def seen_from_file(modules: Sequence[str], path: Sequence[str]) -> list[str]:
    """A path of a module inside of the file, as the file itself would say it."""
    inner, rest = list(modules), list(path)
    if not rest or rest[0] not in {"self", "super"}:
        return ["self", *inner, *rest] if inner and (not rest or rest[0] != "crate") else rest
    while rest and rest[0] in {"self", "super"}:
        if rest[0] == "super":
            if not inner:
                break
            inner.pop()
        rest.pop(0)
    return [*(() if rest and rest[0] == "super" else ("self",)), *inner, *rest]


def _brought(reading: Reading, node: Node | None) -> Iterator[tuple[list[str], str, int]]:
    """Whole paths, with another name where there is one."""
    pending: list[tuple[Node | None, list[str]]] = [(node, [])]
    while pending:
        here, before = pending.pop()
        if here is None:
            continue
        if here.type == "use_as_clause":
            path = _path(reading, here.child_by_field_name("path"))
            yield [*before, *path], reading.text(here.child_by_field_name("alias")), first_line(here)
        elif here.type == "use_wildcard":
            inner = here.named_children[0] if here.named_children else None
            yield [*before, *_path(reading, inner), "*"], "", first_line(here)
        elif here.type == "scoped_use_list":
            further = [*before, *_path(reading, here.child_by_field_name("path"))]
            pending.append((here.child_by_field_name("list"), further))
        elif here.type == "use_list":
            pending.extend((child, before) for child in reversed(here.named_children))
        elif here.type == "scoped_identifier" or here.type in _NAMED:
            yield [*before, *_path(reading, here)], "", first_line(here)


def _path(reading: Reading, node: Node | None) -> list[str]:
    parts: list[str] = []
    while node is not None and node.type == "scoped_identifier":
        parts.append(reading.text(node.child_by_field_name("name")))
        node = node.child_by_field_name("path")
    return [*([reading.text(node)] if node is not None else []), *reversed(parts)]


READERS: Mapping[str, See] = {"use_declaration": _use}
