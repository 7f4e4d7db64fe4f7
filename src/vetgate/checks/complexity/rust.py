"""Rust: McCabe's cyclomatic complexity with boolean operators, cognitive as the white paper counts it.

What stands in a macro call is no syntax tree and is not seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.marks import FunctionNode
from vetgate.checks.complexity.nodes import by_field, field_text, parts, qualified, text
from vetgate.checks.complexity.structures import Operators, conditional, deeper, jump, loop, runs, switch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from vetgate.checks.complexity.marks import NodeMarks

_FUNCTIONS = frozenset({"function_item"})
_NAMERS = {"impl_item": by_field("type"), "trait_item": by_field("name"), "mod_item": by_field("name")}
_LOGICAL = Operators("binary_expression", {"&&": "and", "||": "or"}, "parenthesized_expression")


def _is_parameter(node: Node) -> bool:
    if node.type == "parameter":
        pattern = node.child_by_field_name("pattern")
        return pattern is None or pattern.type != "self"
    return node.type == "variadic_parameter"


def _function(marks: NodeMarks, node: Node) -> None:
    own = field_text(node, "name")
    marks.function(
        FunctionNode(
            node,
            qualified(marks, own, _NAMERS, _FUNCTIONS),
            plain=own,
            parameters=sum(map(_is_parameter, parts(node.child_by_field_name("parameters")))),
            adds_thought=True,
        )
    )


def _arm(marks: NodeMarks, node: Node) -> None:
    """An arm is a branch, its guard another; `_` alone is what remains."""
    pattern = node.child_by_field_name("pattern")
    guard = None if pattern is None else pattern.child_by_field_name("condition")
    if guard is not None:
        marks.branch(guard, "guard")
    if guard is not None or text(pattern).strip() != "_":
        marks.branch(node, "match arm")


def _let_else(marks: NodeMarks, node: Node) -> None:
    alternative = node.child_by_field_name("alternative")
    if alternative is not None:
        marks.branch(node, "let else")
        marks.nested_thought(node, "let else")
        marks.deeper(alternative)


def _let_chain(marks: NodeMarks, node: Node) -> None:
    tokens = [child for child in node.children if child.type == "&&"]
    for token in tokens:
        marks.branch(token, "&&")
    if tokens:
        marks.thought(tokens[0], "&&")


def _call(marks: NodeMarks, node: Node) -> None:
    """`f()`, `self.f()` and `Self::f()`."""
    callee = node.child_by_field_name("function")
    if callee is None:
        return
    if callee.type == "identifier":
        marks.call(node, text(callee))
    elif callee.type == "field_expression" and text(callee.child_by_field_name("value")) == "self":
        marks.call(node, text(callee.child_by_field_name("field")))
    elif callee.type == "scoped_identifier" and text(callee.child_by_field_name("path")) == "Self":
        marks.call(node, text(callee.child_by_field_name("name")))


TABLE: Mapping[str, Callable[[NodeMarks, Node], None]] = {
    "function_item": _function,
    "closure_expression": deeper("body"),
    "if_expression": conditional(),
    "for_expression": loop("for"),
    "while_expression": loop("while"),
    "loop_expression": loop("loop"),
    "match_expression": switch("match"),
    "match_arm": _arm,
    "let_declaration": _let_else,
    "let_chain": _let_chain,
    "break_expression": jump("label"),
    "continue_expression": jump("label"),
    "binary_expression": runs(_LOGICAL),
    "call_expression": _call,
}
