"""Where a function's values come from, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vetgate.model import Step
from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

_LONGEST = 200  # additions that are told apart; a function that needs more is beyond reading line by line


@dataclass(frozen=True, slots=True)
class Addition:
    """One place that adds `amount` to a measure because of `what`, `nesting` levels deep."""

    line: int
    end_line: int
    what: str
    amount: int = 1
    nesting: int = 0

    def step(self) -> Step:
        depth = f" (nesting {self.nesting})" if self.nesting else ""
        return Step(self.line, f"+{self.amount} {self.what}{depth}")


class Folded(NamedTuple):
    """A nested function whose value adds to the one around it, `deeper` levels down."""

    trail: FunctionTrail
    head: Node
    deeper: int


FLAT = -1  # the level of a thought that does not grow with nesting


class FunctionTrail:
    """Collected for every function, read for the few that somebody asks about."""

    __slots__ = ("branches", "chain", "recursion", "thoughts")

    def __init__(self) -> None:
        self.branches: list[tuple[Node, str] | Folded] = []
        self.thoughts: list[tuple[Node, str, int] | Folded] = []
        self.chain: tuple[tuple[Node, str], ...] = ()
        self.recursion: list[tuple[Node, str, int]] = []

    def cyclomatic(self) -> tuple[Addition, ...]:
        return tuple(_in_order(_branches(self)))

    def cognitive(self) -> tuple[Addition, ...]:
        return tuple(_in_order(_thoughts(self)))

    def nesting(self) -> tuple[Addition, ...]:
        return tuple(_addition(node, what) for node, what in self.chain)

    def steps(self) -> Mapping[str, tuple[Step, ...]]:
        return {
            "cyclomatic": tuple(addition.step() for addition in self.cyclomatic()),
            "cognitive": tuple(addition.step() for addition in self.cognitive()),
            "nesting": tuple(
                Step(addition.line, f"level {level}: {addition.what}")
                for level, addition in enumerate(self.nesting(), 1)
            ),
        }


def _addition(node: Node, what: str, amount: int = 1, nesting: int = 0) -> Addition:
    return Addition(first_line(node), last_line(node), what, amount, nesting)


def _in_order(additions: Iterator[Addition]) -> list[Addition]:
    some = [addition for addition, _ in zip(additions, range(_LONGEST), strict=False)]
    return sorted(some, key=lambda addition: addition.line)


def _branches(trail: FunctionTrail) -> Iterator[Addition]:
    pending = [trail]
    while pending:
        for item in pending.pop().branches:
            if isinstance(item, Folded):
                yield _addition(item.head, "nested function")
                pending.append(item.trail)
            else:
                yield _addition(*item)


def _thoughts(trail: FunctionTrail) -> Iterator[Addition]:
    yield from (_addition(node, what) for node, what, _ in trail.recursion)
    pending = [(trail, 0)]
    while pending:
        current, deeper = pending.pop()
        for item in current.thoughts:
            if isinstance(item, Folded):
                pending.append((item.trail, deeper + item.deeper))
                continue
            node, what, level = item
            nesting = 0 if level == FLAT else level + deeper
            yield _addition(node, what, 1 + nesting, nesting)
