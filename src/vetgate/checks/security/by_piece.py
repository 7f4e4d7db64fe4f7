"""What the rules find in one file, piece by piece: a function that stays as it was is not looked at again.

Each piece is judged by itself. What it asks of the rest of the file goes through `Module`, by name: which function is
called so, who calls it, what a field or a name at the top is set to. So a verdict on a piece stands until a piece
changes that has anything under such a name, or what all of them share does: imports, other names for known things,
and a few questions about the whole text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.security.classes import CONSTRUCTORS
from vetgate.checks.security.findings import OUT_OF_TIME, found
from vetgate.checks.security.scan import ALIAS, visitor_of
from vetgate.checks.security.scope import CALLS, CLASSES, EVERY, FIELDS, FUNCTIONS, STATEMENT, TOP
from vetgate.source.recent_sets import RecentValues
from vetgate.source.syntax import first_line
from vetgate.source.walk import PieceWalk, cut, walk_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tree_sitter import Node

    from vetgate.checks.security.scan import FileScan
    from vetgate.model import Finding
    from vetgate.source.clock import Deadline
    from vetgate.source.syntax import Syntax
    from vetgate.source.walk import Piece

    Names = frozenset[tuple[str, str]]

_FILES = 64
_FEW = 0.3  # of the pieces: with more that changed, all of them are read
_FIRST = frozenset({0})
_WORD = re.compile(r"\w+")
_OWN = re.compile(r"(?:this\.|self\.|cls\.|\$this->|self::\$|@)(\w+)")
_LONGEST = 4_000
_BEFORE = frozenset({"decorator", "attribute_item"})  # speak of what stands behind them


class PieceNames(NamedTuple):
    """What one piece has that others may ask for, and what it asks for by name; `shared` concerns the whole file."""

    has: Names
    shared: frozenset[tuple[str, ...]]
    aliases: frozenset[str]
    called: frozenset[str]
    has_sites: bool


@dataclass(frozen=True, slots=True)
class PieceVerdict:
    """What was found in a piece, from which line on it stood, and what that hangs on."""

    findings: tuple[Finding, ...] = ()
    asked: Names = frozenset()


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """All pieces of a file with what was found in them; `facts` are questions about its whole text, and the answers."""

    keys: tuple[bytes, ...]
    starts: tuple[int, ...]
    names: tuple[PieceNames, ...]
    verdicts: tuple[PieceVerdict, ...]
    containers: bytes
    facts: dict[str, tuple[Callable[[str], object], object]]


_KEPT: RecentValues[tuple[str, str], FileVerdict] = RecentValues(_FILES)


@dataclass(slots=True)
class FileFindings:
    findings: tuple[Finding, ...] = ()
    unfinished: str = ""  # why not everything was looked at


def findings_of(syntax: Syntax, path: str, deadline: Deadline) -> FileFindings:
    return _PieceJudge(syntax, path, deadline).findings()


@dataclass(slots=True)
class _PieceJudge:
    syntax: Syntax
    path: str
    deadline: Deadline
    pieces: Sequence[Piece] = field(init=False)
    keys: tuple[bytes, ...] = field(init=False)
    _scan: FileScan | None = None
    _reader: _PieceReader | None = None
    unfinished: str = ""
    _facts: dict[str, tuple[Callable[[str], object], object]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pieces = [piece for piece in cut(self.syntax) if piece.whole]
        self.keys = tuple(self._key(index, piece) for index, piece in enumerate(self.pieces))

    def findings(self) -> FileFindings:
        earlier = _KEPT.get((self.syntax.language, self.path))
        matched = self._matched(earlier) if earlier is not None else {}
        names = self._names(earlier, matched) if earlier is not None and matched else ()
        starts = tuple(first_line(piece.node) for piece in self.pieces)
        standing: dict[int, PieceVerdict] = {}
        containers = self._containers()
        if earlier is not None and names and containers == earlier.containers:
            shift = _LineShift(earlier, matched, starts)
            standing = {at: shift.over(each) for at, each in self._standing(earlier, matched, names).items()}
            self._facts |= earlier.facts if standing else {}
        verdicts = self._verdicts(names, standing)
        if self.unfinished:
            return FileFindings(tuple(_apart(verdicts)), self.unfinished)
        if self._scan is not None:
            names = names or _Collected(self._scan, self.pieces).names()
            self._facts |= self._scan.module.facts
            self._scan.module.reader = None  # each holds the other: all of it would stay until garbage is collected
        kept = FileVerdict(self.keys, starts, names, verdicts, containers, self._facts)
        _KEPT.put((self.syntax.language, self.path), kept)
        return FileFindings(tuple(_apart(verdicts)))

    def _verdicts(self, names: tuple[PieceNames, ...], standing: dict[int, PieceVerdict]) -> tuple[PieceVerdict, ...]:
        verdicts: list[PieceVerdict] = []
        for index in range(len(self.pieces)):
            if index in standing:
                verdicts.append(standing[index])
            elif not names or names[index].has_sites:
                verdicts.append(self._judged(index, names))
            else:
                verdicts.append(PieceVerdict())
            if self.unfinished:
                break
        return tuple(verdicts)

    def _key(self, index: int, piece: Piece) -> bytes:
        """Its text and column, with what is written before a definition, as a piece by itself, and what behind that."""
        around = piece.path[-1] if piece.path else None
        own = b"%d %b" % (piece.node.start_point[1], piece.key)
        if around is not None and around.type == "decorated_definition":
            return own + self.syntax.data[around.start_byte : around.end_byte]
        if piece.node.type in _BEFORE:
            return b"".join((own, *(each.key for each in self.pieces[index + 1 : index + 8])))
        before = index
        while before and self.pieces[before - 1].node.type in _BEFORE:
            before -= 1
        return b"".join((own, *(each.key for each in self.pieces[before:index])))

    def _containers(self) -> bytes:
        """What the classes of the file that are cut open say of themselves."""
        heads = []
        for piece in cut(self.syntax):
            if not piece.whole and not piece.closes:
                body = piece.node.child_by_field_name("body")
                heads.append(self.syntax.data[piece.node.start_byte : body.start_byte] if body is not None else b"-")
        return b"\0".join(heads)

    def _matched(self, earlier: FileVerdict) -> dict[int, int]:
        """Which piece was which: those before the first and behind the last change; none where most of it changed."""
        old, new = earlier.keys, self.keys
        shortest = min(len(old), len(new))
        head = next((at for at in range(shortest) if old[at] != new[at]), shortest)
        tail = next((at for at in range(shortest - head) if old[-1 - at] != new[-1 - at]), shortest - head)
        if head + tail < max(len(old), len(new)) * (1 - _FEW):
            return {}
        return {
            **{at: at for at in range(head)},
            **{len(new) - 1 - at: len(old) - 1 - at for at in range(tail)},
        }

    def _names(self, earlier: FileVerdict, matched: dict[int, int]) -> tuple[PieceNames, ...]:
        """Of those that stayed as known, of the others as read; none where all of it is to be read anyway."""
        if len(earlier.names) != len(earlier.keys):
            return ()
        names = [
            earlier.names[matched[index]] if index in matched else self._read(piece)
            for index, piece in enumerate(self.pieces)
        ]
        gone = (earlier.names[at] for at in set(range(len(earlier.keys))) - set(matched.values()))
        fresh = (names[at] for at in range(len(names)) if at not in matched)
        if _joined(each.shared for each in gone) != _joined(each.shared for each in fresh):
            return ()
        # Another name for something known makes a site of any call by that name.
        aliases = _joined(each.aliases for each in names)
        return tuple(
            each if each.has_sites or each.called.isdisjoint(aliases) else each._replace(has_sites=True)
            for each in names
        )

    def _read(self, piece: Piece) -> PieceNames:
        walked = walk_pieces(self.syntax, [visitor_of(self.syntax.language)], self.deadline, [(piece, _FIRST)])
        self._facts |= walked.states[0].module.facts
        return _Collected(walked.states[0], [piece]).names()[0]

    def _standing(
        self, earlier: FileVerdict, matched: dict[int, int], names: Sequence[PieceNames]
    ) -> dict[int, PieceVerdict]:
        """The verdicts that are as they were, by the number of their piece."""
        gone = [earlier.names[at] for at in set(range(len(earlier.keys))) - set(matched.values())]
        fresh = [names[at] for at in range(len(names)) if at not in matched]
        text = self.syntax.text(self.syntax.tree.root_node)
        if any(ask(text) != answer for ask, answer in earlier.facts.values()):
            return {}
        changed = _joined(each.has for each in (*gone, *fresh))
        return {
            new: earlier.verdicts[old]
            for new, old in matched.items()
            if earlier.verdicts[old].asked.isdisjoint(changed)
        }

    def _judged(self, index: int, names: Sequence[PieceNames]) -> PieceVerdict:
        """One piece in the light of the file, which is read as far as the piece asks for it."""
        scan = self._noted(names)
        piece = self.pieces[index]
        scan.module.read_around(piece.node)
        self._note_unfinished()
        if self.unfinished:
            return PieceVerdict()
        start, end = piece.extent
        sites = [site for site in scan.places if start <= site[2].start_byte and site[2].end_byte <= end]
        if not sites:
            return PieceVerdict()
        scan.matcher.begin_piece()
        scan.told.clear()  # each for itself: what is told of another piece in the same line may go from there
        findings, asked = scan.module.asking(lambda: tuple(found(scan, self.path, sites=sites, deadline=self.deadline)))
        self.unfinished = scan.unfinished
        self._note_unfinished()
        return PieceVerdict(findings, frozenset(asked))

    def _noted(self, names: Sequence[PieceNames]) -> FileScan:
        """All of it, where nobody knows yet what its pieces have."""
        if self._scan is None:
            walk = PieceWalk(self.syntax, (visitor_of(self.syntax.language),), self.deadline)
            self._scan = walk.states[0]
            self._scan.module.facts |= self._facts  # which were asked of this very text
            self._reader = _PieceReader(walk, self._scan, self.syntax, names)
            if names:
                self._scan.module.reader = self._reader
        return self._scan

    def _note_unfinished(self) -> None:
        if self._reader is not None and self._reader.is_cut_short:
            self.unfinished = OUT_OF_TIME


class _PieceReader:
    """Notes pieces as they are asked for: what the file's containers and imports say first, without names all of it.

    A piece is noted as a walk over the whole file would: another name for something known counts behind its place.
    """

    def __init__(self, walk: PieceWalk, scan: FileScan, syntax: Syntax, names: Sequence[PieceNames]) -> None:
        self._walk = walk
        self._scan = scan
        self.is_cut_short = False
        pieces = cut(syntax)
        self._whole = [piece for piece in pieces if piece.whole]
        self._starts = [piece.node.start_byte for piece in self._whole]
        self._unread = set(range(len(self._whole)))
        self._names = names
        self._read_names: set[tuple[str, str]] = set()
        if not names:
            self._walk_all(pieces)
            return
        self._walk_all([piece for piece in pieces if not piece.whole])
        self._read([index for index, each in enumerate(names) if each.shared])

    def read_named(self, kind: str, name: str) -> None:
        key = (kind, name)
        if key not in self._read_names:
            self._read_names.add(key)
            self._read([index for index in sorted(self._unread) if key in self._names[index].has])

    def read_around(self, offset: int) -> None:
        self._read((bisect_right(self._starts, offset) - 1,))

    def _read(self, wanted: Iterable[int]) -> None:
        fresh = [index for index in wanted if index in self._unread]
        self._unread.difference_update(fresh)
        for index in fresh:
            start = self._starts[index]
            every = self._scan.aliases
            self._scan.aliases = {fact[1] for at, fact in self._scan.shared if fact[0] == ALIAS and at < start}
            self._walk_all([self._whole[index]])
            self._scan.aliases |= every

    def _walk_all(self, pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            self.is_cut_short = self.is_cut_short or self._walk.through(piece, _FIRST) is not None


class _LineShift:
    """Findings in lines that moved; a step may lie in another piece."""

    def __init__(self, earlier: FileVerdict, matched: dict[int, int], starts: tuple[int, ...]) -> None:
        self._earlier = earlier
        self._by = {old: starts[new] - earlier.starts[old] for new, old in matched.items()}
        self._moves = any(self._by.values())

    def over(self, verdict: PieceVerdict) -> PieceVerdict:
        if not verdict.findings or not self._moves:
            return verdict
        return replace(verdict, findings=tuple(map(self._finding, verdict.findings)))

    def _finding(self, finding: Finding) -> Finding:
        span = finding.span
        by = self._at(span.line)
        steps = tuple(replace(step, line=step.line + self._at(step.line)) for step in finding.steps)
        return replace(finding, span=replace(span, line=span.line + by, end_line=span.end_line + by), steps=steps)

    def _at(self, line: int) -> int:
        return self._by.get(bisect_right(self._earlier.starts, line) - 1, 0)


def _joined(sets: Iterable[frozenset[object]]) -> frozenset[object]:
    return frozenset().union(*sets)


def _apart(verdicts: Iterable[PieceVerdict]) -> Iterable[Finding]:
    """Two pieces in one line may say the same of it."""
    told: set[tuple[str, int]] = set()
    for verdict in verdicts:
        own = {(finding.rule, finding.span.line) for finding in verdict.findings}
        yield from (each for each in verdict.findings if (each.rule, each.span.line) not in told)
        told |= own


class _Collected:
    """What the walk noted, by piece."""

    def __init__(self, scan: FileScan, pieces: Sequence[Piece]) -> None:
        self._scan = scan
        self._pieces = pieces
        self._starts = [piece.node.start_byte for piece in pieces]
        self._has: list[set[tuple[str, str]]] = [set() for _ in pieces]
        self._called: list[set[str]] = [set() for _ in pieces]
        self._shared: list[set[tuple[str, ...]]] = [set() for _ in pieces]
        self._with_sites: set[int] = set()

    def names(self) -> tuple[PieceNames, ...]:
        self._note_definitions()
        self._note_calls()
        self._note_sites()
        return tuple(map(self._names_at, range(len(self._pieces))))

    def _names_at(self, index: int) -> PieceNames:
        own, shared = self._has[index], self._shared[index]
        own |= {(kind, EVERY) for kind, _ in own}
        own |= {(FIELDS, name) for name in _fields(self._scan, self._pieces[index])}
        if self._pieces[index].node.type not in self._scan.module.language.functions:
            own.add((TOP, STATEMENT))
        aliases = frozenset(fact[1] for fact in shared if fact[0] == ALIAS)
        called = frozenset(self._called[index])
        return PieceNames(frozenset(own), frozenset(shared), aliases, called, index in self._with_sites)

    def _at(self, offset: int) -> int:
        return max(0, bisect_right(self._starts, offset) - 1)

    def _put(self, kind: str, name: str, node: Node) -> None:
        index = self._at(node.start_byte)
        # A container that is cut open begins where its first piece does, and ends behind it.
        if name and self._pieces and node.end_byte <= self._pieces[index].node.end_byte:
            self._has[index].add((kind, name))

    def _note_definitions(self) -> None:
        module = self._scan.module
        language = module.language
        for node in module.order.functions:
            self._put(FUNCTIONS, language.name_of(node), node)
        for name, body in module.seen_classes:
            self._put(CLASSES, name, body)
        for node in module.order.bindings:
            if module.function_around(node) is None:
                for word in _WORD.findall(language.text(node)[:_LONGEST]):
                    self._put(TOP, word, node)

    def _note_calls(self) -> None:
        for name, nodes in self._scan.module.calls.items():
            for node in nodes:
                self._put(CALLS, name, node)
                self._called[self._at(node.start_byte)].add(name)

    def _note_sites(self) -> None:
        for kind, name, node in self._scan.places:
            index = self._at(node.start_byte)
            self._with_sites.add(index)
            self._called[index] |= {name} if kind == "call" else set()
        for offset, fact in self._scan.shared:
            self._shared[self._at(offset)].add(fact)


def _fields(scan: FileScan, piece: Piece) -> Iterable[str]:
    """Whatever may be a field of a class there, written or only named."""
    language = scan.module.language
    text = language.text(piece.node)
    names = set(_OWN.findall(text))
    if piece.node.type not in language.functions:
        return names | set(_WORD.findall(text[:_LONGEST])) if _is_member(piece) else names | set(_WORD.findall(text))
    if language.name_of(piece.node) in CONSTRUCTORS:
        names |= {
            word for pattern, _, _ in language.parameters(piece.node) for word in _WORD.findall(language.text(pattern))
        }
    return names


def _is_member(piece: Piece) -> bool:
    return bool(piece.path) and piece.path[-1].parent is not None
