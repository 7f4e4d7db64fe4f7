"""Which code runs: dead code, assertions behind a condition, and ranges of a text to ask about."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from vetgate.checks.weakened_test.grammar import BLOCKS, ENDS, IFS, flat, text
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


def expects_failure(node: Node) -> tuple[int, int] | None:
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


class Ranges:
    """Overlapping ones are one: asking takes no longer for many than for few."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(ranges):
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def __contains__(self, place: int) -> bool:
        before = bisect_right(self._starts, place) - 1
        return before >= 0 and place < self._ends[before]


_NEVER = expression(r"\(?(?:False|false|0|None|null|nil|!true|notTrue)\)?|\(?(?:False|false)(?:and|&&).*")
_LEAVES_BLOCK = expression(
    r"^(?:return\b|pytest\.skip\(|self\.skipTest\(|this\.skip\(\)|t\.Skip(?:f|Now)?\(|\$this->markTest)"
)


def dead_ranges(nodes: Iterable[Node]) -> list[tuple[int, int]]:
    return [found for node in nodes for found in (*_behind(node), *_never(node))]


def _behind(node: Node) -> Iterator[tuple[int, int]]:
    if node.type not in BLOCKS:
        return
    for child in node.named_children:
        if child.type in ENDS or (child.type == "expression_statement" and _LEAVES_BLOCK.match(text(child))):
            yield child.end_byte, node.end_byte
            return


def _never(node: Node) -> Iterator[tuple[int, int]]:
    if node.type not in IFS:
        return
    condition = node.child_by_field_name("condition")
    taken = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    if condition is not None and taken is not None and _NEVER.fullmatch(flat(text(condition))):
        yield taken.start_byte, taken.end_byte
