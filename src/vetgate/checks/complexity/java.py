"""Java: McCabe's cyclomatic complexity with boolean operators, cognitive as the white paper counts it."""

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
    jump,
    loop,
    runs,
    switch,
    ternary,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from vetgate.checks.complexity.marks import NodeMarks

_FUNCTIONS = frozenset({"method_declaration", "constructor_declaration", "compact_constructor_declaration"})
_NAMERS = {
    "class_declaration": by_field("name"),
    "interface_declaration": by_field("name"),
    "enum_declaration": by_field("name"),
    "record_declaration": by_field("name"),
    "object_creation_expression": by_field("type"),
}
_LOGICAL = Operators("binary_expression", {"&&": "and", "||": "or"}, "parenthesized_expression")
_ANNOTATIONS = frozenset({"marker_annotation", "annotation"})


def _function(marks: NodeMarks, node: Node) -> None:
    if node.child_by_field_name("body") is None:
        return
    own = field_text(node, "name")
    parameters = [
        part
        for part in parts(node.child_by_field_name("parameters"))
        if part.type in {"formal_parameter", "spread_parameter"}
    ]
    spreads = any(parameter.type == "spread_parameter" for parameter in parameters)
    marks.function(
        FunctionNode(
            node,
            qualified(marks, own, _NAMERS, _FUNCTIONS),
            head_of(node, _ANNOTATIONS),
            plain=own,
            parameters=len(parameters),
            arity=None if spreads else len(parameters),
            adds_thought=True,
        )
    )


def _initializer(marks: NodeMarks, node: Node) -> None:
    name = qualified(marks, "<static initializer>", _NAMERS, _FUNCTIONS)
    marks.function(FunctionNode(node, name, only_if_any=True))


def _label(marks: NodeMarks, node: Node) -> None:
    if any(child.type == "case" for child in node.children):
        marks.branch(node, "case")


def _call(marks: NodeMarks, node: Node) -> None:
    owner = node.child_by_field_name("object")
    if owner is None or owner.type == "this":
        name = text(node.child_by_field_name("name"))
        marks.call(node, name, len(parts(node.child_by_field_name("arguments"))))


TABLE: Mapping[str, Callable[[NodeMarks, Node], None]] = {
    **dict.fromkeys(_FUNCTIONS, _function),
    "static_initializer": _initializer,
    "lambda_expression": deeper("body"),
    "if_statement": conditional(),
    "for_statement": loop("for"),
    "enhanced_for_statement": loop("for"),
    "while_statement": loop("while"),
    "do_statement": loop("do while"),
    "switch_expression": switch("switch"),
    "switch_label": _label,
    "guard": branch("when"),
    "try_statement": control("try"),
    "try_with_resources_statement": control("try"),
    "catch_clause": caught("catch"),
    "ternary_expression": ternary(),
    "break_statement": jump("identifier"),
    "continue_statement": jump("identifier"),
    "binary_expression": runs(_LOGICAL),
    "method_invocation": _call,
}
