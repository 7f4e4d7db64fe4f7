"""What a value is, where its look alone tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.types.declared_types import (
    BOOL,
    BYTES,
    CHAR,
    DICT,
    FLOAT,
    INT,
    LIST,
    NONE,
    OBJECT,
    SET,
    TEXT,
    TUPLE,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from vetgate.source.syntax import Syntax

_PYTHON: Mapping[str, str] = {
    "string": TEXT, "concatenated_string": TEXT, "integer": INT, "float": FLOAT, "true": BOOL, "false": BOOL,
    "none": NONE, "list": LIST, "list_comprehension": LIST, "dictionary": DICT, "dictionary_comprehension": DICT,
    "tuple": TUPLE, "set": SET, "set_comprehension": SET,
}  # fmt: skip
_SCRIPT: Mapping[str, str] = {
    "string": TEXT, "template_string": TEXT, "number": INT, "true": BOOL, "false": BOOL, "null": NONE,
    "undefined": NONE, "array": LIST, "object": OBJECT,
}  # fmt: skip
_GO: Mapping[str, str] = {
    "interpreted_string_literal": TEXT, "raw_string_literal": TEXT, "int_literal": INT, "float_literal": FLOAT,
    "rune_literal": CHAR, "true": BOOL, "false": BOOL, "nil": NONE,
}  # fmt: skip
_JAVA: Mapping[str, str] = {
    "string_literal": TEXT, "decimal_integer_literal": INT, "hex_integer_literal": INT, "octal_integer_literal": INT,
    "binary_integer_literal": INT, "decimal_floating_point_literal": FLOAT, "hex_floating_point_literal": FLOAT,
    "character_literal": CHAR, "true": BOOL, "false": BOOL, "null_literal": NONE,
}  # fmt: skip
_CSHARP: Mapping[str, str] = {
    "string_literal": TEXT, "verbatim_string_literal": TEXT, "raw_string_literal": TEXT,
    "interpolated_string_expression": TEXT, "integer_literal": INT, "real_literal": FLOAT, "character_literal": CHAR,
    "boolean_literal": BOOL, "null_literal": NONE,
}  # fmt: skip
_TABLES: Mapping[str, Mapping[str, str]] = {
    "python": _PYTHON, "typescript": _SCRIPT, "tsx": _SCRIPT, "go": _GO, "java": _JAVA, "csharp": _CSHARP,
}  # fmt: skip
_SIGNED = frozenset({"unary_operator", "unary_expression", "prefix_unary_expression"})
_NUMBERS = frozenset({INT, FLOAT})


def kind_of(syntax: Syntax, node: Node | None) -> str | None:
    """None for what is no literal."""
    while node is not None and node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    if node is None:
        return None
    if node.type in _SIGNED:
        return _signed(syntax, node)
    kind = _TABLES[syntax.language].get(node.type)
    if kind == TEXT and syntax.language == "python":
        return _text(syntax, node)
    if kind in _NUMBERS and syntax.text(node)[-1:] in {"j", "J", "n"}:
        return None  # complex numbers and big ones
    return kind


def _signed(syntax: Syntax, node: Node) -> str | None:
    inner = kind_of_number(syntax, node.named_children[-1]) if node.named_children else None
    return inner if inner and node.children[0].type in {"-", "+"} else None


def kind_of_number(syntax: Syntax, node: Node) -> str | None:
    kind = _TABLES[syntax.language].get(node.type)
    return kind if kind in _NUMBERS and syntax.text(node)[-1:] not in {"j", "J", "n"} else None


def _text(syntax: Syntax, node: Node) -> str:
    prefix = syntax.text(node)[:3].partition('"')[0].partition("'")[0].lower()
    return BYTES if "b" in prefix else TEXT
