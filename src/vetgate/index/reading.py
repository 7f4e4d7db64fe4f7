"""One walk over a syntax tree that notes everything the index wants to know of it."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from vetgate.index.facts import STATIC, Facts, FunctionTokens, IndexedText
from vetgate.index.objects import Objects
from vetgate.index.similarity import FEWEST, FIRST_NAME, NAME, NAMES, NUMBER, OPENS, REACHES, SILENT, codes
from vetgate.source.recent_sets import RecentValues
from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from vetgate.index.facts import CallSite, Definition, Export, Import
    from vetgate.index.objects import Names
    from vetgate.source.syntax import Syntax
    from vetgate.source.walk import Piece

    See = Callable[["Reading", Node], None]

# A name that means nothing.
_BLANK = "_"


class _NameBlock(NamedTuple):
    """Up to a byte; `alias` is what each case of it calls the value that it is about."""

    end: int
    names: dict[str, tuple[int, str]]
    alias: str


class Blocks:
    def __init__(self) -> None:
        self._open: list[_NameBlock] = []
        self._bodies: set[int] = set()

    def enter(self, node: Node, alias: str = "") -> None:
        self._leave(node.start_byte)
        if node.start_byte not in self._bodies:
            self._open.append(_NameBlock(node.end_byte, {}, alias))

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


CLASS, FUNCTION, MODULE = "class", "function", "module"
UNNAMED = "(unnamed)"
# A base class that has no name, or whatever else may change what a class is.
UNKNOWN = "?"


class ReadingScope(NamedTuple):
    """A class or a function up to a byte, and what its names are."""

    end: int
    kind: str
    name: str
    holds: Names


class Reading:
    """What the readers of a language fill in while the walk goes on."""

    def __init__(self, syntax: Syntax) -> None:
        self.syntax = syntax
        self.definitions: list[Definition] = []
        self.calls: list[CallSite] = []
        self.imports: list[Import] = []
        self.exports: list[Export] = []
        self.bound: set[str] = set()
        self.rebound: set[str] = set()
        self.space = ""
        self.functions: list[tuple[str, Node]] = []
        # Said ahead of a node, by where it begins: the name it is assigned to, whether it is exported, its decorators.
        self.names: dict[int, str] = {}
        self.exported: set[int] = set()
        # What is part of a value has a name and is still no definition of the file.
        self.members: set[int] = set()
        # Its type is said elsewhere, or it may be replaced.
        self.loose: set[int] = set()
        self.decorators: dict[int, tuple[str, ...]] = {}
        # Symbols of which the class that they stand in says that they are private.
        self.hidden: set[str] = set()
        # Type parameters of classes.
        self.generics: set[str] = set()
        self.objects = Objects(self.calls)
        self.blocks = Blocks()
        self._scopes: list[ReadingScope] = []
        self._variables: list[tuple[int, str, str]] = []

    def text(self, node: Node | None) -> str:
        return self.syntax.text(node) if node is not None else ""

    def dotted(self, node: Node | None, kind: str, member: str, owner: str) -> str:
        """`a.b.c` of nodes of this kind, each with these two fields; `?.c` where it is reached by more than names."""
        parts: list[str] = []
        while node is not None and node.type == kind:
            parts.append(self.text(node.child_by_field_name(member)))
            node = node.child_by_field_name(owner)
        if node is not None and node.type == "identifier":
            return ".".join((self.text(node), *reversed(parts)))
        return f"?.{parts[0]}" if parts else ""

    def open_scope(self, node: Node, kind: str, name: str) -> None:
        self._leave(node)
        self._scopes.append(ReadingScope(node.end_byte, kind, name, {}))

    def symbol(self, node: Node, name: str) -> str:
        self._leave(node)
        return ".".join([*(scope.name for scope in self._scopes if scope.name), name])

    def is_inside_function(self, node: Node) -> bool:
        self._leave(node)
        return any(scope.kind == FUNCTION for scope in self._scopes)

    def is_method(self, node: Node) -> bool:
        """Whether it stands in a function that stands in a class, and in no other."""
        self._leave(node)
        kinds = [scope.kind for scope in self._scopes[-2:]]
        return kinds == [CLASS, FUNCTION]

    def is_inside(self, node: Node) -> bool:
        """A class or a function."""
        self._leave(node)
        return bool(self._scopes)

    def owner(self, node: Node) -> str:
        """The class whose `self` or `this` is meant here."""
        self._leave(node)
        for depth in range(len(self._scopes), 0, -1):
            if self._scopes[depth - 1].kind == CLASS:
                return ".".join(scope.name for scope in self._scopes[:depth] if scope.name)
        return ""

    def around(self, node: Node) -> list[tuple[str, str]]:
        """The kinds and names of all that it stands in, the outermost first."""
        self._leave(node)
        return [(scope.kind, scope.name) for scope in self._scopes]

    def scope(self, node: Node, kind: str = "", above: int = 0) -> Names:
        """What the names are of the class it stands in, or of the function that holds its variables."""
        self._leave(node)
        known = self._scopes[: len(self._scopes) - above]
        if kind:
            return next((each.holds for each in reversed(known) if each.kind == kind), {})
        return known[-1].holds if known and known[-1].kind != CLASS else {}

    def here(self, node: Node) -> Names:
        """What the names are of the innermost scope."""
        self._leave(node)
        return self._scopes[-1].holds if self._scopes else self.objects.outermost

    def functions_around(self, node: Node) -> list[Names]:
        """What names are in the functions around, the innermost first; a class hides its names from its functions."""
        self._leave(node)
        return [scope.holds for scope in reversed(self._scopes) if scope.kind == FUNCTION]

    def fields(self, node: Node) -> Names:
        """What the fields are of the class whose `self` or `this` is meant; none in a function with another `this`."""
        around = self._with_this(node)
        return around.holds if around is not None and around.kind == CLASS else {}

    def is_of_class(self, node: Node) -> bool:
        """Whether `this` is an object of the class around, or that class itself."""
        around = self._with_this(node)
        return around is not None and around.kind == CLASS

    def is_static(self, node: Node) -> bool:
        """Whether it stands in a method of the class itself."""
        self._leave(node)
        inner = takewhile(lambda each: each.kind != CLASS, reversed(self._scopes))
        return any(STATIC in each.holds for each in inner)

    def _with_this(self, node: Node) -> ReadingScope | None:
        self._leave(node)
        return next((each for each in reversed(self._scopes) if each.kind == CLASS or "this" in each.holds), None)

    def _leave(self, node: Node) -> None:
        while self._scopes and self._scopes[-1].end <= node.start_byte:
            self._scopes.pop()

    def declare(self, name: str, kind: str, until: int) -> None:
        """A variable of a type, "" for one that nobody can tell, up to a byte."""
        self._variables.append((until, name, kind))

    def type_of(self, node: Node, name: str) -> str | None:
        """Of the variable that a name means at a node; None for no variable."""
        here = node.start_byte
        while self._variables and self._variables[-1][0] <= here:
            self._variables.pop()
        return next((kind for until, each, kind in reversed(self._variables) if each == name and until > here), None)

    def facts(self, *, unsure: bool) -> Facts:
        self.objects.settle()
        return Facts(
            tuple(self.definitions),
            tuple(self.calls),
            tuple(self.imports),
            tuple(self.exports),
            frozenset(self.bound),
            unsure,
            frozenset(self.rebound),
            self.space,
            self.objects.lasting(),
        )


class _LeafTokens:
    """The leaves of a piece that count, in order: where each begins within it, and its two bytes."""

    def __init__(self, data: bytes, start: int, leaves: Sequence[tuple[int, int, int]]) -> None:
        self._starts = array("L", (begin - start for _, begin, _ in leaves))
        self._blind = blind = bytearray()
        self._kept = kept = bytearray()
        last = SILENT
        for code, begin, end in leaves:
            if code > NUMBER:
                if code == OPENS and last == NAME:
                    blind[-1] = kept[-1]
                blind.append(code)
                kept.append(code)
            else:
                named = FIRST_NAME | crc32(data[begin:end]) & NAMES
                # What belongs to something else keeps its name: it says what is done, not to whom.
                blind.append(named if code == NAME and last == REACHES else code)
                kept.append(named)
            last = code

    def of(self, name: str, node: Node, start: int) -> FunctionTokens | None:
        """Those of a function in the piece that begins at `start`."""
        first, last = (bisect_left(self._starts, at - start) for at in (node.start_byte, node.end_byte))
        if last - first < FEWEST:
            return None
        blind, kept = self._blind[first:last], self._kept[first:last]
        own = node.child_by_field_name("name")
        if own is not None:
            # What it is called itself makes no difference.
            at = bisect_left(self._starts, own.start_byte - start) - first
            blind[at] = kept[at] = NAME
        return FunctionTokens(name, first_line(node), last_line(node), bytes(blind), bytes(kept))


def is_tried(node: Node) -> bool:
    """Whether it stands in a `try`: its author reckons with a failure."""
    around = node.parent
    while around is not None and around.type != "try_statement":
        around = around.parent
    return around is not None


class _PieceNodes(NamedTuple):
    """What is known of a piece by its text: which of its nodes a reader looks at, by number, and its leaves."""

    size: int
    wanted: Sequence[int]
    tokens: _LeafTokens


_KNOWN: RecentValues[tuple[str, int, bytes], _PieceNodes] = RecentValues(2_000)


def read(syntax: Syntax, readers: Mapping[int, See], top: Node, pieces: Sequence[Piece]) -> IndexedText:
    """One statement at the top of a file; what it says does not hang on the others.

    Of a class most `pieces` are as they were when it was read last: its readers see them again, since each member may
    say something of another, but nobody looks for the nodes that they ask for.
    """
    reading = Reading(syntax)
    functions: list[FunctionTokens] = []
    for piece in pieces:
        if piece.whole and piece.node.child_count:
            functions += _read_piece(syntax, readers, reading, piece)
        elif piece.node.kind_id in readers:
            readers[piece.node.kind_id](reading, piece.node)
    return IndexedText(reading.facts(unsure=top.has_error), tuple(functions))


def _read_piece(syntax: Syntax, readers: Mapping[int, See], reading: Reading, piece: Piece) -> Iterator[FunctionTokens]:
    """The functions in it; one without a key is read for the first time."""
    node, before = piece.node, len(reading.functions)
    key = syntax.language, node.kind_id, piece.key
    known = _KNOWN.get(key) if piece.key else None
    if known is not None and known.size == node.descendant_count:
        _see_again(reading, readers, node, known.wanted)
    else:
        known = _walked(syntax, readers, reading, node)
        if piece.key and not node.has_error:
            _KNOWN.put(key, known)
    found = (known.tokens.of(name, each, node.start_byte) for name, each in reading.functions[before:])
    return (each for each in found if each is not None)


def _see_again(reading: Reading, readers: Mapping[int, See], top: Node, wanted: Sequence[int]) -> None:
    cursor = top.walk()
    for number in wanted:
        cursor.goto_descendant(number)
        node: Any = cursor.node
        readers[node.kind_id](reading, node)


def _walked(syntax: Syntax, readers: Mapping[int, See], reading: Reading, top: Node) -> _PieceNodes:
    code_of = codes(syntax.language)
    leaves: list[tuple[int, int, int]] = []  # those that count: code, where it begins and where it ends
    wanted = array("L")
    cursor = top.walk()
    down, across, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    number = 0
    while True:
        node: Any = cursor.node
        kind = node.kind_id
        if kind in readers:
            readers[kind](reading, node)
            wanted.append(number)
        number += 1
        if down():
            continue
        code = code_of[kind]
        if code:
            leaves.append((code, node.start_byte, node.end_byte))
        while not across():
            if not up():
                return _PieceNodes(number, wanted, _LeafTokens(syntax.data, top.start_byte, leaves))
