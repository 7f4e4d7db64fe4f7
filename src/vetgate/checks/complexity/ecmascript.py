"""JavaScript and TypeScript: cyclomatic as ESLint 9 counts it, cognitive as sonarjs 4 does.

Every function is measured alone; nothing of it adds to the function around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.marks import FunctionNode
from vetgate.checks.complexity.nodes import (
    COMMENTS,
    by_field,
    field_text,
    first_part,
    head_of,
    parts,
    qualified,
    shortened,
)
from vetgate.checks.complexity.structures import (
    Operators,
    branch,
    caught,
    conditional,
    control,
    jump,
    loop,
    switch,
    ternary,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from vetgate.checks.complexity.marks import NodeMarks

_FUNCTIONS = frozenset(
    {
        "function_declaration",
        "generator_function_declaration",
        "function_expression",
        "generator_function",
        "arrow_function",
        "method_definition",
        "class_static_block",
    }
)
_PARENTHESES = "parenthesized_expression"
_LOGICAL = Operators("binary_expression", {"&&": "and", "||": "or", "??": "default"}, _PARENTHESES)


def _callback(_marks: NodeMarks, node: Node, named: bool) -> str:  # noqa: FBT001
    """`app.get("/x", () => …)` is the callback of that call; an object in the arguments has names of its own."""
    callee = node.child_by_field_name("function") or node.child_by_field_name("constructor")
    if named or callee is None:
        return ""
    name = shortened(callee)
    if callee.type == "member_expression" and (len(name) > 30 or "(" in name):
        name = field_text(callee, "property")
    first = first_part(node.child_by_field_name("arguments"))
    title = f'"{shortened(first)}"' if first is not None and first.type == "string" else ""
    return f"{name}({title}) callback"


def _assigned(_marks: NodeMarks, node: Node, _named: bool) -> str:  # noqa: FBT001
    name = field_text(node, "left")
    for prefix in ("module.exports.", "exports.", "this."):
        name = name.removeprefix(prefix)
    return name


def _default_export(_marks: NodeMarks, node: Node, named: bool) -> str:  # noqa: FBT001
    return "default" if not named and any(child.type == "default" for child in node.children) else ""


def _attribute(_marks: NodeMarks, node: Node, _named: bool) -> str:  # noqa: FBT001
    first = first_part(node)
    return shortened(first) if first is not None else ""


_NAMERS = {
    "variable_declarator": by_field("name"),
    "class_declaration": by_field("name"),
    "abstract_class_declaration": by_field("name"),
    "class": by_field("name"),
    "internal_module": by_field("name"),
    "module": by_field("name"),
    "pair": by_field("key"),
    "public_field_definition": by_field("name"),
    "field_definition": by_field("property"),
    "required_parameter": by_field("pattern"),
    "assignment_pattern": by_field("left"),
    "object_assignment_pattern": by_field("left"),
    "assignment_expression": _assigned,
    "augmented_assignment_expression": _assigned,
    "call_expression": _callback,
    "new_expression": _callback,
    "export_statement": _default_export,
    "jsx_attribute": _attribute,
}


def _parameters(node: Node) -> int:
    if node.child_by_field_name("parameter") is not None:
        return 1
    return sum(not _is_this(parameter) for parameter in parts(node.child_by_field_name("parameters")))


def _is_this(parameter: Node) -> bool:
    pattern = parameter.child_by_field_name("pattern")
    return pattern is not None and pattern.type == "this"


def _end(node: Node) -> Node:
    """The last brace: a block takes in the comments after it, up to where a semicolon could stand."""
    body = node.child_by_field_name("body")
    if body is None or body.type != "statement_block":
        return node
    return next((child for child in reversed(body.children) if child.type not in COMMENTS), body)


def _function(marks: NodeMarks, node: Node) -> None:
    own = field_text(node, "name")
    name = qualified(marks, own, _NAMERS, _FUNCTIONS)
    head = node
    if marks.path and marks.path[-1].type == "type_assertion":
        head = marks.path[-1]  # `<T>(x: T) => …`: the grammar takes the type parameters for an assertion at times
    marks.function(FunctionNode(_end(node), name, head, parameters=_parameters(node)))


def _method(marks: NodeMarks, node: Node) -> None:
    """A method's key and decorators belong to what is around it."""
    own = field_text(node, "name")
    start = node.child_by_field_name("type_parameters") or node.child_by_field_name("parameters") or node
    head = head_of(node, frozenset({"decorator"}))
    name = qualified(marks, own, _NAMERS, _FUNCTIONS)
    marks.function(FunctionNode(_end(node), name, head, start, parameters=_parameters(node)))


