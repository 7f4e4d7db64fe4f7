"""Functions and bindings of one file in the order of their bytes.

Which function is around a place is a matter of ranges: to ask a node for its parent is to climb down from the root.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_NOWHERE = -1


@dataclass(slots=True)
class Order:
    """Filled by the walk, in any order; the rest is worked out when somebody asks."""

    functions: list[Node] = field(default_factory=list)
    bindings: list[Node] = field(default_factory=list)  # and whatever else belongs to the function around: returns
    _starts: list[int] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)
    _outer: list[int] = field(default_factory=list)
    _grouped: dict[int, list[Node]] | None = None

    def function_around(self, node: Node) -> Node | None:
        at = self._index_around(node)
        return self.functions[at] if at != _NOWHERE else None

    def bindings_in(self, function: Node | None) -> list[Node]:
        """Those of a function itself, not of functions inside of it; without one, those of the file."""
        if self._grouped is None:
            self._group()
        return (self._grouped or {}).get(_NOWHERE if function is None else function.id, [])

    def _group(self) -> None:
        grouped: dict[int, list[Node]] = {}
        for node in sorted(self.bindings, key=_start):
            at = self._index_around(node)
            grouped.setdefault(_NOWHERE if at == _NOWHERE else self.functions[at].id, []).append(node)
        self._grouped = grouped

    def _index_around(self, node: Node) -> int:
        if len(self._starts) != len(self.functions):
            self._nest()
        start, end = node.start_byte, node.end_byte
        at = bisect_right(self._starts, start) - 1
        # Nothing inside a function is as long as the function itself.
        while at != _NOWHERE and (self._ends[at] < end or (self._starts[at] == start and self._ends[at] == end)):
            at = self._outer[at]
        return at

    def _nest(self) -> None:
        self.functions.sort(key=_outermost_first)
        self._starts = [function.start_byte for function in self.functions]
        self._ends = [function.end_byte for function in self.functions]
        self._outer = []
        open_: list[int] = []
        for index, end in enumerate(self._ends):
            while open_ and self._ends[open_[-1]] < end:
                open_.pop()
            self._outer.append(open_[-1] if open_ else _NOWHERE)
            open_.append(index)


def _start(node: Node) -> int:
    return node.start_byte


def _outermost_first(node: Node) -> tuple[int, int]:
    return node.start_byte, -node.end_byte
