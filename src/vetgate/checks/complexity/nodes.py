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