def _static_block(marks: NodeMarks, node: Node) -> None:
    name = qualified(marks, "<static block>", _NAMERS, _FUNCTIONS)
    marks.function(FunctionNode(node, name, only_if_any=True))


def _field(marks: NodeMarks, node: Node) -> None:
    value = node.child_by_field_name("value")
    if value is not None:
        own = field_text(node, "name") or field_text(node, "property")
        name = qualified(marks, own, _NAMERS, _FUNCTIONS)
        marks.function(FunctionNode(value, name, node, value, only_if_any=True, field=True))


def _logical(marks: NodeMarks, node: Node) -> None:
    """Each operator is a branch; only runs of `&&` are thoughts, and not those that guard a piece of JSX."""
    if node.id in marks.seen:
        return
    operators = list(_LOGICAL.in_order(node, marks))
    guards = all(meaning == "and" for _, meaning, _ in operators) and _guards_jsx(marks, node)
    last = ""
    for token, meaning, _ in operators:
        marks.branch(token, token.type)
        if meaning == "and" != last and not guards:
            marks.thought(token, "&&")
        last = meaning


def _guards_jsx(marks: NodeMarks, node: Node) -> bool:
    """`{a && b && <p/>}`, but not if a ternary is one of the operands."""
    around = next((each for each in reversed(marks.path) if each.type != _PARENTHESES), node)
    return around.type == "jsx_expression" and not any(
        operand.type == "ternary_expression" for operand in _LOGICAL.operands(node)
    )


def _optional_chain(marks: NodeMarks, node: Node) -> None:
    """In JavaScript's grammar a leaf, in TypeScript's the parent of the token `?.`, which is counted already."""
    if not node.child_count:
        marks.branch(node, "?.")


def _typed_parameter(marks: NodeMarks, node: Node) -> None:
    value = node.child_by_field_name("value")
    if value is not None:
        marks.branch(value, "default value")


TABLE: Mapping[str, Callable[[NodeMarks, Node], None]] = {
    "function_declaration": _function,
    "generator_function_declaration": _function,
    "function_expression": _function,
    "generator_function": _function,
    "arrow_function": _function,
    "method_definition": _method,
    "class_static_block": _static_block,
    "public_field_definition": _field,
    "field_definition": _field,
    "if_statement": conditional(),
    "for_statement": loop("for"),
    "for_in_statement": loop("for"),
    "while_statement": loop("while"),
    "do_statement": loop("do while"),
    "switch_statement": switch("switch"),
    "switch_case": branch("case"),
    "try_statement": control("try"),
    "catch_clause": caught("catch"),
    "ternary_expression": ternary(),
    "break_statement": jump("statement_identifier"),
    "continue_statement": jump("statement_identifier"),
    "binary_expression": _logical,
    "'&&='": branch("&&="),
    "'||='": branch("||="),
    "'??='": branch("??="),
    "'?.'": branch("?."),
    "optional_chain": _optional_chain,
    "assignment_pattern": branch("default value"),
    "object_assignment_pattern": branch("default value"),
    "required_parameter": _typed_parameter,
    "optional_parameter": _typed_parameter,
}
