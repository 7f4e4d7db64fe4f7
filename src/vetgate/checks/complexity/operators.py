"""Runs of boolean operators: `a && b && c` is one thought, `a && b || c` two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.nodes import inside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tree_sitter import Node

    from vetgate.checks.complexity.marks import Marks


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

    def in_order(self, root: Node, marks: Marks) -> Iterator[tuple[Node, str]]:
        """The operators of a whole expression from left to right; its parts need no second look."""
        pending: list[Node | tuple[Node, str]] = [root]
        while pending:
            item = pending.pop()
            if isinstance(item, tuple):
                yield item
                continue
            found = self.of(item)
            if found is None:
                continue
            marks.seen.add(item.id)
            right, left = item.child_by_field_name("right"), item.child_by_field_name("left")
            pending += [self._bare(node) for node in (right,) if node is not None]
            pending.append(found)
            pending += [self._bare(node) for node in (left,) if node is not None]

    def _bare(self, node: Node) -> Node:
        return inside(node, self._parentheses) if self._parentheses else node


def runs(operators: Operators, branches: bool = True) -> Callable[[Marks, Node], None]:  # noqa: FBT001, FBT002
    """A thought for each run of like operators, and a branch for each operator."""

    def see(marks: Marks, node: Node) -> None:
        if node.id in marks.seen:
            marks.seen.discard(node.id)
            return
        last = ""
        for token, meaning in operators.in_order(node, marks):
            if branches:
                marks.branch(token, token.type)
            if meaning != last:
                marks.thought(token, token.type)
            last = meaning

    return see
