"""Types and variables of Java, as they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See

# Up to the end of these a variable is known that a pattern has bound.
_STATEMENTS = ("_statement", "_declaration", "switch_rule", "switch_block_statement_group")


def type_name(reading: Reading, node: Node | None) -> str:
    """`a.B` of `a.B<C>`; "" for what has no name of its own."""
    if node is not None and node.type == "generic_type":
        node = node.named_children[0]
    if node is None or node.type not in {"type_identifier", "scoped_type_identifier"}:
        return ""
    text = reading.text(node)
    return text if text.replace(".", "").replace("_", "a").replace("$", "a").isalnum() else ""


def declare_fields(reading: Reading, body: Node | None) -> None:
    pending = list(body.named_children) if body is not None else []
    until = body.end_byte if body is not None else 0
    while pending:
        member = pending.pop()
        if member.type in {"field_declaration", "constant_declaration"}:
            _declare_all(reading, member, until)
        elif member.type == "enum_constant":
            reading.declare(reading.text(member.child_by_field_name("name")), "", until)
        elif member.type == "enum_body_declarations":
            pending += member.named_children


def declare_parameters(reading: Reading, node: Node | None, until: int) -> None:
    for child in node.named_children if node is not None else ():
        if child.type == "formal_parameter":
            _declare(reading, child.child_by_field_name("name"), child.child_by_field_name("type"), until)
        elif child.type == "spread_parameter":
            reading.declare(reading.text(child.named_children[-1].child_by_field_name("name")), "", until)
        elif child.type == "identifier":
            reading.declare(reading.text(child), "", until)


def _declare(reading: Reading, name: Node | None, kind: Node | None, until: int) -> None:
    reading.declare(reading.text(name), type_name(reading, kind), until)


def _declare_all(reading: Reading, node: Node, until: int) -> None:
    kind = type_name(reading, node.child_by_field_name("type"))
    for each in node.children_by_field_name("declarator"):
        is_array = each.child_by_field_name("dimensions") is not None
        known = made_type(reading, each.child_by_field_name("value")) if kind == "var" else kind
        reading.declare(reading.text(each.child_by_field_name("name")), "" if is_array else known, until)


def made_type(reading: Reading, value: Node | None) -> str:
    """Of `new C(1)`; one with a body has members of its own."""
    if value is None or value.type != "object_creation_expression" or value.named_children[-1].type == "class_body":
        return ""
    return type_name(reading, value.child_by_field_name("type"))


def _local(reading: Reading, node: Node) -> None:
    _declare_all(reading, node, node.parent.end_byte if node.parent is not None else node.end_byte)


def _in_head(reading: Reading, node: Node) -> None:
    """A variable of a `for` or of a `catch`."""
    around = node.parent if node.type == "catch_formal_parameter" and node.parent is not None else node
    _declare(reading, node.child_by_field_name("name"), node.child_by_field_name("type"), around.end_byte)


def _resource(reading: Reading, node: Node) -> None:
    around = node.parent.parent if node.parent is not None else None
    if node.child_by_field_name("name") is not None and around is not None:
        kind = type_name(reading, node.child_by_field_name("type"))
        known = made_type(reading, node.child_by_field_name("value")) if kind == "var" else kind
        reading.declare(reading.text(node.child_by_field_name("name")), known, around.end_byte)


def _lambda(reading: Reading, node: Node) -> None:
    parameters = node.child_by_field_name("parameters")
    if parameters is not None and parameters.type == "identifier":
        reading.declare(reading.text(parameters), "", node.end_byte)
    else:
        declare_parameters(reading, parameters, node.end_byte)


def _pattern(reading: Reading, node: Node) -> None:
    """Known in the statement that binds it; behind that it may mean this or what it meant before."""
    name, kind = node.child_by_field_name("name"), node.child_by_field_name("right")
    if node.type in {"type_pattern", "record_pattern_component"} and len(node.named_children) > 1:
        kind, name = node.named_children[-2], node.named_children[-1]
    if name is None:
        return
    statement = node
    while statement.parent is not None and not statement.type.endswith(_STATEMENTS):
        statement = statement.parent
    around = statement.parent
    reading.declare(reading.text(name), "", around.end_byte if around is not None else statement.end_byte)
    reading.declare(reading.text(name), type_name(reading, kind), statement.end_byte)


def _type_parameter(reading: Reading, node: Node) -> None:
    name = next((child for child in node.named_children if child.type in {"type_identifier", "identifier"}), None)
    reading.rebound.add(reading.text(name))


READERS: Mapping[str, See] = {
    "local_variable_declaration": _local,
    "enhanced_for_statement": _in_head,
    "catch_formal_parameter": _in_head,
    "resource": _resource,
    "lambda_expression": _lambda,
    "instanceof_expression": _pattern,
    "type_pattern": _pattern,
    "record_pattern_component": _pattern,
    "type_parameter": _type_parameter,
}
