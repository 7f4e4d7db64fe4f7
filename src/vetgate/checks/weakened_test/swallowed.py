"""Assertions whose failure nobody hears of: caught, and nothing said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.weakened_test.grammar import HANDLERS, line_of, text
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

# Or keeps what was caught, to be looked at later.
SPEAKS = expression(
    r"\braises?\b|\bthrow\b|assert|expect|\bfail\w*\s*\(|\.Fail|reject\(|done\(|\bpanic|\.Error|\.Fatal|t\.fail|exit\("
    r"|\.(?:append|add|put|push|set_exception)\(\s*(?:\w+\(\s*)?(?:e|ex|err|error|exc|exception)\b",
    re.IGNORECASE,
)
_BROAD = {
    "except_clause": expression(r"^except\s*(?::|$|.*\b(?:Exception|BaseException|AssertionError)\b)"),
    "except_group_clause": expression(r"^except\s*\*"),
    "rescue": expression(r"Exception|Minitest::Assertion|ExpectationNotMet|Assertion"),
}
_ANY = expression(r"Exception\b|Throwable|AssertionFailed|ExpectationFailed|\bError\b")
# Java's assertions are errors and no exceptions.
_DECLARED = {
    "catch_formal_parameter": expression(r"\b(?:AssertionError|Error|Throwable|AssertionFailed\w*)\b"),
    "catch_declaration": _ANY,
    "type_list": _ANY,
}
_SUPPRESS = expression(r"suppress\([^)]*(?:AssertionError|BaseException|\bException)")


def swallows(node: Node) -> Iterator[tuple[int, int, int]]:
    """The bytes whose assertions are swallowed, and the line to tell."""
    if node.type == "with_statement":
        head = text(node).partition("\n")[0]
        if _SUPPRESS.search(head):
            yield node.start_byte, node.end_byte, line_of(node)
        return
    handlers = [each for each in node.named_children if each.type in HANDLERS]
    if not handlers or any(SPEAKS.search(_body(each)) for each in handlers):
        return
    if any(_catches(each) for each in handlers):
        yield node.start_byte, handlers[0].start_byte, line_of(node)


def _catches(handler: Node) -> bool:
    if handler.type in _BROAD:
        head = text(handler).partition("\n")[0]
        return bool(_BROAD[handler.type].search(head))
    declared = next((each for each in handler.named_children if each.type in _DECLARED), None)
    # A language without types in its handlers catches everything.
    return declared is None or bool(_DECLARED[declared.type].search(text(declared)))


def _body(handler: Node) -> str:
    """Without what is caught, whose name may speak of assertions."""
    said = text(handler)
    return said.partition("{")[2] if "{" in said else said.partition("\n")[2] or said.partition(":")[2]
