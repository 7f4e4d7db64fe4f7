"""A text that differs little from an earlier one is parsed along the earlier tree: what stayed is not read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.source.trial import is_suspicious

if TYPE_CHECKING:
    from tree_sitter import Parser, Tree


def reparsed(parser: Parser, old: bytes, tree: Tree, data: bytes) -> Tree | None:
    """The tree of `data`, or None where only a parse from scratch is sure to give the same tree as one would."""
    if tree.root_node.has_error:
        return None
    start = _common(old, data)
    tail = _common_tail(old, data, min(len(old), len(data)) - start)
    old_end, new_end = len(old) - tail, len(data) - tail
    if is_suspicious(data[start:new_end]):
        return None
    edited = tree.copy()
    edited.edit(start, old_end, new_end, _point(old, start), _point(old, old_end), _point(data, new_end))
    result = parser.parse(data, edited)
    # How a parser gets over an error depends on where it came from.
    return None if result.root_node.has_error else result


def _common(one: bytes, other: bytes) -> int:
    """How many bytes the two begin with in common."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_tail(one: bytes, other: bytes, most: int) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _point(data: bytes, offset: int) -> tuple[int, int]:
    return data.count(b"\n", 0, offset), offset - (data.rfind(b"\n", 0, offset) + 1)
