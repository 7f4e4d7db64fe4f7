"""Texts as C# writes them: plain, verbatim, raw, interpolated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.expression import Expression
from vetgate.checks.security.lower_python import unescaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.checks.security.lowering import Item, Lowering

_AROUND = frozenset({"interpolation_brace", "interpolation_alignment_clause", "interpolation_format_clause"})


def literal(raw: str) -> str:
    raw = raw.removesuffix("u8")
    if raw.startswith('"""'):
        return raw.strip('"').strip("\n")
    if raw.startswith("@"):
        return raw[2:-1].replace('""', '"')
    return unescaped(raw[1:-1])


def interpolated(language: Lowering, node: Node) -> tuple[Item, ...]:
    """The pieces of `$"…{value}…"` in their order."""
    return tuple(_pieces(language, node))


def _pieces(language: Lowering, node: Node) -> Iterator[Item]:
    for child in node.named_children:
        if child.type in {"string_content", "interpolated_string_text", "escape_sequence"}:
            yield Expression(ex.LITERAL, child, value=unescaped(language.text(child)))
        elif child.type == "interpolation":
            yield from (inner for inner in child.named_children[:2] if inner.type not in _AROUND)
