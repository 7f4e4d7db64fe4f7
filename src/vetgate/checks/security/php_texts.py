"""Texts of PHP and what is put into them; names with the spaces they stand in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.lowering import named
from vetgate.expression import expression

if TYPE_CHECKING:
    from tree_sitter import Node

    from vetgate.source.syntax import Syntax

_CONTENTS = frozenset({"string_content", "escape_sequence"})
_ESCAPE = expression(r"\\(u\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "e": "\x1b", "f": "\f", "\\": "\\", "$": "$", '"': '"'}


class PhpTexts:
    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax

    def of(self, node: Node) -> Expression:
        """A literal when nothing is put in."""
        parts = [self._part(child, single=node.type == "string") for child in named(node)]
        known = [part.value for part in parts if isinstance(part, Expression)]
        if len(known) == len(parts):
            return Expression(ex.LITERAL, node, value="".join(known))
        return Expression(ex.TEXT if len(parts) > 1 else ex.PASS, node, items=tuple(parts))

    def _part(self, child: Node, *, single: bool) -> Node | Expression:
        if child.type not in _CONTENTS:
            return child
        raw = self._syntax.text(child)
        plain = re.sub(r"\\([\\'])", r"\1", raw) if single else unescaped(raw)
        return Expression(ex.LITERAL, child, value=plain)


def unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] in "ux" and len(code) > 1:
            return chr(min(int(code[1:].strip("{}"), 16), 0x10FFFF))
        if code[0] in "01234567":
            return chr(int(code, 8))
        return _SIMPLE.get(code, f"\\{code}")

    return _ESCAPE.sub(one, text) if "\\" in text else text


def dotted(name: str) -> str:
    r"""`\App\Models\User` is `App.Models.User`."""
    return name.lstrip("\\").replace("\\", ".")
