"""What a language's table writes down while the walk goes by, marks at byte offsets, and the measures they add up to.

The marks of a file are swept in the order of their places afterwards, so a mark may be set before the walk gets there:
an `if` marks its body as nested the moment it is entered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vetgate.checks.complexity.definitions import FLAT, Folded, FunctionTrail, Measures
from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tree_sitter import Node

    from vetgate.source.syntax import Syntax
    from vetgate.source.walk import Walk

    Mark = tuple[int, int, Callable[["Sweep", Any, str], None], Any, str]


_LONGEST_CHAIN = 30
_LONGEST_NAME = 200
_FOLDED_LOOKED_AT = 3


class _Frame:
    """A function that is being swept."""

    __slots__ = (
        "cognitive",
        "controls",
        "cyclomatic",
        "deepest",
        "function",
        "level",
        "name",
        "prefix",
        "scaled",
        "trail",
    )

    def __init__(self, function: FunctionNode | None, name: str, prefix: str) -> None:
        self.function = function
        self.name = name
        self.prefix = prefix  # of what is in it
        self.cyclomatic = 1
        self.cognitive = 0
        self.scaled = 0  # how many of the thoughts grow with nesting
        self.level = 0
        self.controls: list[tuple[Node, str]] = []
        self.deepest = 0
        self.trail = FunctionTrail()


class Sweep:
    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax
        self._outside = _Frame(None, "", "")
        self._frame = self._outside
        self._frames: list[_Frame] = []
        self.functions: list[Measures] = []

    def run(self, marks: Iterable[Mark]) -> list[Measures]:
        for _, _, op, what, label in sorted(marks):
            op(self, what, label)
        self.functions.sort(key=lambda function: function.extent)
        return self.functions

    def branch(self, node: Node, what: str) -> None:
        frame = self._frame
        frame.cyclomatic += 1
        frame.trail.branches.append((node, what))

    def flat_thought(self, node: Node, what: str) -> None:
        frame = self._frame
        frame.cognitive += 1
        frame.trail.thoughts.append((node, what, FLAT))

    def nested_thought(self, node: Node, what: str) -> None:
        frame = self._frame
        frame.cognitive += 1 + frame.level
        frame.scaled += 1
        frame.trail.thoughts.append((node, what, frame.level))

    def enter_level(self, _what: None, _label: str) -> None:
        self._frame.level += 1

    def leave_level(self, _what: None, _label: str) -> None:
        self._frame.level -= 1

    def enter_control(self, node: Node, what: str) -> None:
        frame = self._frame
        frame.controls.append((node, what))
        if len(frame.controls) > frame.deepest:
            frame.deepest = len(frame.controls)
            if frame.deepest <= _LONGEST_CHAIN:
                frame.trail.chain = tuple(frame.controls)

    def leave_control(self, _node: Node, _what: str) -> None:
        self._frame.controls.pop()

    def call(self, what: tuple[Node, int | None], name: str) -> None:
        frame = self._recursive(name, what[1])
        if frame is None:
            return
        assert frame.function is not None  # noqa: S101
        if frame.function.recursion_each or not frame.trail.recursion:
            frame.cognitive += 1
            frame.trail.recursion.append((what[0], "recursion", FLAT))

    def _recursive(self, name: str, arguments: int | None) -> _Frame | None:
        """The function that calls itself here, if it is one of those that count as part of each other."""
        for frame in (self._frame, *reversed(self._frames[-_FOLDED_LOOKED_AT:])):
            function = frame.function
            if function is None:
                return None
            if function.plain == name:
                return frame if arguments is None or function.arity in {None, arguments} else None
            if not function.adds_thought:
                return None
        return None

    def enter_function(self, function: FunctionNode, _label: str) -> None:
        around = self._frame
        prefix = around.prefix
        if len(prefix) > _LONGEST_NAME:
            prefix = f"…{prefix[-_LONGEST_NAME:]}"
        self._frames.append(around)
        name = f"{prefix}.{function.name}" if prefix else function.name
        self._frame = _Frame(function, name, around.prefix if function.field else name)

    def leave_function(self, function: FunctionNode, _label: str) -> None:
        frame, around = self._frame, self._frames.pop()
        self._frame = around
        self._fold(frame, around, function)
        if function.only_if_any and frame.cyclomatic == 1 and not frame.cognitive:
            return
        head = function.head
        self.functions.append(
            Measures(
                name=frame.name,
                line=first_line(head),
                end_line=last_line(function.last),
                column=self._syntax.column(head),
                cyclomatic=frame.cyclomatic,
                cognitive=frame.cognitive,
                nesting=frame.deepest,
                parameters=function.parameters,
                extent=(function.start, function.last.end_byte),
                trail=frame.trail,
                syntax=self._syntax,
            )
        )

    def _fold(self, frame: _Frame, around: _Frame, function: FunctionNode) -> None:
        if around.function is None:
            return
        if function.adds_branches:
            around.cyclomatic += frame.cyclomatic
            around.trail.branches.append(Folded(frame.trail, function.head, 0))
        if function.adds_thought:
            deeper = around.level if around.function.wraps else around.level + 1
            # That an inner function calls itself is its own matter.
            around.cognitive += frame.cognitive - len(frame.trail.recursion) + deeper * frame.scaled
            around.scaled += frame.scaled
            around.trail.thoughts.append(Folded(frame.trail, function.head, deeper))


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
