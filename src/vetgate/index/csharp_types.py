"""Types and variables of C#, as they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.source.syntax import child_of, enclosing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See

# Up to the end of the nearest of these a variable is known that stands in the midst of an expression.
_AROUND = frozenset(
    """block switch_section switch_expression_arm arrow_expression_clause lambda_expression declaration_list
    global_statement compilation_unit""".split()  # noqa: SIM905 - a list of names
)
_FIELDS = frozenset({"field_declaration", "event_field_declaration"})

# How a name begins that is told from the outermost namespace on.
GLOBAL = "global::"


def type_name(reading: Reading, node: Node | None) -> str:
    """`A.B` of `A.B?`, and of `A.B<C, D>` with how many types it takes; "" for what has no name of its own."""
    while node is not None and node.type in {"nullable_type", "ref_type", "scoped_type"}:
        node = node.child_by_field_name("type")
    if node is None:
        return ""
    if node.type == "identifier":
        return reading.text(node)
    if node.type == "generic_name":
        return _generic(reading, node)
    if node.type in {"qualified_name", "alias_qualified_name"}:
        return _qualified(reading, node)
    return ""


def _generic(reading: Reading, node: Node) -> str:
    name, types = node.named_children[0], node.named_children[-1]
    return f"{reading.text(name)}`{sum(child.type == ',' for child in types.children) + 1}"


def _qualified(reading: Reading, node: Node) -> str:
    parts: list[str] = []
    here: Node | None = node
    while here is not None and here.type == "qualified_name":
        parts.append(type_name(reading, here.child_by_field_name("name")))
        here = here.child_by_field_name("qualifier")
    root = ""
    if here is not None and here.type == "alias_qualified_name":
        root, here = GLOBAL, here.child_by_field_name("name")
    first = type_name(reading, here) if here is not None and here.type in {"identifier", "generic_name"} else ""
    inner = [each.partition("`")[0] for each in (first, *reversed(parts[1:]))]
    whole = ".".join((*inner, parts[0])) if first and parts else first
    return f"{root}{whole}" if whole else ""


def declare_fields(reading: Reading, body: Node | None) -> None:
    """Of a class, ahead of its members: they may use what stands below them."""
    if body is None:
        return
    pending = list(body.named_children)
    while pending:
        member = pending.pop()
        if member.type in _FIELDS:
            for listed in (child for child in member.named_children if child.type == "variable_declaration"):
                _declare_each(reading, listed, body.end_byte)
        elif member.type in {"property_declaration", "event_declaration"}:
            _declare(reading, member, body.end_byte)
        elif member.type.startswith("preproc"):
            pending += member.named_children


def declare_parameters(reading: Reading, node: Node | None, until: int) -> None:
    for child in node.named_children if node is not None else ():
        if child.type == "parameter":
            _declare(reading, child, until)
        elif child.type == "identifier":
            _known(reading, reading.text(child), "", until)


def _declare(reading: Reading, node: Node, until: int) -> None:
    name = node.child_by_field_name("name")
    if name is not None:
        _known(reading, reading.text(name), type_name(reading, node.child_by_field_name("type")), until)


def _known(reading: Reading, name: str, kind: str, until: int) -> None:
    reading.declare(name, kind, until)
    # What it is may be called like a method.
    reading.bound.add(name)


def _declare_each(reading: Reading, node: Node, until: int) -> None:
    written = node.child_by_field_name("type")
    kind = type_name(reading, written)
    for each in node.named_children:
        if each.type != "variable_declarator":
            continue
        name = each.child_by_field_name("name")
        is_inferred = written is not None and written.type == "implicit_type"
        if name is None:
            _declare_parts(reading, each, until)
        else:
            _known(reading, reading.text(name), _made_type(reading, each) if is_inferred else kind, until)


def _made_type(reading: Reading, declarator: Node) -> str:
    value = declarator.named_children[-1]
    return type_name(reading, value.child_by_field_name("type")) if value.type == "object_creation_expression" else ""


def _declare_parts(reading: Reading, node: Node, until: int) -> None:
    """Of `var (a, b)`."""
    for pattern in (node, *node.named_children):
        if pattern.type in {"tuple_pattern", "parenthesized_variable_designation"}:
            for each in pattern.named_children:
                _known(reading, reading.text(each), "", until) if each.type == "identifier" else None


def variables(reading: Reading, node: Node) -> None:
    around = node.parent
    if around is None or around.type in _FIELDS:
        return
    if around.type == "local_declaration_statement" and around.parent is not None:
        around = around.parent
    _declare_each(reading, node, around.end_byte)


def _in_midst(reading: Reading, node: Node) -> None:
    """`out C c`, `is C c`."""
    _declare(reading, node, _end(node))


def _end(node: Node) -> int:
    around = enclosing(node, _AROUND)
    return around.end_byte if around is not None else node.end_byte


def _parts(reading: Reading, node: Node) -> None:
    _declare_parts(reading, node, _end(node))


def _each(reading: Reading, node: Node) -> None:
    left = node.child_by_field_name("left")
    if left is not None and left.type == "identifier":
        _known(reading, reading.text(left), type_name(reading, node.child_by_field_name("type")), node.end_byte)


def _caught(reading: Reading, node: Node) -> None:
    _declare(reading, node, node.parent.end_byte if node.parent is not None else node.end_byte)


def _query(reading: Reading, node: Node) -> None:
    name = node.child_by_field_name("name") or child_of(node, "identifier")
    _known(reading, reading.text(name), "", _end(node))


def _lambda(reading: Reading, node: Node) -> None:
    parameters = node.child_by_field_name("parameters")
    if parameters is not None and parameters.type == "implicit_parameter":
        _known(reading, reading.text(parameters), "", node.end_byte)
    else:
        declare_parameters(reading, parameters, node.end_byte)


def _type_parameter(reading: Reading, node: Node) -> None:
    reading.rebound.add(reading.text(node.child_by_field_name("name")))


READERS: Mapping[str, See] = {
    "variable_declaration": variables,
    "declaration_expression": _in_midst,
    "declaration_pattern": _in_midst,
    "recursive_pattern": _in_midst,
    "var_pattern": _in_midst,
    "tuple_pattern": _parts,
    "parenthesized_variable_designation": _parts,
    "foreach_statement": _each,
    "catch_declaration": _caught,
    "from_clause": _query,
    "let_clause": _query,
    "join_clause": _query,
    "join_into_clause": _query,
    "lambda_expression": _lambda,
    "anonymous_method_expression": _lambda,
    "type_parameter": _type_parameter,
}


def modifiers(reading: Reading, node: Node) -> Iterator[str]:
    yield from (reading.text(child) for child in node.children if child.type == "modifier")
