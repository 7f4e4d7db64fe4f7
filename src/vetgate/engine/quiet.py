"""Pieces of code that a check has nothing to say about: most of a file stays as it was from edit to edit."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from vetgate.config.schema import Config
    from vetgate.engine.check import Check, Report, Sight
    from vetgate.source.pieces import Piece

    Planned = list[tuple[Piece, frozenset[int]]]

# A piece is some sixteen bytes to us; when there are too many, all are forgotten and learned anew.
_MOST = 100_000
_FEW = 0.3
_NONE: frozenset[bytes] = frozenset()


class Quiet:
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
        pieces: Sequence[Piece],
        whole: Container[str] = (),
    ) -> Planned:
        """Each piece with the numbers of the checks that have to see it; those of `whole` have to see all."""
        wanted: list[set[int]] = [set() for _ in pieces]
        for number, check in enumerate(checks):
            every = range(len(pieces))
            for index in every if check.id in whole else self._loud(check, config, language, pieces):
                wanted[index].add(number)
        everybody = frozenset(range(len(checks)))
        return [
            (piece, frozenset(who) if piece.whole else everybody) for piece, who in zip(pieces, wanted, strict=True)
        ]

    def _loud(self, check: Check, config: Config, language: str, pieces: Sequence[Piece]) -> Iterable[int]:
        if not check.local and check.noted is None:
            return range(len(pieces))
        known = self._known.get((check.id, config.digest, language), _NONE)
        loud = [index for index, piece in enumerate(pieces) if piece.whole and piece.key not in known]
        # What it would say of one piece may hang on any other, once it has anything to say at all.
        return loud if check.local or not loud else range(len(pieces))

    def doubtful(self, check: Check, config: Config, language: str, pieces: Sequence[Piece]) -> list[Piece]:
        """The few pieces that a check which notes things has to see before it may leave out the others."""
        if check.noted is None:
            return []
        known = self._known.get((check.id, config.digest, language), _NONE)
        loud = [piece for piece in pieces if piece.whole and piece.key not in known]
        return loud if len(loud) <= len(pieces) * _FEW else []

    def learn(self, check: Check, config: Config, sight: Sight, report: Report, pieces: Sequence[Piece]) -> None:
        """Remember the pieces of which nothing was found, or in which nothing was noted."""
        if sight.unvisited or report.unchecked or sight.syntax is None:
            return
        noted = set(check.noted(sight.state)) if check.noted is not None else set()
        if check.local and not noted:
            told = {finding.span.line for finding in report.findings}
        elif check.noted is not None and not check.local:
            told = noted
        else:
            return
        key = (check.id, config.digest, sight.syntax.language)
        known = self._known.get(key, _NONE)
        unknown = [piece for piece in pieces if piece.whole and piece.key not in known]
        fresh = {piece.key for piece in _without(unknown, told)}
        if not fresh:
            return
        with self._lock:
            if self._count > _MOST:
                self._known, self._count = {}, 0
            self._known.setdefault(key, set()).update(fresh)
            self._count += len(fresh)


def _without(pieces: Iterable[Piece], lines: set[int]) -> Iterator[Piece]:
    """The pieces that none of the lines goes through."""
    for piece in pieces:
        if lines.isdisjoint(range(first_line(piece.node), last_line(piece.node) + 1)):
            yield piece
