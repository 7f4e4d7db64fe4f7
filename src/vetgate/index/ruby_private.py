"""What a class of Ruby says is private: its own methods, its constants, and the making of its objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from vetgate.index.reading import Reading

_METHODS = ("private_class_method", "public_class_method")
_CONSTANTS = ("private_constant", "public_constant")
_SECTIONS = ("private", "public")
_SYMBOLS = frozenset({"simple_symbol", "bare_symbol"})


def hidden_methods(reading: Reading, statements: Iterable[Node]) -> frozenset[str]:
    return _said(reading, statements, *_METHODS)


def hidden_constants(reading: Reading, statements: Iterable[Node]) -> frozenset[str]:
    return _said(reading, statements, *_CONSTANTS)


def _said(reading: Reading, statements: Iterable[Node], hides: str, shows: str) -> frozenset[str]:
    found: set[str] = set()
    for each in statements:
        word = _word(reading, each)
        if word == hides:
            found.update(_named(reading, each))
        elif word == shows:
            found.difference_update(_named(reading, each))
    return frozenset(found)


def hidden_in_section(reading: Reading, statements: Iterable[Node]) -> frozenset[str]:
    """Of a `class << self`: what stands behind `private`, and what it names."""
    found: set[str] = set()
    hides, shows = _SECTIONS
    is_hidden = False
    for each in statements:
        word = _word(reading, each)
        if each.type == "identifier" and word in {*_SECTIONS, "protected"}:
            is_hidden = word == hides
        elif each.type == "method" and is_hidden:
            found.add(reading.text(each.child_by_field_name("name")))
        elif word == hides:
            found.update(_named(reading, each))
        elif word == shows:
            found.difference_update(_named(reading, each))
    return frozenset(found)


def _word(reading: Reading, node: Node) -> str:
    if node.type == "identifier":
        return reading.text(node)
    is_call = node.type == "call" and node.child_by_field_name("receiver") is None
    return reading.text(node.child_by_field_name("method")) if is_call else ""


def _named(reading: Reading, node: Node) -> Iterator[str]:
    arguments = node.child_by_field_name("arguments")
    pending = list(arguments.named_children) if arguments is not None else []
    while pending:
        each = pending.pop()
        if each.type in _SYMBOLS:
            yield reading.text(each).lstrip(":")
        elif each.type == "symbol_array":
            pending += each.named_children
        elif each.type in {"method", "singleton_method"}:
            yield reading.text(each.child_by_field_name("name"))
