"""Variables of a language in which every block has its own: what each is, from where it is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

# A name that means nothing.
_BLANK = "_"


class _Block(NamedTuple):
    """Up to a byte; `alias` is what each case of it calls the value that it is about."""

    end: int
    names: dict[str, tuple[int, str]]
    alias: str


class Blocks:
    def __init__(self) -> None:
        self._open: list[_Block] = []
        self._bodies: set[int] = set()

    def enter(self, node: Node, alias: str = "") -> None:
        self._leave(node.start_byte)
        if node.start_byte not in self._bodies:
            self._open.append(_Block(node.end_byte, {}, alias))

    def enter_function(self, node: Node) -> None:
        """Its parameters and the variables of its body are of one block."""
        self.enter(node)
        body = node.child_by_field_name("body")
        if body is not None:
            self._bodies.add(body.start_byte)

    def is_outside(self, node: Node) -> bool:
        """Whether it stands in no block at all."""
        self._leave(node.start_byte)
        return not self._open

    def alias(self, node: Node) -> str:
        """What the block right around a node calls the value that it is about."""
        self._leave(node.start_byte)
        return self._open[-1].alias if self._open else ""

    def declare(self, name: str, kind: str, since: int) -> None:
        """A name of the innermost block, "" for a kind that nobody can tell; the first one there is the one."""
        if name != _BLANK and self._open:
            self._open[-1].names.setdefault(name, (since, kind))

    def kind(self, name: str, here: int) -> str | None:
        """Of what a name means at a byte; None where no block has it."""
        for block in reversed(self._open):
            found = block.names.get(name)
            if found is not None and found[0] <= here < block.end:
                return found[1]
        return None

    def _leave(self, here: int) -> None:
        while self._open and self._open[-1].end <= here:
            self._open.pop()
