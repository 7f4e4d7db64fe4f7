"""One walk over a syntax tree, shared by all that want to see it, whole or cut along its seams.

A visitor names the node kinds it cares about; everything else costs one table lookup. The walk never recurses
(trees can be 50,000 deep) and looks at the clock now and then. The seams are between statements at the top and between
members of classes: what is in one piece seldom asks about another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.source.language import grammar
from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tree_sitter import Node, TreeCursor

    from vetgate.source.clock import Deadline
    from vetgate.source.syntax import Syntax

    See = Callable[[Any, Node], None]
    Table = dict[int, tuple[tuple[See, int], ...] | None]


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
            # Kept apart: a class with a single member reads the same as what a longer one says, and that member.
            below, told = (*path, node), b"%b%b\0" % (heads, _head(syntax, node))
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


_NODES_BETWEEN_LOOKS = 4096
_STAY_OUT: tuple[tuple[See, int], ...] = ()
_ERRORS = (0xFFFE, 0xFFFF)  # kinds of what did not parse; no grammar lists them

# Never hold code that runs, so the walk stays out of them unless a visitor asks for the kind itself.
_OPAQUE: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        ("typescript", "tsx"),
        frozenset(
            {"type_annotation", "type_arguments", "type_parameters", "interface_declaration", "type_alias_declaration"}
        ),
    ),
    "python": frozenset({"type", "import_statement", "import_from_statement"}),
}


@dataclass(eq=False)
class Walk:
    """What a visitor may ask while the walk goes on: the syntax, and the ancestors of the node at hand."""

    syntax: Syntax
    path: list[Node] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Visitor:
    """`begin` makes the state that is handed to every call; kinds in quotes ("'?.'") are tokens without a name.

    A node is entered after its ancestors; one with children is left after its descendants. When the changed lines of
    a big file come first, other subtrees may come in between: a visitor that needs places in order goes by byte
    offsets.
    """

    begin: Callable[[Walk], Any]
    enter: Mapping[str, See]
    leave: Mapping[str, See] = field(default_factory=dict)


@dataclass(frozen=True)
class Walked:
    """The visitors' states, and the byte ranges that time did not suffice for."""

    states: tuple[Any, ...]
    unvisited: tuple[tuple[int, int], ...] = ()


BLIND = Visitor(lambda _: None, {})


@lru_cache(maxsize=256)
def _tables(language: str, visitors: tuple[Visitor, ...]) -> tuple[Table, Table]:
    kinds = grammar(language)
    opaque = _OPAQUE.get(language, frozenset())
    enter: Table = dict.fromkeys(_ERRORS)
    leave: Table = dict.fromkeys(_ERRORS)
    for number in range(kinds.node_kind_count):
        name = kinds.node_kind_for_id(number) or ""
        named = kinds.node_kind_is_named(number)
        key = name if named else f"'{name}'"
        entering = tuple((v.enter[key], i) for i, v in enumerate(visitors) if key in v.enter)
        leaving = tuple((v.leave[key], i) for i, v in enumerate(visitors) if key in v.leave)
        enter[number] = entering or (_STAY_OUT if key in opaque and not leaving else None)
        leave[number] = leaving or None
    return enter, leave


def walk(
    syntax: Syntax, visitors: Sequence[Visitor], deadline: Deadline, first: Sequence[tuple[int, int]] = ()
) -> Walked:
    """All of a file, for all visitors."""
    everybody = frozenset(range(len(visitors)))
    return walk_pieces(syntax, visitors, deadline, [(piece, everybody) for piece in cut(syntax, first)])


def walk_pieces(
    syntax: Syntax, visitors: Sequence[Visitor], deadline: Deadline, pieces: Sequence[tuple[Piece, frozenset[int]]]
) -> Walked:
    """Each piece for the visitors, by their number, that want to see it."""
    going = PieceWalk(syntax, tuple(visitors), deadline)
    for index, (piece, who) in enumerate(pieces):
        stopped = going.through(piece, who) if who else None
        if stopped is not None:
            here = ((stopped, piece.node.end_byte),) if piece.whole else ()
            later = (other.extent for other, wanted in pieces[index + 1 :] if wanted and other.whole)
            return Walked(going.states, (*here, *later))
    return Walked(going.states)


class PieceWalk:
    """A walk that somebody leads from piece to piece, in any order; the states of the visitors last."""

    def __init__(self, syntax: Syntax, visitors: tuple[Visitor, ...], deadline: Deadline) -> None:
        self._walk = Walk(syntax)
        self.states = tuple(visitor.begin(self._walk) for visitor in visitors)
        self._language = syntax.language
        self._visitors = visitors
        self._who = frozenset(range(len(visitors)))
        self._enter, self._leave = _tables(syntax.language, visitors)
        self._leaves = any(visitor.leave for visitor in visitors)
        self._deadline = deadline

    def through(self, piece: Piece, who: frozenset[int]) -> int | None:
        """Visit one piece; the byte offset where time ran out, or None."""
        if self._deadline.passed():
            return piece.node.start_byte
        if who != self._who:
            self._who = who
            chosen = tuple(v if index in who else BLIND for index, v in enumerate(self._visitors))
            self._enter, self._leave = _tables(self._language, chosen)
        self._walk.path[:] = piece.path
        if piece.whole:
            return self._descend(piece.node)
        for see, which in (self._leave if piece.closes else self._enter)[piece.node.kind_id] or ():
            see(self.states[which], piece.node)
        return None

    def see_leave(self, node: Node) -> None:
        for see, which in self._leave[node.kind_id] or ():
            see(self.states[which], node)

    def _descend(self, root: Node) -> int | None:
        cursor = root.walk()
        while self._further(cursor):
            if self._deadline.passed():
                here: Any = cursor.node
                return int(here.start_byte)
        return None

    def _further(self, cursor: TreeCursor) -> bool:
        """Visit the next few thousand nodes; False at the end of the tree."""
        down, across, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
        enter, states, path = self._enter, self.states, self._walk.path
        pop = self._leave_last if self._leaves else path.pop
        for _ in repeat(None, _NODES_BETWEEN_LOOKS):
            node: Any = cursor.node
            seers = enter[node.kind_id]
            if seers:
                for see, which in seers:
                    see(states[which], node)
            if seers is not _STAY_OUT and down():
                path.append(node)
                continue
            while not across():
                if not up():
                    return False
                pop()
        return True

    def _leave_last(self) -> Node:
        node = self._walk.path.pop()
        self.see_leave(node)
        return node
