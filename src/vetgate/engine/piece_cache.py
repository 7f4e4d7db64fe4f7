"""Pieces of code that a check has nothing to say about: most of a file stays as it was from edit to edit."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from vetgate.config.schema import Config
    from vetgate.engine.check import Check, CheckInput, Report
    from vetgate.source.pieces import Piece

    Planned = list[tuple[Piece, frozenset[int]]]

# A piece is some hundred bytes to us; when there are too many, all are forgotten and learned anew.
_MOST = 20_000
_FEW = 0.3
_NONE: frozenset[bytes] = frozenset()


class Cut:
    """The pieces of one text, and where those of each key are."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces
        self.at: dict[bytes, list[int]] = {}
        for index, piece in enumerate(pieces):
            if piece.whole:
                self.at.setdefault(piece.key, []).append(index)
        # Of the others every check sees the beginning and the end.
        self.whole = sum(map(len, self.at.values()))

    def besides(self, known: AbstractSet[bytes]) -> list[int]:
        """Where the pieces are whose keys are not among these."""
        return [index for key in self.at.keys() - known for index in self.at[key]]


class PieceCache:
    """Thread-safe. Known by the text of a piece, the check and the configuration; nothing else may matter to it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str, str], set[bytes]] = {}
        self._count = 0

    def plan(
        self,
        checks: Sequence[Check],
        config: Config,
        language: str,
        cut: Cut,
        *,
        whole: bool = False,
    ) -> tuple[Planned, frozenset[int]]:
        """Each piece with the numbers of the checks that have to see it, and of those that do not see all of them."""
        wanted: list[set[int]] = [set() for _ in cut.pieces]
        every = range(len(cut.pieces))
        partly = set()
        for number, check in enumerate(checks):
            unknown = every if whole else self._unknown(check, config, language, cut)
            if len(unknown) < cut.whole:
                partly.add(number)
            for index in unknown:
                wanted[index].add(number)
        everybody = frozenset(range(len(checks)))
        planned = [
            (piece, frozenset(who) if piece.whole else everybody) for piece, who in zip(cut.pieces, wanted, strict=True)
        ]
        return planned, frozenset(partly)

    def _unknown(self, check: Check, config: Config, language: str, cut: Cut) -> Sequence[int]:
        """What a check that notes things sees here may not be enough: see `depends_on_siblings`.

        Where it would see most of the pieces anyway, it sees them all, and need not begin again.
        """
        every = range(len(cut.pieces))
        if not (check.piecewise or check.noted_lines or check.visitor is None):
            return every
        known = self._known.get((check.id, config.digest, language), _NONE)
        unknown = cut.besides(known)
        return unknown if check.noted_lines is None or len(unknown) <= len(every) * _FEW else every

    def learn(self, check: Check, config: Config, check_input: CheckInput, report: Report, cut: Cut) -> None:
        """Remember the pieces of which nothing was found, or in which nothing was noted."""
        if check_input.unvisited or report.unchecked or check_input.syntax is None:
            return
        noted = check.lines_noted(check_input.state)
        if check.piecewise and not noted:
            told = {finding.span.line for finding in report.findings}
        elif noted is not None and not check.piecewise:
            told = noted
        else:
            return
        key = (check.id, config.digest, check_input.syntax.language)
        known = self._known.get(key, _NONE)
        unknown = (cut.pieces[index] for index in cut.besides(known))
        fresh = {piece.key for piece in _without(unknown, told)}
        if not fresh:
            return
        with self._lock:
            if self._count > _MOST:
                self._known, self._count = {}, 0
            self._known.setdefault(key, set()).update(fresh)
            self._count += len(fresh)


def depends_on_siblings(check: Check, state: object) -> bool:
    """Whether what it would say of one piece may depend on any other: once it has noted anything at all."""
    return bool(check.lines_noted(state))


def _without(pieces: Iterable[Piece], lines: set[int]) -> Iterator[Piece]:
    """The pieces that none of the lines goes through."""
    for piece in pieces:
        if lines.isdisjoint(range(first_line(piece.node), last_line(piece.node) + 1)):
            yield piece
