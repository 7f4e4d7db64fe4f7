"""Runs of boolean operators: `a && b && c` is one thought, `a && b || c` two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.nodes import inside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tree_sitter import Node

    from vetgate.checks.complexity.marks import NodeMarks


class Operators:
    """How a language writes boolean expressions.

    `names` maps its operators to what they do: `&&` and `and` are one and the same. A run goes on through
    `parentheses`, if given.
    """

    def __init__(self, kind: str, names: Mapping[str, str], parentheses: str = "") -> None:
        self._kind = kind
        self._names = names
        self._parentheses = parentheses

    def of(self, node: Node) -> tuple[Node, str] | None:
        """The operator's token and meaning, if the expression is a boolean one."""
        if node.type != self._kind:
            return None
        token = node.child_by_field_name("operator")
        meaning = None if token is None else self._names.get(token.type)
        return None if token is None or meaning is None else (token, meaning)

    def in_order(self, root: Node, marks: NodeMarks) -> Iterator[tuple[Node, str, str]]:
        """The operators of a whole expression from left to right, each with its meaning and that of the one above.

        The expression's parts need no second look.
        """
        pending: list[tuple[Node, str] | tuple[Node, str, str]] = [(root, "")]
        while pending:
            item = pending.pop()
            if len(item) == 3:
                yield item
                continue
            node, above = item
            found = self.of(node)
            if found is None:
                continue
            marks.seen.add(node.id)
            token, meaning = found
            pending += self._operand(node, "right", meaning)
            pending.append((token, meaning, above))
            pending += self._operand(node, "left", meaning)

    def operands(self, root: Node) -> Iterator[Node]:
        """What the operators of a whole expression stand between."""
        pending = [root]
        while pending:
            node = pending.pop()
            if self.of(node) is None:
                yield node
            else:
                pending += [each for side in ("right", "left") for each, _ in self._operand(node, side, "")]

    def _operand(self, node: Node, side: str, meaning: str) -> list[tuple[Node, str]]:
        operand = node.child_by_field_name(side)
        if operand is None:
            return []
        return [(inside(operand, self._parentheses) if self._parentheses else operand, meaning)]


def runs(operators: Operators) -> Callable[[NodeMarks, Node], None]:
    """A branch for each operator, and a thought for each run of like ones as they are read from left to right."""

    def see(marks: NodeMarks, node: Node) -> None:
        if node.id in marks.seen:
            return
        last = ""
        for token, meaning, _ in operators.in_order(node, marks):
            marks.branch(token, token.type)
            if meaning != last:
                marks.thought(token, token.type)
            last = meaning

    return see


def groups(operators: Operators) -> Callable[[NodeMarks, Node], None]:
    """A thought for each group of like operators as they bind: `a or b and c or d` has two. No branches."""

    def see(marks: NodeMarks, node: Node) -> None:
        if node.id in marks.seen:
            return
        for token, meaning, above in operators.in_order(node, marks):
            if meaning != above:
                marks.thought(token, token.type)

    return see
