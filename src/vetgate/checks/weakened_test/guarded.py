"""Assertions that are only reached where a condition holds, and assignments that hold only for so many values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.weakened_test.grammar import IFS, flat, text
from vetgate.checks.weakened_test.swallowed import SPEAKS
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

# What a test has to ask because it runs in several places.
_PLACES = expression(
    r"platform|version|os\.name|GOOS|RUNTIME|environ|getenv|process\.env|cfg!|PHP_OS|PHP_VERSION|RUBY_|_POSIX|WINDOWS"
    r"|is_?windows|is_?linux|is_?mac|is_?pypy|IS_|HAS_|has_",
)
_LEAVES = expression(r"\{?return(?:None|null|undefined|nil)?;?\}?")
_RAISES = expression(r"^(?:async\s+)?with\b.*\b(?:raises|assertRaises\w*|warns|assertWarns\w*)\s*\(")
_EXACT = frozenset({"tuple_pattern", "pattern_list", "list_pattern"})


def guarded_ranges(nodes: Iterable[Node]) -> list[tuple[int, int]]:
    """The bytes of branches without a counterpart that speaks up, and of what is behind one that leaves."""
    return [found for node in nodes if node.type in IFS for found in _alone(node)]


def _alone(node: Node) -> Iterator[tuple[int, int]]:
    condition = node.child_by_field_name("condition")
    taken = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    if condition is None or taken is None or _PLACES.search(text(condition)):
        return
    others = node.children_by_field_name("alternative")
    if not any(SPEAKS.search(text(other)) for other in others):
        yield taken.start_byte, taken.end_byte
    if not others and _LEAVES.fullmatch(flat(text(taken))) and node.parent is not None:
        yield node.end_byte, node.parent.end_byte


def meant_to_fail(node: Node) -> tuple[int, int] | None:
    """What `with pytest.raises(...)` waits for: an `assert` there is what fails, or is never reached."""
    body = node.child_by_field_name("body")
    head = text(node).partition("\n")[0]
    return (body.start_byte, body.end_byte) if body is not None and _RAISES.search(head) else None


def counts_exactly(node: Node) -> bool:
    """`(only,) = found` fails unless there is one; `[first, second] = found` unless there are two."""
    left = node.child_by_field_name("left")
    if left is None or left.type not in _EXACT or "*" in flat(text(left)):
        return False
    return left.named_child_count == 1 or left.type == "list_pattern"
