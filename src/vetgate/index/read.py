"""A text read for the index, a statement at a time: most of them stay as they were from edit to edit."""

from __future__ import annotations

import threading
from bisect import bisect_left
from functools import cache, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Generic, TypeVar

from vetgate.index import csharp, ecmascript, go, java, php, python, ruby, rust
from vetgate.index.facts import Facts, IndexedText
from vetgate.index.objects import BROUGHT, UNSURE
from vetgate.index.reading import read as read_syntax
from vetgate.model import Unchecked
from vetgate.source.language import grammar
from vetgate.source.syntax import Source, encoded, first_line, parse
from vetgate.source.walk import Piece, cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from vetgate.index.facts import CallSite, Definition, Export, FunctionTokens, Import
    from vetgate.index.reading import See
    from vetgate.source.syntax import Syntax

T = TypeVar("T")

_READERS: Mapping[str, Mapping[str, See]] = {
    "python": python.READERS,
    "javascript": ecmascript.READERS,
    "typescript": ecmascript.READERS,
    "tsx": ecmascript.READERS,
    "go": go.READERS,
    "java": java.READERS,
    "csharp": csharp.READERS,
    "php": php.READERS,
    "ruby": ruby.READERS,
    "rust": rust.READERS,
}

_AHEAD = "attribute_item"
# What is kept of a line takes room as well.
_AT_LEAST = 500


@cache
def _by_number(language: str) -> Mapping[int, See]:
    kinds = grammar(language)
    readers = _READERS[language]
    names = ((number, kinds.node_kind_for_id(number) or "") for number in range(kinds.node_kind_count))
    return {number: readers[name] for number, name in names if name in readers and kinds.node_kind_is_named(number)}


def read(source: Source) -> IndexedText:
    """What can be known of it; of what nobody can parse that it may hold anything."""
    known = _texts.known(source.language, encoded(source.text)) if source.language else None
    if known is not None:
        return known
    syntax = parse(source)
    if isinstance(syntax, Unchecked):
        return IndexedText(Facts(unsure=True))
    if syntax.language not in _READERS:
        return IndexedText()
    return _texts.recall(syntax.language, syntax.data, partial(_joined, _statements(syntax)))


def _statements(syntax: Syntax) -> Iterator[IndexedText]:
    readers = _by_number(syntax.language)

    def anew(top: Node) -> tuple[int, IndexedText]:
        return first_line(top), read_syntax(syntax, readers, top, _pieces_of(syntax, top))

    root = syntax.tree.root_node
    # What stands at the top is another thing where nobody can tell what the top is.
    known_as = f"{syntax.language}?" if root.is_error else syntax.language
    start = -1
    for top in root.children:
        start = top.start_byte if start < 0 else start
        text = syntax.data[start : top.end_byte]
        line, known = _pieces.recall(known_as, text, partial(anew, top))
        if line != first_line(top):
            known = known.moved(first_line(top) - line)
            # It stays there until the next edit above it.
            _pieces.keep(known_as, text, (first_line(top), known))
        # What is said ahead of a statement belongs to it.
        start = start if top.type == _AHEAD else -1
        yield known


def _pieces_of(syntax: Syntax, top: Node) -> Sequence[Piece]:
    """The whole statement, unless it is a long class."""
    pieces = cut(syntax)
    start, end = (bisect_left(pieces, at, key=_starts_at) for at in (top.start_byte, top.end_byte))
    own = [each for each in pieces[start:end] if not each.closes and each.node.end_byte <= top.end_byte]
    return own if own and own[0].node.id == top.id else (Piece(top),)


def _starts_at(piece: Piece) -> int:
    """A container closes where it ends."""
    return piece.node.end_byte if piece.closes else piece.node.start_byte


def _joined(statements: Iterable[IndexedText]) -> IndexedText:
    definitions: list[Definition] = []
    calls: list[CallSite] = []
    imports: list[Import] = []
    exports: list[Export] = []
    functions: list[FunctionTokens] = []
    rebound: set[str] = set()
    spaces: set[str] = set()
    objects: list[tuple[str, str]] = []
    bound: set[str] = set()
    bound_again: set[str] = set()
    unsure = False
    for part in statements:
        facts = part.facts
        definitions += facts.definitions
        calls += facts.calls
        imports += facts.imports
        exports += facts.exports
        bound_again |= bound & facts.bound
        bound |= facts.bound
        objects += facts.objects
        rebound |= facts.rebound
        spaces.add(facts.space)
        unsure = unsure or facts.unsure
        functions += part.functions
    spaces.discard("")
    space = spaces.pop() if len(spaces) == 1 else "?" if spaces else ""
    told = (tuple(definitions), tuple(calls), tuple(imports), tuple(exports))
    # What is given a value once more is another thing by then, or there.
    unknown = {name for name, kind in objects if kind in {UNSURE, BROUGHT}}
    once = bound - bound_again - unknown
    lasting = tuple(each for each in objects if each[0] in once)
    return IndexedText(Facts(*told, frozenset(bound), unsure, frozenset(rebound), space, lasting), tuple(functions))


class _Recent(Generic[T]):
    """Thread-safe: what was made lately of so many bytes of source; the oldest goes first."""

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._most = most
        self._held = 0
        self._made: dict[bytes, tuple[int, T]] = {}

    def known(self, language: str, text: bytes) -> T | None:
        key = _key(language, text)
        with self._lock:
            found = self._made.pop(key, None)
            if found is not None:
                self._made[key] = found  # now the youngest
        return None if found is None else found[1]

    def recall(self, language: str, text: bytes, make: Callable[[], T]) -> T:
        known = self._made.get(_key(language, text))
        if known is not None:
            return known[1]
        made = make()
        self.keep(language, text, made)
        return made

    def keep(self, language: str, text: bytes, made: T) -> None:
        key, size = _key(language, text), len(text) + _AT_LEAST
        with self._lock:
            self._held += size - self._made.pop(key, (0,))[0]
            self._made[key] = size, made
            while self._held > self._most and len(self._made) > 1:
                self._held -= self._made.pop(next(iter(self._made)))[0]


def _key(language: str, text: bytes) -> bytes:
    return blake2b(text, digest_size=16, person=language.encode()[:16]).digest()  # a text is longer than its name


# All files of a long session, as they were and as they are: its turns end with a look at all of them.
_texts: _Recent[IndexedText] = _Recent(5_000_000)
_pieces: _Recent[tuple[int, IndexedText]] = _Recent(2_000_000)


def digest(text: str, language: str) -> bytes:
    content = text.encode("utf-8", "surrogatepass")
    return blake2b(content, digest_size=16, person=language.encode()[:16]).digest()
