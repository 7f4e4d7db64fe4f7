"""Small questions about syntax nodes. Comments are named children anywhere, so nothing asks for children directly."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

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
