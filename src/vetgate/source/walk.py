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
from vetgate.source.pieces import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tree_sitter import Node, TreeCursor

    from vetgate.source.clock import Deadline
    from vetgate.source.pieces import Piece
    from vetgate.source.syntax import Syntax

    See = Callable[[Any, Node], None]
    Table = dict[int, tuple[tuple[See, int], ...] | None]

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
