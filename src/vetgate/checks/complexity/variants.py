"""What counts against a limit where that differs from what is measured: a switch once, no lines of comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.complexity.trail import Folded
from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.checks.complexity.definitions import Measures
    from vetgate.checks.complexity.trail import FunctionTrail

_CASES = frozenset({"case", "match arm"})
_CASES_OF_RUBY = frozenset({"when", "in_clause"})
_SWITCHES = frozenset(
    [
        "switch_statement",
        "switch_expression",
        "match_statement",
        "match_expression",
        "case",
        "case_match",
        "expression_switch_statement",
        "type_switch_statement",
        "select_statement",
    ]
)
_LEVELS = 5


def modified_cyclomatic(function: Measures) -> int:
    """As ESLint's `modified` variant: each switch or match is one branch, however many cases it has."""
    cases = list(_cases(function.trail))
    return function.cyclomatic - len(cases) + len({_switch_of(case) for case in cases})


def _cases(trail: FunctionTrail) -> Iterator[Node]:
    pending = [trail]
    while pending:
        for item in pending.pop().branches:
            if isinstance(item, Folded):
                pending.append(item.trail)
            elif item[1] in _CASES or item[0].type in _CASES_OF_RUBY:
                yield item[0]


def _switch_of(case: Node) -> int:
    holder = case.parent
    for _ in range(_LEVELS):
        if holder is None:
            break
        if holder.type in _SWITCHES and holder.is_named:
            return holder.id
        holder = holder.parent
    return case.id


def code_lines(function: Measures) -> int:
    """Lines without those that hold nothing but a comment or the function's documentation."""
    start, end = function.extent
    spoken: set[int] = set()
    code: set[int] = set()
    top = function.syntax.tree.root_node.descendant_for_byte_range(start, end)
    pending = [top] if top is not None else []
    while pending:
        node = pending.pop()
        if node.end_byte <= start or node.start_byte >= end:
            continue
        first, last = first_line(node), last_line(node)
        if first == last and first in code:
            continue  # its line counts, whatever else stands there
        kind = node.type
        if "comment" in kind or (kind == "expression_statement" and _is_documentation(node)):
            spoken.update(range(first, last + 1))
        elif node.child_count and not kind.endswith("string"):
            pending.extend(node.children)
        else:
            code.update(range(first, last + 1))
    # What stands on the first lines beside the head, a decorator say, belongs to the length as well.
    within = range(function.line, function.end_line + 1)
    return function.length - len([line for line in spoken - code if line in within])


def _is_documentation(node: Node) -> bool:
    """A text that stands for itself as the first statement of a function or a class."""
    if node.named_child_count != 1:
        return False
    holder = node.parent
    if node.named_children[0].type != "string" or holder is None or holder.type != "block":
        return False
    first = next((child for child in holder.named_children if "comment" not in child.type), None)
    return first is not None and first.id == node.id
