"""Marks in, measures out: one pass over a file's marks in the order of their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.definitions import Measures
from vetgate.checks.complexity.trail import FLAT, Folded, FunctionTrail
from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from vetgate.checks.complexity.marks import FunctionNode, Mark
    from vetgate.source.syntax import Syntax

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
