"""The code to fix: what it is, which arguments it gets, and how the file writes quotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.fixes.exact import Exact
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from vetgate.checks.security.fixes.exact import Parts
    from vetgate.checks.security.scan import FileScan

_SPACE = expression(r"\s+")
# Comments, and texts of several lines.
_NEEDS_LINES = expression(r"#|//|`|\"\"\"|\'\'\'")
_CONDITIONS = frozenset({"comparison_operator", "if_statement", "not_operator", "while_statement", "elif_clause"})


class Spot:
    def __init__(self, noted: FileScan, node: Node) -> None:
        self._noted = noted
        self.family = noted.family
        self.is_python = noted.family == "python"
        self._node = node
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

    @property
    def is_statement(self) -> bool:
        """Whether nobody asks what comes of it."""
        return _around(self._node) == "expression_statement"

    @property
    def is_condition(self) -> bool:
        return _around(self._node) in _CONDITIONS

    def imports(self, names: Sequence[str]) -> bool:
        """Whether the file loads one of these packages."""
        either = "|".join(map(re.escape, names))
        if self.is_python:
            named = rf"^\s*(?:from\s+(?:{either})[\w.]*\s+import\b|import\s+(?:[\w. ]+,\s*)*(?:{either})(?![\w]))"
        else:
            named = rf"(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*[\"'](?:{either})(?:/[^\"']*)?[\"']"
        loads = re.compile(named, re.MULTILINE)
        return self._noted.module.about_text(f"loads {either}", lambda text: loads.search(text) is not None)

    def written(self, item: Node | Expression) -> str:
        """On one line; nothing where a line break means something."""
        text = self._noted.syntax.text(_node(item))
        return _SPACE.sub(" ", text).strip() if "\n" not in text or not _NEEDS_LINES.search(text) else ""

    def parts(self, item: Node | Expression) -> Parts:
        """The text that is passed: what stands in it, and the code for what is put in."""
        return Exact(self._noted).of(item)


def _node(item: Node | Expression) -> Node:
    return item.node if isinstance(item, Expression) else item


def _around(node: Node) -> str:
    parent = node.parent
    return parent.type if parent is not None else ""


def quoted(text: str, like: str, *, is_python: bool) -> str:
    """A literal with the quotes of another one; nothing where that would take escapes."""
    if "\\" in text or not text.isprintable():
        return ""
    first = next((sign for sign in like if sign in "\"'`"), '"')
    wanted = first if is_python or first != "`" else '"'
    mark = next((sign for sign in (wanted, '"', "'") if sign not in text), "")
    return f"{mark}{text}{mark}" if mark else ""


def wrapped(code: str, before: str, after: str, *, is_python: bool) -> str:
    """A value with something before and after it; nothing where quotes would meet quotes."""
    if not before and not after:
        return code
    if not is_python:
        return f"`{before}${{{code}}}{after}`" if "`" not in code else ""
    mark = next((sign for sign in ('"', "'") if sign not in code), "")
    fits = mark and "\\" not in code and not code.startswith("{")
    return f"f{mark}{before}{{{code}}}{after}{mark}" if fits else ""
