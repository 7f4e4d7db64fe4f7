"""Pieces of code that a check has nothing to say about: most of a file stays as it was from edit to edit."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.source.recent_sets import RecentSets, RecentValues
from vetgate.source.syntax import first_line, last_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from vetgate.config.schema import Config
    from vetgate.engine.check import Check, CheckInput, Report
    from vetgate.model import Finding
    from vetgate.source.walk import Piece

    Planned = list[tuple[Piece, frozenset[int]]]
    CarriedFindings = dict[int, tuple[Finding, ...]]
    PieceFindings = dict[bytes, tuple[int, tuple[Finding, ...]]]

_MOST = 6_000  # a piece is some hundred bytes to us
_FEW = 0.3
_FILES = 200  # with findings, for each check
_LINES, _NUMBER = re.compile(r"\blines? \d+(?:-\d+)?"), re.compile(r"\d+")


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

    def where(self, keys: AbstractSet[bytes]) -> list[int]:
        """Where the pieces of these keys are."""
        return [index for key in keys for index in self.at[key]]


class PieceCache:
    """Thread-safe. Known by the text of a piece, the check and the configuration; nothing else may matter to it."""

    def __init__(self) -> None:
        self._known: RecentSets[tuple[str, str, str], bytes] = RecentSets(_MOST)
        self._found: RecentValues[tuple[str, str, str], PieceFindings] = RecentValues(_FILES)

    def plan(
        self,
        checks: Sequence[Check],
        config: Config,
        language: str,
        cut: Cut,
        *,
        carried: Mapping[str, CarriedFindings] | None = None,
        whole: bool = False,
    ) -> tuple[Planned, frozenset[int]]:
        """Each piece with the numbers of the checks that have to see it, and of those that do not see all of them."""
        wanted: list[set[int]] = [set() for _ in cut.pieces]
        every = range(len(cut.pieces))
        partly = set()
        for number, check in enumerate(checks):
            if check.visitor is None:
                continue
            unknown = every if whole else self._unknown(check, config, language, cut)
            if carried and check.id in carried:
                unknown = [at for at in unknown if at not in carried[check.id]]
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
        if not (check.piecewise or check.noted_lines):
            return every
        unknown = cut.where(self._known.unknown((check.id, config.digest, language), cut.at.keys()))
        return unknown if check.noted_lines is None or len(unknown) <= len(every) * _FEW else every

    def carried(self, check: Check, config: Config, path: str, cut: Cut) -> CarriedFindings:
        """By the number of their piece, which is not walked again: findings that stood in it, where they are now."""
        found: CarriedFindings = {}
        stood = self._found.get((check.id, config.digest, path)) if _is_carried(check) else None
        for at, piece in enumerate(cut.pieces) if stood else ():
            known = stood.get(_name(piece)) if stood and piece.whole else None
            if known is not None:
                by = first_line(piece.node) - known[0]
                found[at] = tuple(_moved(finding, by) for finding in known[1]) if by else known[1]
        return found

    def _keep_found(self, check: Check, config: Config, findings: Sequence[Finding], path: str, cut: Cut) -> None:
        """By the piece in which each stands; where two share its line nobody can tell."""
        whole = sorted((piece for piece in cut.pieces if piece.whole), key=_starts_at)
        firsts = [first_line(piece.node) for piece in whole]
        own: dict[int, list[Finding]] = {}
        for finding in findings:
            at = bisect_right(firsts, finding.span.line) - 1
            if at >= 0 and finding.span.line <= last_line(whole[at].node):
                own.setdefault(at, []).append(finding)
        stood: PieceFindings = {}
        for at, found in own.items():
            alone = not at or last_line(whole[at - 1].node) < firsts[at]
            if alone and (at + 1 == len(whole) or last_line(whole[at].node) < firsts[at + 1]):
                stood[_name(whole[at])] = firsts[at], tuple(found)
        self._found.put((check.id, config.digest, path), stood)

    def learn(self, check: Check, config: Config, check_input: CheckInput, report: Report, cut: Cut) -> None:
        """Remember the pieces of which nothing was found, or in which nothing was noted."""
        if check.visitor is None or check_input.unvisited or report.unchecked or check_input.syntax is None:
            return
        noted = check.lines_noted(check_input.state)
        if _is_carried(check) and report.findings:
            self._keep_found(check, config, report.findings, check_input.source.path, cut)
        if check.piecewise and not noted:
            told = {finding.span.line for finding in report.findings}
        elif noted is not None and not check.piecewise:
            told = noted
        else:
            return
        key = (check.id, config.digest, check_input.syntax.language)
        unknown = (cut.pieces[index] for index in cut.where(self._known.unknown(key, cut.at.keys())))
        fresh = {piece.key for piece in _without(unknown, told)}
        if fresh:
            self._known.add(key, fresh)


def _is_carried(check: Check) -> bool:
    """What it found in a piece it would find there again, whatever stands elsewhere."""
    return check.piecewise and check.noted_lines is None and check.visitor is not None


def _name(piece: Piece) -> bytes:
    return b"%d %b" % (piece.node.start_point[1], piece.key)


def _starts_at(piece: Piece) -> int:
    return piece.node.start_byte


def _moved(finding: Finding, by: int) -> Finding:
    """In other lines; also what its advice says of lines."""
    span = finding.span
    return replace(
        finding,
        span=replace(span, line=span.line + by, end_line=span.end_line + by if span.end_line else 0),
        last_line=finding.last_line + by if finding.last_line else 0,
        fix=_LINES.sub(lambda said: _NUMBER.sub(lambda number: str(int(number[0]) + by), said[0]), finding.fix),
        steps=tuple(replace(step, line=step.line + by) for step in finding.steps),
    )


def depends_on_siblings(check: Check, state: object) -> bool:
    """Whether what it would say of one piece may depend on any other: once it has noted anything at all."""
    return bool(check.lines_noted(state))


def _without(pieces: Iterable[Piece], lines: set[int]) -> Iterator[Piece]:
    """The pieces that none of the lines goes through."""
    for piece in pieces:
        if lines.isdisjoint(range(first_line(piece.node), last_line(piece.node) + 1)):
            yield piece
