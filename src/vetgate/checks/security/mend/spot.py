"""A place in a file that is to be mended: its code, what is handed over there, and how the file writes things."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.pieces import Pieces
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from vetgate.checks.security.scan import Noted

_SPACE = expression(r"\s+")
# `{price:.2f}` is more than the value, and so are `{name!r}` and `%05d`.
_FORMATTED = expression(r"\{[^{}]*[^{}:=!<>](?::[^{}:=][^{}]*|![rsa])\}|%[\d.#+-]+[sdfx]")


class Code(NamedTuple):
    """What is put into a text, as it is written."""

    text: str


Parts = list[str | Code]


class Spot:
    def __init__(self, noted: Noted, node: Node) -> None:
        self._noted = noted
        self.family = noted.family
        self.is_python = noted.family == "python"
        self.code = noted.syntax.text(node)
        self.expression = noted.module.lower(node)

    @property
    def callee(self) -> str:
        """As it is written; nothing where this is no call."""
        return self.written(self.expression.items[0]) if self.expression.kind == ex.CALL else ""

    @property
    def arguments(self) -> list[tuple[str, Node | Expression]]:
        """With their names, which most do not have."""
        given = self.expression.items[1:]
        keys = (*self.expression.keys, *[None] * len(given))
        return [(key or "", item) for key, item in zip(keys, given, strict=False)]

    @property
    def path(self) -> str:
        """What is called, by its full name."""
        return self._noted.matcher.paths.of(self.expression.items[0]) if self.callee else ""

    def imports(self, names: Sequence[str]) -> bool:
        """Whether the file speaks of one of these packages."""
        text = self._noted.syntax.data.decode("utf-8", "replace")
        either = "|".join(map(re.escape, names))
        named = rf"^\s*(?:import|from)\b[^\n]*\b(?:{either})\b" if self.is_python else rf"[\"'](?:{either})(?:/|[\"'])"
        return re.search(named, text, re.MULTILINE) is not None

    def written(self, item: Node | Expression) -> str:
        return _SPACE.sub(" ", self._noted.syntax.text(_node(item))).strip()

    def parts(self, item: Node | Expression) -> Parts:
        """The text that is handed over: what stands in it, and the code for what is put in; none if it is formatted."""
        matcher = self._noted.matcher
        found = Pieces(self._noted.module, matcher.paths, matcher.constants).of(item)
        if self.is_python and _FORMATTED.search(self._noted.syntax.text(_node(item))):
            return []
        return [part if isinstance(part, str) else Code(self.written(part)) for part in found]


def _node(item: Node | Expression) -> Node:
    return item.node if isinstance(item, Expression) else item
