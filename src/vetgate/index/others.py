"""Languages of which the index knows the functions alone: who calls them takes more than their text to tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.index.reading import CLASS, FUNCTION, UNNAMED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from vetgate.index.reading import Reading, See


def _function(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name")) or UNNAMED
    reading.functions.append((reading.symbol(node, name), node))
    reading.open_scope(node, FUNCTION, name)


def _class(reading: Reading, node: Node) -> None:
    name = reading.text(node.child_by_field_name("name") or node.child_by_field_name("type")) or UNNAMED
    reading.open_scope(node, CLASS, name)


def _readers(functions: str, classes: str) -> Mapping[str, See]:
    return dict.fromkeys(functions.split(), _function) | dict.fromkeys(classes.split(), _class)


JAVA = _readers(
    "method_declaration constructor_declaration",
    "class_declaration interface_declaration enum_declaration record_declaration",
)
CSHARP = _readers(
    "method_declaration constructor_declaration local_function_statement operator_declaration",
    "class_declaration struct_declaration interface_declaration record_declaration",
)
