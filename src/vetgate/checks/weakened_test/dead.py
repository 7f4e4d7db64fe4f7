"""Code that never runs: behind a return, or in a branch that is never taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.weakened_test.grammar import BLOCKS, ENDS, IFS, flat, text
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

_NEVER = expression(r"\(?(?:False|false|0|None|null|nil|!true|notTrue)\)?|\(?(?:False|false)(?:and|&&).*")
_LEAVES = expression(
    r"^(?:return\b|pytest\.skip\(|self\.skipTest\(|this\.skip\(\)|t\.Skip(?:f|Now)?\(|\$this->markTest)"
)


def dead_ranges(nodes: Iterable[Node]) -> list[tuple[int, int]]:
    return [found for node in nodes for found in (*_behind(node), *_never(node))]


def _behind(node: Node) -> Iterator[tuple[int, int]]:
    if node.type not in BLOCKS:
        return
    for child in node.named_children:
        if child.type in ENDS or (child.type == "expression_statement" and _LEAVES.match(text(child))):
            yield child.end_byte, node.end_byte
            return


def _never(node: Node) -> Iterator[tuple[int, int]]:
    if node.type not in IFS:
        return
    condition = node.child_by_field_name("condition")
    taken = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    if condition is not None and taken is not None and _NEVER.fullmatch(flat(text(condition))):
        yield taken.start_byte, taken.end_byte
