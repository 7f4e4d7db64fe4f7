"""What the index notes of Go."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.index.facts import NEW, PLAIN, REST, CallSite, Definition, Import, Parameter
from vetgate.index.go_types import (
    THEN,
    called_on,
    enter_block,
    enter_case,
    enter_function,
    enter_switch,
    note_type,
    note_variables,
)
from vetgate.index.reading import FUNCTION, UNKNOWN, UNNAMED
from vetgate.source.syntax import first_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See


# `example.com/store/v2` is the package `store`.
_VERSION = re.compile(r"/v\d+$")
# What has variables of its own, beside functions and the cases of a `switch` over types.
_BLOCKS = (
    "block",
    "if_statement",
    "for_statement",
    "expression_switch_statement",
    "select_statement",
    "expression_case",
    "communication_case",
)


def _function(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name")) or UNNAMED
    receiver = node.child_by_field_name("receiver")
    owner = _receiver(reading, receiver) if receiver is not None else ""
    symbol = f"{owner}.{name}" if owner else name
    reading.functions.append((symbol, node))
    given = enter_function(reading, node)
    if node.type != "func_literal":
        # What a type parameter stands for differs from call to call.
        is_generic = node.child_by_field_name("type_parameters") is not None
        returns = "" if is_generic else reading.text(node.child_by_field_name("result"))
        parameters = tuple(_parameters(reading, node.child_by_field_name("parameters")))
        kind = "method" if receiver is not None else FUNCTION
        exported = name[:1].isupper()
        reading.definitions.append(
            Definition(symbol, first_line(node), kind, parameters, returns, exported=exported, word=given)
        )
    reading.open_scope(node, FUNCTION, symbol)


def _receiver(reading: Reading, node: Node) -> str:
    # Brackets with nothing in them are read all the same.
    return next(reversed(reading.text(node).strip("()").replace("*", " ").split("[")[0].split()), "")


def _parameters(reading: Reading, node: Node | None) -> Iterator[Parameter]:
    for child in node.named_children if node is not None else ():
        if child.type == "comment":
            continue
        names = child.children_by_field_name("name")
        kind = REST if child.type == "variadic_parameter_declaration" else PLAIN
        for name in names or (None,):
            yield Parameter(reading.text(name), kind)


def _call(reading: Reading, node: Node) -> None:
    function = node.child_by_field_name("function")
    callee, of = reading.dotted(function, "selector_expression", "field", "operand"), called_on(reading, function)
    arguments = node.child_by_field_name("arguments")
    if not callee or arguments is None:
        return
    given = [child for child in arguments.named_children if child.type != "comment"]
    # One call as the only argument may pass several values.
    is_open = any(child.type == "variadic_argument" for child in given) or (
        len(given) == 1 and given[0].type == "call_expression"
    )
    if callee.startswith(UNKNOWN) and of.startswith(NEW):
        callee = callee.replace(UNKNOWN, of.removeprefix(NEW).replace(THEN, "."), 1)
    reading.calls.append(CallSite(callee, first_line(node), len(given), (), is_open, of=of))


def _import(reading: Reading, node: Node) -> None:
    path = reading.text(node.child_by_field_name("path")).strip('"`')
    local = reading.text(node.child_by_field_name("name")) or _VERSION.sub("", path).rpartition("/")[2]
    reading.imports.append(Import(first_line(node), path, "", local))


def _bind(reading: Reading, node: Node) -> None:
    left = node.child_by_field_name("left") or node.child_by_field_name("alias")
    for child in left.named_children if left is not None else node.children_by_field_name("name"):
        if child.type == "identifier":
            reading.bound.add(reading.text(child))


def _variables(reading: Reading, node: Node) -> None:
    _bind(reading, node)
    note_variables(reading, node)


def _switch(reading: Reading, node: Node) -> None:
    _bind(reading, node)
    enter_switch(reading, node)


def _package(reading: Reading, node: Node) -> None:
    reading.space = reading.text(next(iter(node.named_children), None))


READERS: Mapping[str, See] = {
    "function_declaration": _function,
    "method_declaration": _function,
    "func_literal": _function,
    "call_expression": _call,
    "import_spec": _import,
    "short_var_declaration": _variables,
    "range_clause": _variables,
    "var_spec": _variables,
    "const_spec": _variables,
    "receive_statement": _variables,
    "parameter_declaration": _bind,
    "variadic_parameter_declaration": _bind,
    "type_switch_statement": _switch,
    "type_case": enter_case,
    "default_case": enter_case,
    "type_spec": note_type,
    "type_alias": note_type,
    "package_clause": _package,
    **dict.fromkeys(_BLOCKS, enter_block),
}
