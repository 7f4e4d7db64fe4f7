"""A text that differs little from an earlier one is parsed along the earlier tree: what stayed is not read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.source.ends import common_head, common_tail
from vetgate.source.trial import is_suspicious

if TYPE_CHECKING:
    from tree_sitter import Parser, Tree


def reparsed(parser: Parser, old: bytes, tree: Tree, data: bytes) -> Tree | None:
    """The tree of `data`, or None where only a parse from scratch is sure to give the same tree as one would."""
    if tree.root_node.has_error:
        return None
    start = common_head(old, data)
    tail = common_tail(old, data, min(len(old), len(data)) - start)
    old_end, new_end = len(old) - tail, len(data) - tail
    if is_suspicious(data[start:new_end]):
        return None
    edited = tree.copy()
    edited.edit(start, old_end, new_end, _point(old, start), _point(old, old_end), _point(data, new_end))
    result = parser.parse(data, edited)
    # How a parser gets over an error depends on where it came from.
    return None if result.root_node.has_error else result


def _point(data: bytes, offset: int) -> tuple[int, int]:
    return data.count(b"\n", 0, offset), offset - (data.rfind(b"\n", 0, offset) + 1)
