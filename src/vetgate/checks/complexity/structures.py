"""The control structures and boolean operators that languages share, as functions for their tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.marks import NodeMarks
from vetgate.checks.complexity.nodes import first_part, inside, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tree_sitter import Node

    See = Callable[[NodeMarks, Node], None]


def branch(what: str) -> See:
    return _marking(what, NodeMarks.branch)


def thought(what: str) -> See:
    return _marking(what, NodeMarks.thought)


def control(what: str) -> See:
    return _marking(what, NodeMarks.control)


def deeper(field: str) -> See:
    """A function that belongs to the one around it, one level deeper."""
    return _marking("", bodies=(field,))


def loop(what: str, body: str = "body") -> See:
    """So counts an `if`, too, where its `else` is a node of its own."""
    return _marking(what, NodeMarks.branch, NodeMarks.nested_thought, NodeMarks.control, bodies=(body,))


def switch(what: str, body: str = "body") -> See:
    """One thought however many cases; those are branches, each by its own kind."""
    return _marking(what, NodeMarks.nested_thought, NodeMarks.control, bodies=(body,))


def switch_without_body(what: str, cases: frozenset[str]) -> See:
    """The same where the cases are children of the switch itself."""

    def see(marks: NodeMarks, node: Node) -> None:
        marks.nested_thought(node, what)
        marks.control(node, what)
        first = next((child for child in node.named_children if child.type in cases), None)
        if first is not None:
            marks.deeper_between(first.start_byte, node.end_byte)

    return see


def caught(what: str, body: str = "body") -> See:
    return _marking(what, NodeMarks.branch, NodeMarks.nested_thought, bodies=(body,))


def ternary(consequence: str = "consequence") -> See:
    return _marking("?:", NodeMarks.branch, NodeMarks.nested_thought, bodies=(consequence, "alternative"))


def clause(what: str, body: str) -> See:
    """`elif` and the like, where it is a node of its own: no deeper than the `if` it continues."""
    return _marking(what, NodeMarks.branch, NodeMarks.thought, bodies=(body,))


def _marking(what: str, *kinds: Callable[[NodeMarks, Node, str], None], bodies: tuple[str, ...] = ()) -> See:
    def see(marks: NodeMarks, node: Node) -> None:
        for mark in kinds:
            mark(marks, node, what)
        for body in bodies:
            marks.deeper(node.child_by_field_name(body))

    return see


def called_by_name(marks: NodeMarks, node: Node) -> None:
    callee = node.child_by_field_name("function")
    if callee is not None and callee.type == "identifier":
        marks.call(node, text(callee))


def conditional(consequence: str = "consequence", *, else_is_deeper: bool = True) -> See:
    """An `if` whose `else` holds the next `if`, directly or in a clause."""

    def see(marks: NodeMarks, node: Node) -> None:
        continues = node.id in marks.seen
        marks.branch(node, "if")
        if continues:
            marks.thought(node, "else if")
        else:
            marks.nested_thought(node, "if")
            marks.control(node, "if")
        if else_is_deeper or not continues:
            marks.deeper(node.child_by_field_name(consequence))
        _see_else(marks, node, else_is_deeper=else_is_deeper)

    return see


def _see_else(marks: NodeMarks, node: Node, *, else_is_deeper: bool) -> None:
    alternative = _last_alternative(node)
    if alternative is None:
        return
    body = _body(alternative)
    if body.type == node.type:
        marks.seen.add(body.id)
        return
    marks.thought(alternative, "else")
    if else_is_deeper:
        marks.deeper(body)


def _last_alternative(node: Node) -> Node | None:
    """The `else`; `elseif` clauses before it speak for themselves."""
    last = next(reversed(node.children_by_field_name("alternative")), None)
    return None if last is None or last.type == "else_if_clause" else last


def _body(alternative: Node) -> Node:
    if alternative.type != "else_clause":
        return alternative
    return alternative.child_by_field_name("body") or first_part(alternative) or alternative


def jump(*labels: str) -> See:
    """A jump that names where to: its label is a child of one of these kinds."""

    def see(marks: NodeMarks, node: Node) -> None:
        if any(child.type in labels for child in node.named_children):
            marks.thought(node, "jump to a label")

    return see


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


def runs(operators: Operators) -> See:
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


def groups(operators: Operators) -> See:
    """A thought for each group of like operators as they bind: `a or b and c or d` has two. No branches."""

    def see(marks: NodeMarks, node: Node) -> None:
        if node.id in marks.seen:
            return
        for token, meaning, above in operators.in_order(node, marks):
            if meaning != above:
                marks.thought(token, token.type)

    return see
