"""Ruby: McCabe's cyclomatic complexity with boolean operators, cognitive as the white paper counts it.

A block is a function that belongs to the one around it, one level deeper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.marks import FunctionNode
from vetgate.checks.complexity.nodes import by_field, field_text, parts, qualified, text
from vetgate.checks.complexity.structures import (
    Operators,
    branch,
    caught,
    clause,
    loop,
    runs,
    switch_without_body,
    ternary,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from vetgate.checks.complexity.marks import NodeMarks

_FUNCTIONS = frozenset({"method", "singleton_method"})
_NAMERS = {"class": by_field("name"), "module": by_field("name")}
_LOGICAL = Operators("binary", {"&&": "and", "and": "and", "||": "or", "or": "or"}, "parenthesized_statements")
_CLAUSES = frozenset({"when", "in_clause", "else"})


def _function(marks: NodeMarks, node: Node) -> None:
    own = field_text(node, "name")
    marks.function(
        FunctionNode(
            node,
            qualified(marks, own, _NAMERS, _FUNCTIONS),
            plain=own,
            parameters=len(parts(node.child_by_field_name("parameters"))),
            adds_thought=True,
        )
    )


def _else(marks: NodeMarks, node: Node) -> None:
    """Of an `if` only: a `case` is one thought, and what follows a `begin` without errors is none."""
    if marks.path and marks.path[-1].type in {"if", "unless", "elsif"}:
        marks.thought(node, "else")
        marks.deeper(node)


def _begin(marks: NodeMarks, node: Node) -> None:
    if any(part.type in {"rescue", "ensure"} for part in parts(node)):
        marks.control(node, "begin")


def _block(marks: NodeMarks, node: Node) -> None:
    marks.deeper(node)


def _call(marks: NodeMarks, node: Node) -> None:
    receiver = node.child_by_field_name("receiver")
    if receiver is None or receiver.type == "self":
        marks.call(node, text(node.child_by_field_name("method")))


TABLE: Mapping[str, Callable[[NodeMarks, Node], None]] = {
    **dict.fromkeys(_FUNCTIONS, _function),
    "do_block": _block,
    "block": _block,
    "if": loop("if", "consequence"),
    "unless": loop("unless", "consequence"),
    "if_modifier": loop("if", "body"),
    "unless_modifier": loop("unless", "body"),
    "elsif": clause("elsif", "consequence"),
    "else": _else,
    "while": loop("while"),
    "until": loop("until"),
    "while_modifier": loop("while"),
    "until_modifier": loop("until"),
    "for": loop("for"),
    "case": switch_without_body("case", _CLAUSES),
    "case_match": switch_without_body("case", _CLAUSES),
    "when": branch("when"),
    "in_clause": branch("in"),
    "if_guard": branch("guard"),
    "unless_guard": branch("guard"),
    "begin": _begin,
    "rescue": caught("rescue"),
    "rescue_modifier": caught("rescue", "handler"),
    "conditional": ternary(),
    "binary": runs(_LOGICAL),
    "call": _call,
}
