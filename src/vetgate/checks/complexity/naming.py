"""What a function is called, from the nodes around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from vetgate.checks.complexity.marks import NodeMarks

    Namer = Callable[[NodeMarks, Node, bool], str]

_NEAR = 24  # ancestors that are asked; a name from farther away says nothing
_LONG = 60
ANONYMOUS = "<anonymous>"


def field_text(node: Node, field: str) -> str:
    child = node.child_by_field_name(field)
    return shortened(child) if child is not None else ""


def shortened(node: Node) -> str:
    text = (node.text or b"").decode("utf-8", "replace").strip("\"'`")
    text = " ".join(text.split())
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"


def by_field(field: str) -> Namer:
    def name(_marks: NodeMarks, node: Node, _named: bool) -> str:  # noqa: FBT001
        return field_text(node, field)

    return name


def qualified(marks: NodeMarks, own: str, namers: Mapping[str, Namer], functions: frozenset[str]) -> str:
    """The function's name after those of the classes and objects that hold it, up to the function around it.

    A namer is asked with the ancestor and whether a name for the function itself has been found yet.
    """
    parts = [own] if own else []
    for ancestor in reversed(marks.path[-_NEAR:]):
        kind = ancestor.type
        if kind in functions:
            break
        namer = namers.get(kind)
        part = namer(marks, ancestor, bool(parts)) if namer else ""
        if part:
            parts.append(part)
    return ".".join(reversed(parts)) or ANONYMOUS
