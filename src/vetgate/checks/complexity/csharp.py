"""C#: McCabe's cyclomatic complexity with boolean operators, cognitive as the white paper counts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.marks import FunctionNode
from vetgate.checks.complexity.nodes import by_field, field_text, head_of, parts, qualified, text
from vetgate.checks.complexity.structures import (
    Operators,
    branch,
    caught,
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

_FUNCTIONS = frozenset(
    {
        "method_declaration",
        "constructor_declaration",
        "destructor_declaration",
        "operator_declaration",
        "conversion_operator_declaration",
        "local_function_statement",
        "accessor_declaration",
    }
)
_NAMERS = {
    "class_declaration": by_field("name"),
    "struct_declaration": by_field("name"),
    "record_declaration": by_field("name"),
    "interface_declaration": by_field("name"),
    "property_declaration": by_field("name"),
    "indexer_declaration": lambda _marks, _node, _named: "this[]",
    "event_declaration": by_field("name"),
}
_LOGICAL = Operators("binary_expression", {"&&": "and", "||": "or"}, "parenthesized_expression")
_ATTRIBUTES = frozenset({"attribute_list"})


def _parameters(node: Node) -> tuple[int, bool]:
    """How many, and whether the last takes any number: `params` is no node of its own in the grammar."""
    listed = node.child_by_field_name("parameters")
    if listed is None:
        return 0, False
    spreads = any(child.type == "params" for child in listed.children)
    return sum(child.type == "parameter" for child in listed.named_children) + spreads, spreads


def _function(marks: NodeMarks, node: Node) -> None:
    if node.child_by_field_name("body") is None:
        return
    own = field_text(node, "name") or f"operator {field_text(node, 'operator') or field_text(node, 'type')}"
    if node.type == "destructor_declaration":
        own = f"~{own}"
    parameters, spreads = _parameters(node)
    marks.function(
        FunctionNode(
            node,
            qualified(marks, own, _NAMERS, _FUNCTIONS),
            head_of(node, _ATTRIBUTES),
            plain=own,
            parameters=parameters,
            arity=None if spreads else parameters,
            adds_thought=True,
        )
    )


def _property(marks: NodeMarks, node: Node) -> None:
    """`int P => …;` is its getter."""
    value = node.child_by_field_name("value")
    if value is not None and value.type == "arrow_expression_clause":
        name = qualified(marks, field_text(node, "name") or "this[]", _NAMERS, _FUNCTIONS)
        marks.function(FunctionNode(node, name, head_of(node, _ATTRIBUTES)))


def _section(marks: NodeMarks, node: Node) -> None:
    for child in node.children:
        if child.type == "case":
            marks.branch(child, "case")


def _arms(marks: NodeMarks, node: Node) -> None:
    """A switch expression: its arms are direct children, after the value."""
    marks.nested_thought(node, "switch")
    marks.control(node, "switch")
    arms = [part for part in parts(node) if part.type == "switch_expression_arm"]
    if arms:
        marks.deeper_between(arms[0].start_byte, node.end_byte)
    for arm in arms:
        kinds = [part.type for part in parts(arm)]
        if kinds[0] != "discard" or "when_clause" in kinds:
            marks.branch(arm, "case")


def _call(marks: NodeMarks, node: Node) -> None:
    callee = node.child_by_field_name("function")
    if callee is not None and callee.type == "member_access_expression":
        owner = callee.child_by_field_name("expression")
        callee = callee.child_by_field_name("name") if owner is not None and owner.type == "this" else None
    if callee is not None and callee.type == "identifier":
        marks.call(node, text(callee), len(parts(node.child_by_field_name("arguments"))))


TABLE: Mapping[str, Callable[[NodeMarks, Node], None]] = {
    **dict.fromkeys(_FUNCTIONS, _function),
    "property_declaration": _property,
    "indexer_declaration": _property,
    "lambda_expression": deeper("body"),
    "anonymous_method_expression": lambda marks, node: marks.deeper(node),
    "if_statement": conditional(),
    "for_statement": loop("for"),
    "foreach_statement": loop("foreach"),
    "while_statement": loop("while"),
    "do_statement": loop("do while"),
    "switch_statement": switch("switch"),
    "switch_section": _section,
    "switch_expression": _arms,
    "when_clause": branch("when"),
    "try_statement": control("try"),
    "catch_clause": caught("catch"),
    "catch_filter_clause": branch("when"),
    "conditional_expression": ternary(),
    "goto_statement": thought("goto"),
    "binary_expression": runs(_LOGICAL),
    "invocation_expression": _call,
}
