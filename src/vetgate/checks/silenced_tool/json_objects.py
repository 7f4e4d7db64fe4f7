"""Objects of JSON, with comments or without, and of configuration written in JavaScript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.model import Unchecked
from vetgate.source.syntax import Source, first_line, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    ReadSetting = tuple[tuple[str, ...], str | float | bool | None, int]

_DEEPEST = 40
_WORDS = {"true": True, "false": False, "null": None}


def read(text: str) -> Iterator[ReadSetting]:
    """Every key that leads to a plain value; an object by itself is no program, so it is put in parentheses."""
    is_object = text.lstrip()[:1] in {"{", "["}
    syntax = parse(Source("settings", f"({text})" if is_object else text, "typescript"))
    if isinstance(syntax, Unchecked):
        return
    pending: list[tuple[tuple[str, ...], Node]] = [((), syntax.tree.root_node)]
    while pending:
        keys, node = pending.pop()
        if node.type in {"comment", "function_declaration"} or len(keys) > _DEEPEST:
            continue
        plain = _plain(node)
        if plain is not None and keys:
            yield keys, plain[0], first_line(node)
        elif node.type == "pair":
            value, name = node.child_by_field_name("value"), node.child_by_field_name("key")
            if value is not None and name is not None:
                pending.append(((*keys, _name(name)), value))
        elif plain is None:
            pending += [(keys, child) for child in reversed(node.named_children)]


def _plain(node: Node) -> tuple[str | float | bool | None] | None:
    text = (node.text or b"").decode("utf-8", "replace")
    if node.type in _WORDS:
        return (_WORDS[node.type],)
    if node.type == "string":
        return (text[1:-1],)
    if node.type in {"number", "unary_expression"}:
        try:
            return (float(text) if "." in text else int(text),)
        except ValueError:
            return None
    return (text,) if node.type in {"identifier", "member_expression", "regex"} else None


def _name(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace").strip("\"'")
