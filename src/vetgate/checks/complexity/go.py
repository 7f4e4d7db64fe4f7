"""Go: cyclomatic as gocyclo counts it, cognitive as gocognit does.

Function literals belong to the function around them; one that a package variable holds is a function of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.marks import FunctionNode
from vetgate.checks.complexity.nodes import field_text, first_part, parts, text
from vetgate.checks.complexity.structures import (
    Operators,
    branch,
    called_by_name,
    conditional,
    jump,
    loop,
    runs,
    switch_without_body,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from vetgate.checks.complexity.marks import NodeMarks

_LOGICAL = Operators("binary_expression", {"&&": "and", "||": "or"})
_PACKAGE_VARIABLE = 5  # file, var (…), list, spec, values: as deep as a variable of the package gets
_CASES = frozenset({"expression_case", "type_case", "default_case", "communication_case"})


def _parameters(node: Node) -> int:
    """`a, b int` are two, `int` alone is one."""
    listed = parts(node.child_by_field_name("parameters"))
    return sum(max(1, len(declaration.children_by_field_name("name"))) for declaration in listed)


def _function(marks: NodeMarks, node: Node) -> None:
    if node.child_by_field_name("body") is None:
        return
    own = field_text(node, "name")
    receiver = _receiver(node)
    marks.function(
        FunctionNode(
            node,
            f"{receiver}.{own}" if receiver else own,
            plain="" if receiver else own,  # inside a method its bare name is some function of the package
            parameters=_parameters(node),
            recursion_each=True,
        )
    )


def _receiver(node: Node) -> str:
    declared = first_part(node.child_by_field_name("receiver"))
    kind = None if declared is None else declared.child_by_field_name("type")
    while kind is not None and kind.type in {"pointer_type", "generic_type", "parenthesized_type"}:
        kind = first_part(kind)
    return text(kind)


def _literal(marks: NodeMarks, node: Node) -> None:
    holder = marks.path[-2] if len(marks.path) > 2 and marks.path[-1].type == "expression_list" else None
    if holder is not None and holder.type == "var_spec" and len(marks.path) <= _PACKAGE_VARIABLE:
        name = field_text(holder, "name")
        marks.function(FunctionNode(node, name, parameters=_parameters(node)))
    else:
        marks.deeper(node.child_by_field_name("body"))


TABLE: Mapping[str, Callable[[NodeMarks, Node], None]] = {
    "function_declaration": _function,
    "method_declaration": _function,
    "func_literal": _literal,
    "if_statement": conditional(else_is_deeper=False),
    "for_statement": loop("for"),
    "expression_switch_statement": switch_without_body("switch", _CASES),
    "type_switch_statement": switch_without_body("switch", _CASES),
    "select_statement": switch_without_body("select", _CASES),
    "expression_case": branch("case"),
    "type_case": branch("case"),
    "communication_case": branch("case"),
    "break_statement": jump("label_name"),
    "continue_statement": jump("label_name"),
    "goto_statement": jump("label_name"),
    "binary_expression": runs(_LOGICAL),
    "call_expression": called_by_name,
}
