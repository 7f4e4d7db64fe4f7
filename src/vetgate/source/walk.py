"""One walk over a syntax tree, shared by all that want to see it.

A visitor names the node kinds it cares about; everything else costs one table lookup. The walk never recurses
(trees can be 50,000 deep) and looks at the clock now and then.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING, Any

from vetgate.source.language import grammar
from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tree_sitter import Node, TreeCursor

    from vetgate.source.deadline import Deadline
    from vetgate.source.syntax import Syntax

    See = Callable[[Any, Node], None]
    Table = dict[int, tuple[tuple[See, int], ...] | None]

_NODES_BETWEEN_LOOKS = 4096
_STAY_OUT: tuple[tuple[See, int], ...] = ()
_BIG_LINES = 2_000
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

# What a big file is cut into when its changed lines go first: these are entered, whatever lies below is one piece.
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
        "struct_declaration",
        "trait_declaration",
    }
)


@dataclass(eq=False)
class Walk:
    """What a visitor may ask while the walk goes on: the syntax, and the ancestors of the node at hand."""

    syntax: Syntax
    path: list[Node] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Visitor:
    """`begin` makes the state that is handed to every call; kinds in quotes ("'?.'") are tokens without a name.

    A node is entered after its ancestors; one with children is left after its descendants. Between the two, other
    subtrees may come first when the changed lines of a big file do: a visitor that needs places in order goes by
    byte offsets.
    """

    begin: Callable[[Walk], Any]
    enter: Mapping[str, See]
    leave: Mapping[str, See] = field(default_factory=dict)


@dataclass(frozen=True)
class Walked:
    """The visitors' states, and the byte ranges that time did not suffice for."""

    states: tuple[Any, ...]
    unvisited: tuple[tuple[int, int], ...] = ()


@lru_cache(maxsize=64)
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
    going = _Going(syntax, tuple(visitors), deadline)
    pieces = list(_pieces(syntax.tree.root_node, first))
    for index, piece in enumerate(pieces):
        stopped = going.through(piece)
        if stopped is not None:
            rest = (
                (stopped, piece.node.end_byte),
                *((p.node.start_byte, p.node.end_byte) for p in pieces[index + 1 :]),
            )
            return Walked(going.states, rest)
    for piece in reversed(pieces):
        if not piece.whole:
            going.see_leave(piece.node)
    return Walked(going.states)


@dataclass(frozen=True)
class _Piece:
    """A subtree, or, if not `whole`, only the node on top of it."""

    node: Node
    path: tuple[Node, ...] = ()
    whole: bool = True


def _pieces(root: Node, first: Sequence[tuple[int, int]]) -> Iterator[_Piece]:
    """The tree in the order in which to visit it: as it stands, or with the changed lines of a big file first."""
    if not first or last_line(root) <= _BIG_LINES:
        yield _Piece(root)
        return
    later: list[_Piece] = []
    pending = [_Piece(root)]
    while pending:
        piece = pending.pop()
        node = piece.node
        if not any(first_line(node) <= end and start <= last_line(node) for start, end in first):
            later.append(piece)
        elif node.type in _CONTAINERS:
            yield _Piece(node, piece.path, whole=False)
            path = (*piece.path, node)
            pending.extend(_Piece(child, path) for child in reversed(node.children))
        else:
            yield piece
    yield from later


class _Going:
    def __init__(self, syntax: Syntax, visitors: tuple[Visitor, ...], deadline: Deadline) -> None:
        self._walk = Walk(syntax)
        self.states = tuple(visitor.begin(self._walk) for visitor in visitors)
        self._enter, self._leave = _tables(syntax.language, visitors)
        self._leaves = any(visitor.leave for visitor in visitors)
        self._deadline = deadline

    def through(self, piece: _Piece) -> int | None:
        """Visit one piece; the byte offset where time ran out, or None."""
        if self._deadline.passed():
            return piece.node.start_byte
        self._walk.path[:] = piece.path
        if piece.whole:
            return self._descend(piece.node)
        for see, which in self._enter[piece.node.kind_id] or ():
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
