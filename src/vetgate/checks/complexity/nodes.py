"""Small questions about syntax nodes, and what a function is called by those around it.

Comments are named children anywhere, so nothing asks for children directly.
"""

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


COMMENTS = frozenset({"comment", "line_comment", "block_comment", "html_comment"})


def parts(node: Node | None) -> list[Node]:
    """The named children that are no comments."""
    return [] if node is None else [child for child in node.named_children if child.type not in COMMENTS]


def first_part(node: Node | None) -> Node | None:
    return next(iter(parts(node)), None)


def text(node: Node | None) -> str:
    return "" if node is None else (node.text or b"").decode("utf-8", "replace")


def inside(node: Node, parentheses: str) -> Node:
    """What stands in parentheses, however many."""
    while node.type == parentheses:
        inner = first_part(node)
        if inner is None:
            return node
        node = inner
    return node


def head_of(node: Node, decorations: frozenset[str]) -> Node:
    """Where a declaration begins for a reader: after its annotations, which may stand among the modifiers."""
    for child in node.children:
        if child.type in decorations or child.type in COMMENTS:
            continue
        if child.type != "modifiers":
            return child
        plain = next((each for each in child.children if each.type not in decorations | COMMENTS), None)
        if plain is not None:
            return plain
    return node
