"""Blocks of Rust: each may give a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.security.lowering import named

if TYPE_CHECKING:
    from tree_sitter import Node

_VALUES = ("_expression", "_literal", "identifier", "_block")


def tail_of(block: Node) -> Node | None:
    """What stands last without a semicolon is what the block gives."""
    last = named(block)[-1:]
    if not last:
        return None
    if last[0].type == "expression_statement":
        inner = last[0].named_children[:1]
        ended = last[0].children[-1].type == ";"
        return inner[0] if inner and not ended else None
    kind = last[0].type
    return last[0] if kind.endswith(_VALUES) or kind in {"block", "macro_invocation", "self"} else None
