"""The names that a file defines, noted on the walk."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING

from vetgate.checks.naming.conventions import CONVENTIONS, DEFINITIONS, NameStyle, style_of
from vetgate.source.syntax import first_line
from vetgate.source.walk import Visitor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.source.walk import Walk

_CALLABLE = frozenset({"arrow_function", "function_expression", "generator_function"})


@dataclass(frozen=True, slots=True)
class Name:
    """A name of more than one word; `node` is what it names, `at` where it stands."""

    kind: str
    text: str
    style: NameStyle
    node: Node
    at: Node


@dataclass(eq=False, slots=True)
class Names:
    language: str
    data: bytes
    all: list[Name] = field(default_factory=list)

    def note(self, kind: str, node: Node) -> None:
        at = node.child_by_field_name("name")
        if at is None or (node.type == "variable_declarator" and not _is_function(node)):
            return
        text = self.data[at.start_byte : at.end_byte].decode("utf-8", "replace")
        style = style_of(text)
        if style is not NameStyle.PLAIN and style is not NameStyle.UPPER:
            self.all.append(Name(kind, text, style, node, at))


@cache
def visitor(language: str) -> Visitor:
    def begin(walk: Walk) -> Names:
        return Names(language, walk.syntax.data)

    return Visitor(begin, {node: partial(_note, kind) for node, kind in DEFINITIONS[language].items()})


def noted(names: Names) -> Iterator[int]:
    """The lines of what stands out: in a file without any there is nothing to say."""
    conventions = CONVENTIONS[names.language]
    return (first_line(name.at) for name in names.all if name.style in conventions[name.kind].odd)


def _note(kind: str, names: Names, node: Node) -> None:
    names.note(kind, node)


def _is_function(node: Node) -> bool:
    value = node.child_by_field_name("value")
    return value is not None and value.type in _CALLABLE
