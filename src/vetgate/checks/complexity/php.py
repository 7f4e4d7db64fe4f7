"""PHP: McCabe's cyclomatic complexity with boolean operators, cognitive as the white paper counts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.marks import FunctionNode
from vetgate.checks.complexity.nodes import by_field, field_text, first_part, head_of, parts, qualified, text
from vetgate.checks.complexity.structures import (
    Operators,
    branch,
    caught,
    clause,
    conditional,
    control,
    deeper,
    loop,
    runs,
    switch,
    ternary,
    thought,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from vetgate.checks.complexity.marks import NodeMarks

_FUNCTIONS = frozenset({"function_definition", "method_declaration"})
_NAMERS = {
    "class_declaration": by_field("name"),
    "interface_declaration": by_field("name"),
    "trait_declaration": by_field("name"),
    "enum_declaration": by_field("name"),
    "anonymous_class": lambda _marks, _node, _named: "class",
}
_LOGICAL = Operators(
    "binary_expression",
    {"&&": "and", "and": "and", "||": "or", "or": "or", "xor": "xor"},
    "parenthesized_expression",
)
_OWN = frozenset({"$this", "self", "static"})


def _function(marks: NodeMarks, node: Node) -> None:
    if node.child_by_field_name("body") is None:
        return
    own = field_text(node, "name")
    is_method = node.type == "method_declaration"
    marks.function(
        FunctionNode(
            node,
            qualified(marks, own, _NAMERS, _FUNCTIONS),
            head_of(node, frozenset({"attribute_list"})),
            plain=f"$this.{own}" if is_method else own,
            parameters=len(parts(node.child_by_field_name("parameters"))),
            adds_thought=True,
        )
    )


def _jump(marks: NodeMarks, node: Node) -> None:
    """`break 2` leaves more than the loop it stands in, like a jump to a label."""
    levels = first_part(node)
    if levels is not None and text(levels) not in {"0", "1"}:
        marks.thought(node, "jump out of several levels")


def _call(marks: NodeMarks, node: Node) -> None:
    marks.call(node, text(node.child_by_field_name("function")))


def _own_call(marks: NodeMarks, node: Node) -> None:
    owner = node.child_by_field_name("object") or node.child_by_field_name("scope")
    if text(owner) in _OWN:
        marks.call(node, f"$this.{text(node.child_by_field_name('name'))}")


TABLE: Mapping[str, Callable[[NodeMarks, Node], None]] = {
    **dict.fromkeys(_FUNCTIONS, _function),
    "anonymous_function": deeper("body"),
    "arrow_function": deeper("body"),
    "if_statement": conditional("body"),
    "else_if_clause": clause("elseif", "body"),
    "for_statement": loop("for"),
    "foreach_statement": loop("foreach"),
    "while_statement": loop("while"),
    "do_statement": loop("do while"),
    "switch_statement": switch("switch"),
    "case_statement": branch("case"),
    "match_expression": switch("match"),
    "match_conditional_expression": branch("case"),
    "try_statement": control("try"),
    "catch_clause": caught("catch"),
    "conditional_expression": ternary(consequence="body"),
    "break_statement": _jump,
    "continue_statement": _jump,
    "goto_statement": thought("goto"),
    "binary_expression": runs(_LOGICAL),
    "function_call_expression": _call,
    "member_call_expression": _own_call,
    "scoped_call_expression": _own_call,
}
