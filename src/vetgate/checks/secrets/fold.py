"""Texts that are put together from literals and from names that stand for one literal each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from vetgate.checks.secrets.evaluate import MEMBERS, Evaluator
from vetgate.checks.secrets.literals import content, unescaped
from vetgate.checks.secrets.match import Pair
from vetgate.checks.secrets.nodes import JOINS, KEYED, LISTS, MAPS, PARTS, STRINGS
from vetgate.checks.secrets.variables import FOLDED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from vetgate.checks.secrets.literals import CollectedLiterals
    from vetgate.source.syntax import Syntax

_GAP = "\0"  # where something unknown stands: no secret reaches across it
_MOST_PARTS = 200
_LONGEST_GROWN = 2_000
_NAMES = frozenset({"identifier", "variable_name", "constant", "simple_identifier"})
_NAMED = _NAMES | MEMBERS
_OPENED = KEYED | JOINS | LISTS | MAPS | STRINGS | PARTS | {"argument"}
_PIECES = frozenset(
    {"string_content", "string_fragment", "escape_sequence", "string_literal_content", "heredoc_content"}
)


def all_pairs(noted: CollectedLiterals) -> tuple[Pair, ...]:
    return (*noted.pairs, *_joined(noted), *_evaluated(noted))


def _evaluated(noted: CollectedLiterals) -> Iterator[Pair]:
    """By no name: what its shape alone tells."""
    if not noted.applied and not any(step.grows for step in noted.grown):
        return
    evaluator = Evaluator(noted.syntax, noted.known, partial(_literal, noted))
    for node in noted.applied.values():
        yield Pair("", evaluator.text(node), node.start_byte, node.end_byte, FOLDED)
    for text, start, end in _grown(noted, evaluator):
        yield Pair("", text, start, end, FOLDED)


def _grown(noted: CollectedLiterals, evaluator: Evaluator) -> Iterator[tuple[str, int, int]]:
    """In the order of the text, each name by itself: what it was given last, and all that was put behind it since."""
    has: dict[str, str] = {}
    for step in sorted(noted.grown, key=lambda each: each.start):
        text = step.value if isinstance(step.value, str) else evaluator.text(step.value)
        has[step.name] = (has.get(step.name, "") if step.grows else "") + text
        if step.grows and not isinstance(step.value, str) and len(has[step.name]) <= _LONGEST_GROWN:
            yield has[step.name], step.start, step.value.end_byte


def _literal(noted: CollectedLiterals, node: Node) -> str:
    return folded(noted.syntax, node, noted.known)


def _joined(noted: CollectedLiterals) -> Iterator[Pair]:
    for node, name in noted.joined.values():
        text = folded(noted.syntax, node, noted.known)
        if len(text.replace(_GAP, "")) >= 8:
            yield Pair("" if _GAP in text else name, text, node.start_byte, node.end_byte, FOLDED)


def folded(syntax: Syntax, node: Node, known: Mapping[str, str]) -> str:
    """Left to right without recursion; a list is folded as if its elements were joined."""
    parts: list[str] = []
    pending = [node]
    while pending and len(parts) < _MOST_PARTS:
        here = pending.pop()
        if here.type in STRINGS and not any(child.type in PARTS for child in here.named_children):
            parts.append(_plain(syntax, here))
        elif here.type in _PIECES:
            parts.append(unescaped(syntax.text(here)))
        elif here.type in _NAMED:
            parts.append(known.get(_name(syntax, here), "") or _GAP)
        elif here.type in _OPENED:
            pending += reversed(_inside(here))
        elif here.type not in {"string_start", "string_end", "comment"}:
            parts.append(_GAP)
    return "".join(parts)


def _name(syntax: Syntax, node: Node) -> str:
    """Of an attribute its last word, whosever it is."""
    return syntax.text(node).lstrip("$").rpartition(".")[2]


def _inside(node: Node) -> list[Node]:
    """Of what stands under a key the value alone."""
    value = node.child_by_field_name("value") if node.type in KEYED else None
    return node.named_children if value is None else [value]


def _plain(syntax: Syntax, node: Node) -> str:
    text, _ = content(syntax.text(node))
    return unescaped(text) if "\\" in text else text
