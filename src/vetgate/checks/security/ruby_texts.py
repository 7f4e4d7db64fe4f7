"""Texts of Ruby: what is put into them, and where a heredoc has its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.expression import expression

if TYPE_CHECKING:
    from tree_sitter import Node

    from vetgate.source.syntax import Syntax

_CONTENTS = frozenset({"string_content", "escape_sequence", "heredoc_content"})
_TEXTS = frozenset({"string", "chained_string", "heredoc_beginning"})
_LABEL = expression(r"<<[~-]?[\"'`]?(\w+)")
_SIMPLE = {
    "\\n": "\n",
    "\\t": "\t",
    "\\r": "\r",
    "\\0": "\0",
    "\\e": "\x1b",
    "\\s": " ",
    '\\"': '"',
    "\\'": "'",
    "\\\\": "\\",
}


class RubyTexts:
    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax

    def is_text(self, node: Node) -> bool:
        return node.type in _TEXTS

    def of(self, node: Node) -> Expression:
        """A literal when nothing is put in."""
        parts = self._parts(node)
        if all(isinstance(part, Expression) and part.kind == ex.LITERAL for part in parts):
            text = "".join(part.value for part in parts if isinstance(part, Expression))
            return Expression(ex.LITERAL, node, value=text)
        return Expression(ex.TEXT if len(parts) > 1 else ex.PASS, node, items=tuple(parts))

    def _parts(self, node: Node) -> list[Node | Expression]:
        if node.type == "chained_string":
            return [self.of(child) for child in node.named_children]
        holder = self._lines(node) if node.type == "heredoc_beginning" else node
        parts: list[Node | Expression] = []
        for child in holder.named_children if holder is not None else ():
            if child.type in _CONTENTS:
                parts.append(Expression(ex.LITERAL, child, value=self._content(child)))
            elif child.type == "interpolation":
                parts.append(child)
        return parts

    def _content(self, node: Node) -> str:
        text = self._syntax.text(node)
        return _SIMPLE.get(text, text) if node.type == "escape_sequence" else text

    def _lines(self, beginning: Node) -> Node | None:
        """The lines stand further down, below some node around the place where they are used."""
        label = _LABEL.match(self._syntax.text(beginning))
        around = beginning.parent
        while label is not None and around is not None:
            behind = (child for child in around.named_children if child.start_byte >= beginning.end_byte)
            found = next((child for child in behind if self._ends_with(child, label[1])), None)
            if found is not None:
                return found
            around = around.parent
        return None

    def _ends_with(self, body: Node, label: str) -> bool:
        end = body.named_children[-1] if body.type == "heredoc_body" and body.named_children else None
        return end is not None and self._syntax.text(end).strip() == label
