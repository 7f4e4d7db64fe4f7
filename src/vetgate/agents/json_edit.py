"""Edits of a JSON text that keep its formatting: insert, replace and remove one value at a time.

Each edit returns a new text; whoever makes several parses again in between, which costs nothing at this size.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vetgate.expression import expression

if TYPE_CHECKING:
    from vetgate.agents.json_text import Node

_DEFAULT_INDENT = "  "
_FIRST_INDENT = expression(r"[{\[]\r?\n([ \t]+)\S")


@dataclass(frozen=True, slots=True)
class Style:
    """How a file is laid out; an empty indent means everything on one line."""

    indent: str
    newline: str

    @staticmethod
    def of(text: str) -> Style:
        newline = "\r\n" if "\r\n" in text else "\n"
        found = _FIRST_INDENT.search(text)
        if found:
            return Style(found.group(1), newline)
        one_line = "\n" not in text.strip() and text.strip() not in {"", "{}"}
        return Style("" if one_line else _DEFAULT_INDENT, newline)

    def render(self, value: Any, base: str) -> str:
        if not self.indent:
            return json.dumps(value, ensure_ascii=False)
        text = json.dumps(value, ensure_ascii=False, indent=self.indent)
        return text.replace("\n", self.newline + base)


def insert_member(text: str, container: Node, key: str, value: Any) -> str:
    return _insert(text, container, json.dumps(key) + ": ", value)


def append_item(text: str, container: Node, value: Any) -> str:
    return _insert(text, container, "", value)


def replace(text: str, node: Node, value: Any) -> str:
    style = Style.of(text)
    if not _spans_lines(text, node):
        style = Style("", style.newline)
    return text[: node.start] + style.render(value, _line_indent(text, node.start)) + text[node.end :]


def remove_part(text: str, container: Node, index: int) -> str:
    """Remove the member or item at `index` with the comma and the space that belonged to it."""
    parts = container.parts()
    if len(parts) == 1:
        return text[: container.start + 1] + text[container.end - 1 :]
    start, end = parts[index]
    if index == 0:
        return text[:start] + text[parts[1][0] :]
    return text[: parts[index - 1][1]] + text[end:]


def _insert(text: str, container: Node, prefix: str, value: Any) -> str:
    style = Style.of(text)
    parts = container.parts()
    if not parts:
        return _insert_first(text, container, prefix, style.render(value, _inner_indent(text, container, style)), style)
    last = parts[-1][1]
    if not style.indent or not _spans_lines(text, container):
        compact = Style("", style.newline).render(value, "")
        return f"{text[:last]}, {prefix}{compact}{text[last:]}"
    indent = _line_indent(text, parts[-1][0])
    return f"{text[:last]},{style.newline}{indent}{prefix}{style.render(value, indent)}{text[last:]}"


def _insert_first(text: str, container: Node, prefix: str, rendered: str, style: Style) -> str:
    before, after = text[: container.start + 1], text[container.end - 1 :]
    if not style.indent:
        return f"{before}{prefix}{rendered}{after}"
    outer = _line_indent(text, container.start)
    return f"{before}{style.newline}{outer}{style.indent}{prefix}{rendered}{style.newline}{outer}{after}"


def _inner_indent(text: str, container: Node, style: Style) -> str:
    return _line_indent(text, container.start) + style.indent


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _spans_lines(text: str, node: Node) -> bool:
    return "\n" in text[node.start : node.end]
