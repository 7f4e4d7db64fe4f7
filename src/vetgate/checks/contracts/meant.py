"""Calls that are meant to fail: a test that asserts so says it around them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.model import Unchecked
from vetgate.source.language import language_of
from vetgate.source.syntax import Source, parse

if TYPE_CHECKING:
    from tree_sitter import Node

    from vetgate.index.facts import Call
    from vetgate.index.view import View
    from vetgate.source.syntax import Syntax

_FAILING = (
    "raises",
    "assertraises",
    "throws",
    "tothrow",
    "rejects",
    "xfail",
    "assert_raise",
    "raise_error",
    "expectexception",
    "argumentcounterror",
    "argumenterror",
)

# Said of the next line: whoever wrote it knows that it does not fit.
_KNOWN_WRONG = (b"@ts-ignore", b"@ts-expect-error")
_WAITS = expression(r"->(?:expect|setExpected)(?:Exception|Error|Warning|Deprecation)")


def is_meant_to_fail(view: View, path: str, call: Call) -> bool:
    syntax = parse(Source(path, view.text(path), language_of(path)))
    if isinstance(syntax, Unchecked):
        return False
    lines = syntax.data.split(b"\n")
    if any(word in line for line in lines[max(call.line - 2, 0) : call.line] for word in _KNOWN_WRONG):
        return True
    start = sum(len(line) + 1 for line in lines[: call.line - 1])
    name = re.escape(call.callee.rpartition(".")[2].removeprefix("new ").encode())
    at = re.compile(rb"(?<!\w)" + name + rb"(?!\w)").search(syntax.data, start)
    node = syntax.tree.root_node.descendant_for_byte_range(at.start(), at.start() + 1) if at else None
    while node is not None:
        if any(word in _said(syntax, node) for word in _FAILING):
            return True
        node = node.parent
    return False


def _said(syntax: Syntax, node: Node) -> str:
    """What a node says of all that is in it: the head of a `with`, what is called, what is reached, a decorator."""
    parts: tuple[Node | None, ...] = ()
    if node.type == "with_statement":
        parts = tuple(child for child in node.named_children if child.type == "with_clause")
    elif node.type in {"call", "call_expression"} and syntax.language != "ruby":
        parts = (node.child_by_field_name("function"),)
    elif node.type == "decorated_definition":
        parts = tuple(child for child in node.named_children if child.type == "decorator")
    elif syntax.language == "ruby" and node.type == "call":
        parts = (node.child_by_field_name("method"), node.child_by_field_name("arguments"))
    elif syntax.language == "ruby" and node.type in {"begin", "body_statement"}:
        rescues = (child for child in node.named_children if child.type == "rescue")
        parts = tuple(child.child_by_field_name("exceptions") for child in rescues)
    elif node.type == "member_call_expression":
        parts = (node.child_by_field_name("name"),)
    elif syntax.language == "php" and node.type in {"method_declaration", "try_statement"}:
        return _expected(syntax, node)
    # What is called may be a whole chain of calls; its end says what is done.
    return " ".join(syntax.text(part).lower()[-200:] for part in parts if part is not None)


def _expected(syntax: Syntax, node: Node) -> str:
    """What a test or a `try` in PHP says it waits for: beside the call, not around it."""
    if node.type == "method_declaration":
        return "expectexception" if _WAITS.search(syntax.text(node)) else ""
    return " ".join(syntax.text(child).lower() for child in node.named_children if child.type == "catch_clause")[:200]
