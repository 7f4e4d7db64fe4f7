"""The text literals of a tree as pairs, read piece by piece: most of a file stays as it was from edit to edit.

What a literal says depends on its piece alone; what is put together from several also on the names that stand for one
text each, wherever in the file they are. So each piece keeps which names it asked for and what they stood for then.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.secrets.evaluate import Evaluator
from vetgate.checks.secrets.fold import FOLDED, folded, joined_pairs
from vetgate.checks.secrets.literals import VISITOR
from vetgate.checks.secrets.match import Pair
from vetgate.source.recent_sets import RecentValues
from vetgate.source.walk import cut, walk_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.checks.secrets.literals import CollectedLiterals
    from vetgate.source.clock import Deadline
    from vetgate.source.syntax import Syntax
    from vetgate.source.walk import Piece

_MOST, _TREES = 2_500, 12
_LONGEST_GROWN = 2_000
_FIRST = frozenset({0})
_START = attrgetter("start")


class GrownName(NamedTuple):
    """What a name is given, or gets behind what it has, as text; `shows`: it is worth reading as a whole."""

    name: str
    text: str
    start: int
    end: int
    grows: bool
    shows: bool


@dataclass(frozen=True, slots=True)
class Combined:
    """What a piece puts together while the names it `asked` for stand for these texts; offsets from its beginning."""

    asked: dict[str, str | None]
    joined: tuple[Pair, ...]
    applied: tuple[Pair, ...]
    grown: tuple[GrownName, ...]


@dataclass(slots=True)
class PieceLiterals:
    """The literals of one piece; offsets count from its beginning."""

    pairs: tuple[Pair, ...]
    known: tuple[tuple[str, str], ...]
    combines: bool
    combined: Combined | None = None


class _KnownNames(dict[str, str]):
    """Names that stand for one text each; remembers who was asked for."""

    def __init__(self, known: dict[str, str]) -> None:
        super().__init__(known)
        self.asked: dict[str, str | None] = {}

    def get(self, name: str, default: str | None = None) -> str | None:  # type: ignore[override]
        found = super().get(name)
        self.asked[name] = found
        return default if found is None else found


_READ: RecentValues[Syntax, tuple[Pair, ...]] = RecentValues(_TREES)
_CACHE: RecentValues[tuple[str, bytes], PieceLiterals] = RecentValues(_MOST)


def literal_pairs(syntax: Syntax, deadline: Deadline) -> tuple[tuple[Pair, ...], bool]:
    """From the tree, and whether that is all of it: time may not suffice."""
    pairs = _READ.get(syntax)
    if pairs is not None:
        return pairs, True
    reader = _LiteralReader(syntax, deadline)
    pairs = reader.pairs()
    if not reader.unfinished:
        _READ.put(syntax, pairs)
    return pairs, not reader.unfinished


class _LiteralReader:
    def __init__(self, syntax: Syntax, deadline: Deadline) -> None:
        self._syntax = syntax
        self._deadline = deadline
        self._walked: dict[int, CollectedLiterals] = {}
        self.unfinished = False

    def pairs(self) -> tuple[Pair, ...]:
        pieces = [piece for piece in cut(self._syntax) if piece.whole]
        literals = [self._literals(piece) for piece in pieces]
        known = _merged(literals)
        combined = [
            (piece, self._combined(piece, each, known))
            for piece, each in zip(pieces, literals, strict=True)
            if each.combines
        ]
        plain = ((piece, each.pairs) for piece, each in zip(pieces, literals, strict=True))
        return (
            *_placed(plain),
            *_placed((piece, each.joined) for piece, each in combined),
            *_placed((piece, each.applied) for piece, each in combined),
            *_grown([step for piece, each in combined for step in _shifted(piece, each.grown)]),
        )

    def _literals(self, piece: Piece) -> PieceLiterals:
        key = (self._syntax.language, piece.key)
        found = _CACHE.get(key)
        if found is None:
            noted = self._noted(piece)
            combines = bool(noted.joined or noted.applied or noted.grown)
            known = tuple((step.name, step.value) for step in noted.declared)
            found = PieceLiterals(_moved(noted.pairs, -piece.node.start_byte), known, combines)
            if not self.unfinished:
                _CACHE.put(key, found)
        return found

    def _noted(self, piece: Piece) -> CollectedLiterals:
        start = piece.node.start_byte
        if start not in self._walked:
            walked = walk_pieces(self._syntax, [VISITOR], self._deadline, [(piece, _FIRST)])
            self._walked[start] = walked.states[0]
            self.unfinished = self.unfinished or bool(walked.unvisited)
        return self._walked[start]

    def _combined(self, piece: Piece, literals: PieceLiterals, known: dict[str, str]) -> Combined:
        found = literals.combined
        if found is not None and all(known.get(name) == text for name, text in found.asked.items()):
            return found
        noted, names = self._noted(piece), _KnownNames(known)
        literal = partial(folded, self._syntax, known=names)
        evaluator = Evaluator(self._syntax, names, literal)
        applied = (
            Pair("", evaluator.text(node), node.start_byte, node.end_byte, FOLDED) for node in noted.applied.values()
        )
        begin = piece.node.start_byte
        grown = []
        for step in noted.grown:
            is_text = isinstance(step.value, str)
            text = step.value if isinstance(step.value, str) else evaluator.text(step.value)
            end = step.start if isinstance(step.value, str) else step.value.end_byte
            shows = step.grows and not is_text
            grown.append(GrownName(step.name, text, step.start - begin, end - begin, step.grows, shows))
        joined = _moved(joined_pairs(self._syntax, noted.joined.values(), names), -begin)
        found = Combined(names.asked, joined, _moved(applied, -begin), tuple(grown))
        if not self.unfinished:
            literals.combined = found
        return found


def _merged(literals: Iterable[PieceLiterals]) -> dict[str, str]:
    """A name that is given two values stands for neither."""
    known: dict[str, str] = {}
    for each in literals:
        for name, text in each.known:
            known[name] = "" if name in known else text
    return known


def _placed(pairs: Iterable[tuple[Piece, tuple[Pair, ...]]]) -> Iterator[Pair]:
    for piece, own in pairs:
        if own:
            yield from _moved(own, piece.node.start_byte)


def _moved(pairs: Iterable[Pair], by: int) -> tuple[Pair, ...]:
    return tuple(Pair(pair.name, pair.value, pair.start + by, pair.end + by, pair.how, pair.aside) for pair in pairs)


def _shifted(piece: Piece, steps: Iterable[GrownName]) -> Iterator[GrownName]:
    by = piece.node.start_byte
    return (step._replace(start=step.start + by, end=step.end + by) for step in steps)


def _grown(steps: list[GrownName]) -> Iterator[Pair]:
    """In the order of the text, each name by itself: what it was given last, and all that was put behind it since."""
    if not any(step.grows for step in steps):
        return
    has: dict[str, str] = {}
    for step in sorted(steps, key=_START):
        has[step.name] = (has.get(step.name, "") if step.grows else "") + step.text
        if step.shows and len(has[step.name]) <= _LONGEST_GROWN:
            yield Pair("", has[step.name], step.start, step.end, FOLDED)
