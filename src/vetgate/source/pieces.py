"""A file cut along its seams: statements at the top, members of classes. What is in one seldom asks about another."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from vetgate.source.syntax import Syntax

BIG_LINES = 2_000
# A container shorter than this is one piece.
_WORTH_CUTTING = 30
_SHORT = 16

# These are cut open; whatever lies below is one piece.
_CONTAINERS = frozenset(
    {
        "program",
        "module",
        "source_file",
        "compilation_unit",
        "export_statement",
        "class_declaration",
        "class_definition",
        "class_body",
        "class",
        "block",
        "body_statement",
        "declaration_list",
        "decorated_definition",
        "impl_item",
        "mod_item",
        "namespace_declaration",
        "internal_module",
        "interface_declaration",
        "enum_declaration",
        "enum_body",
        "enum_body_declarations",
        "enum_constant",
        "struct_declaration",
        "trait_declaration",
    }
)


class Piece(NamedTuple):
    """A subtree below `path`, or, if not `whole`, only the node on top of it, at its beginning or where it `closes`.

    `key` tells its text, and what the containers around it say of themselves, from others.
    """

    node: Node
    path: tuple[Node, ...] = ()
    whole: bool = True
    closes: bool = False
    key: bytes = b""

    @property
    def extent(self) -> tuple[int, int]:
        return self.node.start_byte, self.node.end_byte


def cut(syntax: Syntax, first: Sequence[tuple[int, int]] = ()) -> Sequence[Piece]:
    """In the order in which to visit them: as they stand, or with the changed lines of a big file first.

    A container always opens before what is in it, and closes after that.
    """
    pieces = _pieces(syntax)
    if not first or last_line(syntax.tree.root_node) <= BIG_LINES:
        return pieces
    closing = [piece for piece in pieces if piece.closes]
    whole = [(piece, _touches(piece.node, first)) for piece in pieces if piece.whole]
    opening = [piece for piece in pieces if not piece.whole and not piece.closes]
    return [
        *opening,
        *(piece for piece, changed in whole if changed),
        *(piece for piece, changed in whole if not changed),
        *closing,
    ]


@lru_cache(maxsize=4)
def _pieces(syntax: Syntax) -> tuple[Piece, ...]:
    """Of the same tree several times in every answer."""
    return tuple(_cut(syntax))


def _cut(syntax: Syntax) -> Iterator[Piece]:
    root = syntax.tree.root_node
    pending: list[tuple[Node, tuple[Node, ...], bytes | None]] = [(root, (), b"")]
    while pending:
        node, path, heads = pending.pop()
        if heads is None:
            yield Piece(node, path, whole=False, closes=True)
        elif node.type in _CONTAINERS and (node is root or last_line(node) - first_line(node) > _WORTH_CUTTING):
            yield Piece(node, path, whole=False)
            pending.append((node, path, None))
            below, told = (*path, node), heads + _head(syntax, node)
            pending.extend((child, below, told) for child in reversed(node.children))
        else:
            text = heads + syntax.data[node.start_byte : node.end_byte]
            yield Piece(node, path, key=text if len(text) < _SHORT else blake2b(text, digest_size=_SHORT).digest())


def _head(syntax: Syntax, node: Node) -> bytes:
    """What an opened container says of itself: a class's name and bases, the decorators of a definition."""
    inside = node.child_by_field_name("body") or node.child_by_field_name("definition")
    return syntax.data[node.start_byte : inside.start_byte] if inside is not None else b""


def _touches(node: Node, lines: Sequence[tuple[int, int]]) -> bool:
    return any(first_line(node) <= end and start <= last_line(node) for start, end in lines)
