"""The control structures that languages share, as functions for their tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.nodes import first_part

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from vetgate.checks.complexity.marks import NodeMarks

    See = Callable[[NodeMarks, Node], None]


def branch(what: str) -> See:
    return lambda marks, node: marks.branch(node, what)


def thought(what: str) -> See:
    return lambda marks, node: marks.thought(node, what)


def control(what: str) -> See:
    return lambda marks, node: marks.control(node, what)


def deeper(field: str) -> See:
    """A function that belongs to the one around it, one level deeper."""
    return lambda marks, node: marks.deeper(node.child_by_field_name(field))


def loop(what: str, body: str = "body") -> See:
    """So counts an `if`, too, where its `else` is a node of its own."""

    def see(marks: NodeMarks, node: Node) -> None:
        marks.branch(node, what)
        marks.nested_thought(node, what)
        marks.control(node, what)
        marks.deeper(node.child_by_field_name(body))

    return see


def switch(what: str, body: str = "body") -> See:
    """One thought however many cases; those are branches, each by its own kind."""

    def see(marks: NodeMarks, node: Node) -> None:
        marks.nested_thought(node, what)
        marks.control(node, what)
        marks.deeper(node.child_by_field_name(body))

    return see


def caught(what: str, body: str = "body") -> See:
    def see(marks: NodeMarks, node: Node) -> None:
        marks.branch(node, what)
        marks.nested_thought(node, what)
        marks.deeper(node.child_by_field_name(body))

    return see


def ternary(consequence: str = "consequence") -> See:
    def see(marks: NodeMarks, node: Node) -> None:
        marks.branch(node, "?:")
        marks.nested_thought(node, "?:")
        marks.deeper(node.child_by_field_name(consequence))
        marks.deeper(node.child_by_field_name("alternative"))

    return see


def clause(what: str, body: str) -> See:
    """`elif` and the like, where it is a node of its own: no deeper than the `if` it continues."""

    def see(marks: NodeMarks, node: Node) -> None:
        marks.branch(node, what)
        marks.thought(node, what)
        marks.deeper(node.child_by_field_name(body))

    return see


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
