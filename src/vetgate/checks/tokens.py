"""What a place in a text is: code, a string, a comment; asked only where something was found there."""

from __future__ import annotations

import enum
import re
from typing import TYPE_CHECKING

from vetgate.model import Unchecked
from vetgate.source.syntax import parse

if TYPE_CHECKING:
    from tree_sitter import Node

    from vetgate.source.syntax import Source, Syntax

_BOM = "\ufeff"
_QUOTED = re.compile(
    r"string|text|heredoc|nowdoc|char|rune|regex|template|fragment|escape|raw_|html|quoted_attribute|symbol"
)
_NAMES = re.compile(r"identifier|name|constant|variable|word")


class LexicalKind(enum.Enum):
    CODE = "code"
    STRING = "a string"
    COMMENT = "a comment"


class Tokens:
    """Places of one parsed text, by its character offsets."""

    def __init__(self, syntax: Syntax, text: str) -> None:
        self.syntax = syntax
        self.shift = int(text.startswith(_BOM))
        self._text = text
        self._is_plain = text.isascii()
        self._last = (self.shift, 0)

    def node(self, offset: int) -> Node | None:
        """The smallest node around a character."""
        start = self.byte(offset)
        return self.syntax.tree.root_node.descendant_for_byte_range(start, start + 1)

    def kind(self, offset: int) -> LexicalKind:
        node = self.node(offset)
        return LexicalKind.CODE if node is None else kind_of(node)

    def character(self, byte: int) -> int:
        """The offset of the character that begins at a byte."""
        if self._is_plain:
            return byte
        return len(self.syntax.data[:byte].decode("utf-8", "replace")) + self.shift

    def byte(self, offset: int) -> int:
        """Counted on from the last answer: who asks for many asks in order."""
        if self._is_plain:
            return offset
        known, counted = self._last if self._last[0] <= offset else (self.shift, 0)
        counted += len(self._text[known:offset].encode("utf-8", "replace"))
        self._last = (offset, counted)
        return counted


def tokens(source: Source) -> Tokens | None:
    """None where there is no grammar for it, or the text is beyond its limits."""
    if source.language is None:
        return None
    syntax = parse(source)
    if isinstance(syntax, Unchecked):
        return None
    return Tokens(syntax, source.text)


def kind_of(node: Node) -> LexicalKind:
    if "comment" in node.type:
        return LexicalKind.COMMENT
    if _QUOTED.search(node.type):
        return LexicalKind.STRING
    parent = node.parent
    if parent is None or _NAMES.search(node.type):
        return LexicalKind.CODE
    if "comment" in parent.type:
        return LexicalKind.COMMENT
    # A quote or a content without a name of its own; what is interpolated has one.
    return LexicalKind.STRING if not node.is_named and _QUOTED.search(parent.type) else LexicalKind.CODE
