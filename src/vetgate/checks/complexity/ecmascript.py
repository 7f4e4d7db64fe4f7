"""JavaScript and TypeScript: cyclomatic as ESLint 9 counts it, cognitive as sonarjs 4 does.

Every function is measured alone; nothing of it adds to the function around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.marks import Function
from vetgate.checks.complexity.naming import by_field, field_text, qualified, shortened
from vetgate.checks.complexity.nodes import COMMENTS, first_part, parts
from vetgate.checks.complexity.operators import Operators

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from vetgate.checks.complexity.marks import Marks

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
_LOGICAL = Operators("binary_expression", {"&&": "and", "||": "or", "??": "default"}, "parenthesized_expression")


def _callback(_marks: Marks, node: Node, named: bool) -> str:  # noqa: FBT001
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


def _assigned(_marks: Marks, node: Node, _named: bool) -> str:  # noqa: FBT001
    name = field_text(node, "left")
    for prefix in ("module.exports.", "exports.", "this."):
        name = name.removeprefix(prefix)
    return name


def _default_export(_marks: Marks, node: Node, named: bool) -> str:  # noqa: FBT001
    return "default" if not named and any(child.type == "default" for child in node.children) else ""


def _attribute(_marks: Marks, node: Node, _named: bool) -> str:  # noqa: FBT001
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


def _function(marks: Marks, node: Node) -> None:
    own = field_text(node, "name")
    name = qualified(marks, own, _NAMERS, _FUNCTIONS)
    marks.function(Function(node, node, node.start_byte, name, parameters=_parameters(node)))


def _method(marks: Marks, node: Node) -> None:
    """A method's key and decorators belong to what is around it."""
    own = field_text(node, "name")
    start = node.child_by_field_name("type_parameters") or node.child_by_field_name("parameters") or node
    head = next((child for child in node.children if child.type not in {"decorator", *COMMENTS}), node)
    name = qualified(marks, own, _NAMERS, _FUNCTIONS)
    marks.function(Function(node, head, start.start_byte, name, parameters=_parameters(node)))


def _static_block(marks: Marks, node: Node) -> None:
    name = qualified(marks, "<static block>", _NAMERS, _FUNCTIONS)
    marks.function(Function(node, node, node.start_byte, name, only_if_any=True))


def _field(marks: Marks, node: Node) -> None:
    value = node.child_by_field_name("value")
    if value is not None:
        own = field_text(node, "name") or field_text(node, "property")
        name = qualified(marks, own, _NAMERS, _FUNCTIONS)
        marks.function(Function(value, node, value.start_byte, name, only_if_any=True, field=True))


def _if(marks: Marks, node: Node) -> None:
    marks.branch(node, "if")
    if marks.path and marks.path[-1].type == "else_clause":
        marks.thought(node, "else if")
    else:
        marks.nested_thought(node, "if")
        marks.control(node, "if")
    marks.deeper(node.child_by_field_name("consequence"))
    alternative = node.child_by_field_name("alternative")
    if alternative is None:
        return
    body = first_part(alternative)
    if body is not None and body.type != "if_statement":
        marks.thought(alternative, "else")
        marks.deeper(body)


def _loop(what: str) -> Callable[[Marks, Node], None]:
    def see(marks: Marks, node: Node) -> None:
        marks.branch(node, what)
        marks.nested_thought(node, what)
        marks.control(node, what)
        marks.deeper(node.child_by_field_name("body"))

    return see


def _switch(marks: Marks, node: Node) -> None:
    marks.nested_thought(node, "switch")
    marks.control(node, "switch")
    marks.deeper(node.child_by_field_name("body"))


def _try(marks: Marks, node: Node) -> None:
    marks.control(node, "try")


def _catch(marks: Marks, node: Node) -> None:
    marks.branch(node, "catch")
    marks.nested_thought(node, "catch")
    marks.deeper(node.child_by_field_name("body"))


def _ternary(marks: Marks, node: Node) -> None:
    marks.branch(node, "?:")
    marks.nested_thought(node, "?:")
    marks.deeper(node.child_by_field_name("consequence"))
    marks.deeper(node.child_by_field_name("alternative"))


def _jump(marks: Marks, node: Node) -> None:
    if node.child_by_field_name("label") is not None:
        marks.thought(node, "jump to a label")


def _logical(marks: Marks, node: Node) -> None:
    """Each operator is a branch; only runs of `&&` are thoughts, and not those that guard a piece of JSX."""
    if node.id in marks.seen:
        return
    guards_jsx = bool(marks.path) and marks.path[-1].type == "jsx_expression"
    last = ""
    for token, meaning in _LOGICAL.in_order(node, marks):
        marks.branch(token, token.type)
        if meaning == "and" != last and not guards_jsx:
            marks.thought(token, "&&")
        last = meaning


def _branch(what: str) -> Callable[[Marks, Node], None]:
    return lambda marks, node: marks.branch(node, what)


def _typed_parameter(marks: Marks, node: Node) -> None:
    value = node.child_by_field_name("value")
    if value is not None:
        marks.branch(value, "default value")


TABLE: Mapping[str, Callable[[Marks, Node], None]] = {
    "function_declaration": _function,
    "generator_function_declaration": _function,
    "function_expression": _function,
    "generator_function": _function,
    "arrow_function": _function,
    "method_definition": _method,
    "class_static_block": _static_block,
    "public_field_definition": _field,
    "field_definition": _field,
    "if_statement": _if,
    "for_statement": _loop("for"),
    "for_in_statement": _loop("for"),
    "while_statement": _loop("while"),
    "do_statement": _loop("do while"),
    "switch_statement": _switch,
    "switch_case": _branch("case"),
    "try_statement": _try,
    "catch_clause": _catch,
    "ternary_expression": _ternary,
    "break_statement": _jump,
    "continue_statement": _jump,
    "binary_expression": _logical,
    "'&&='": _branch("&&="),
    "'||='": _branch("||="),
    "'??='": _branch("??="),
    "'?.'": _branch("?."),
    "assignment_pattern": _branch("default value"),
    "object_assignment_pattern": _branch("default value"),
    "required_parameter": _typed_parameter,
    "optional_parameter": _typed_parameter,
}
