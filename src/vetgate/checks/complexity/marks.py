"""What a language's table writes down while the walk goes by: marks at byte offsets.

The marks of a file are swept in the order of their places afterwards (sweep.py), so a mark may be set before the
walk gets there: an `if` marks its body as nested the moment it is entered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vetgate.checks.complexity.sweep import Sweep

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from vetgate.source.walk import Walk

    Mark = tuple[int, int, Callable[[Sweep, Any, str], None], Any, str]


@dataclass(frozen=True, slots=True, eq=False)
class FunctionNode:
    """A function as its language sees it.

    `last` is the node with which it ends, and the whole of it where nothing else is said; `begins` where it begins for
    a reader, `code` from where on code belongs to it. `plain` is its own name, by which it would call itself.
    """

    last: Node
    name: str
    begins: Node | None = None
    code: Node | None = None
    plain: str = ""
    parameters: int = 0
    arity: int | None = None  # calls with another number of arguments mean an overload
    adds_branches: bool = False  # its cyclomatic complexity adds to the function around it
    adds_thought: bool = False  # its cognitive complexity does
    wraps: bool = False  # it only wraps a function that it returns: a decorator
    only_if_any: bool = False  # not worth telling unless it has branches: an initialiser
    field: bool = False  # a field's initialiser: what is in it is named by the field already
    recursion_each: bool = False  # every call of itself counts, not only that there is one

    @property
    def head(self) -> Node:
        return self.begins or self.last

    @property
    def start(self) -> int:
        return (self.code or self.head).start_byte


class NodeMarks:
    """The state of one walk. Its methods are the vocabulary of the language tables."""

    __slots__ = ("_called", "_order", "marks", "path", "seen", "syntax")

    def __init__(self, walk: Walk) -> None:
        self.syntax = walk.syntax
        self.path = walk.path
        self.marks: list[Mark] = []
        self.seen: set[int] = set()  # nodes that an ancestor has dealt with
        self._order = 0
        self._called: set[str] = set()

    def branch(self, node: Node, what: str) -> None:
        """One more way through the function."""
        self._at(node, Sweep.branch, node, what)

    def thought(self, node: Node, what: str) -> None:
        """One more thing to keep in mind, however deep."""
        self._at(node, Sweep.flat_thought, node, what)

    def nested_thought(self, node: Node, what: str) -> None:
        """One more thing to keep in mind, and one for each level it is nested in."""
        self._at(node, Sweep.nested_thought, node, what)

    def control(self, node: Node, what: str) -> None:
        """A control structure, as the nesting measure counts them."""
        self._range(node.start_byte, node.end_byte, (Sweep.enter_control, Sweep.leave_control), (node, what))

    def deeper(self, node: Node | None) -> None:
        """What is in here is one level deeper for thoughts."""
        if node is not None:
            self.deeper_between(node.start_byte, node.end_byte)

    def deeper_between(self, start: int, end: int) -> None:
        self._range(start, end, (Sweep.enter_level, Sweep.leave_level), (None, ""))

    def function(self, function: FunctionNode) -> None:
        if function.plain:
            self._called.add(function.plain)
        self._range(
            function.start, function.last.end_byte, (Sweep.enter_function, Sweep.leave_function), (function, "")
        )

    def call(self, node: Node, name: str, arguments: int | None = None) -> None:
        """A call of `name`; recursion if that is the function around it."""
        if name in self._called:
            self._at(node, Sweep.call, (node, arguments), name)

    def _at(self, node: Node, op: Callable[[Sweep, Any, str], None], what: Any, label: str) -> None:
        self._order += 1
        self.marks.append((2 * node.start_byte + 1, self._order, op, what, label))

    def _range(
        self,
        start: int,
        end: int,
        ops: tuple[Callable[[Sweep, Any, str], None], Callable[[Sweep, Any, str], None]],
        what: tuple[Any, str],
    ) -> None:
        """An end comes before what starts at its place, and inner ends before outer ones."""
        if start >= end:
            return
        self._order += 1
        self.marks.append((2 * start + 1, self._order, ops[0], *what))
        self.marks.append((2 * end, -self._order, ops[1], *what))
