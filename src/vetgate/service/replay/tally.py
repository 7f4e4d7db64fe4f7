"""What judgements come to: how many edits would have been stopped, by which rule, at what price in time.

With what people said of blocks (ratings), and what only one of two configurations would stop.
"""

from __future__ import annotations

import enum
import json
import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.model import Decision, UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from vetgate.model import Finding
    from vetgate.service.replay.judge import EditJudgement

UNFINISHED = "unfinished"


class Rating(enum.StrEnum):
    RIGHT = "right"
    ARGUABLE = "arguable"
    WRONG = "wrong"


Ratings = dict[tuple[str, str], Rating]


def read_ratings(file: Path) -> Ratings:
    """One JSON object a line, with `edit`, `rule` and `verdict`; without a verdict nobody has said anything yet."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"the marks in {file} cannot be read: {error}") from error
    ratings: Ratings = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            told = _object(line, f"{file}:{number}")
            if told.get("verdict"):
                ratings[str(told["edit"]), str(told["rule"])] = _rating(told["verdict"], f"{file}:{number}")
    return ratings


def precision(ratings: Mapping[Rating, int]) -> tuple[float, float] | None:
    """Of what was marked, the part that was right: without and with what is arguable. None: nothing was marked."""
    total = sum(ratings.values())
    if not total:
        return None
    right = ratings.get(Rating.RIGHT, 0)
    return right / total, (right + ratings.get(Rating.ARGUABLE, 0)) / total


def counted(ratings: Ratings, blocks: list[tuple[str, str]]) -> Counter[Rating]:
    return Counter(ratings[block] for block in blocks if block in ratings)


def _object(line: str, place: str) -> dict[str, object]:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not {"edit", "rule"} <= told.keys():
        raise UserError(
            f"{place}: not a mark",
            hint='a line is {"edit": "…", "rule": "…", "verdict": "right"}; --format jsonl writes them',
        )
    return told


def _rating(verdict: object, place: str) -> Rating:
    try:
        return Rating(str(verdict))
    except ValueError:
        raise UserError(f"{place}: {verdict!r} is not a verdict", hint=f"one of: {', '.join(Rating)}") from None


@dataclass(frozen=True, slots=True)
class Block:
    """One edit that one rule stops: its first finding, and how many there are."""

    edit: str
    origin: str
    path: str
    rule: str
    line: int
    message: str
    asks: bool
    findings: int = 1

    @property
    def key(self) -> tuple[str, str]:
        return self.edit, self.rule


@dataclass(frozen=True, slots=True)
class RuleTally:
    rule: str
    blocks: tuple[Block, ...]
    ratings: Counter[Rating]


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds that the edits would have waited."""

    half: float = 0.0
    most: float = 0.0
    longest: float = 0.0
    total: float = 0.0


@dataclass(frozen=True, slots=True)
class Tally:
    """`edits` are those that were judged; `unjudged` counts the others by reason. `then` is what was stopped then.

    `held` are edits that pass, and with which the turn could not have ended as they are.
    """

    edits: int
    blocked: int
    asked: int
    by_rule: tuple[RuleTally, ...]
    times: Times
    unjudged: Counter[str]
    ratings: Counter[Rating]
    without_complexity: int
    held: int = 0
    then: int | None = None

    @property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(block for each in self.by_rule for block in each.blocks)

    def share(self, count: int) -> float:
        return count / self.edits if self.edits else 0.0


def tally(judgements: Sequence[EditJudgement], ratings: Ratings) -> Tally:
    judged = [each for each in judgements if not each.unjudged]
    stopped = [each for each in judged if each.is_stopped]
    blocks = [block for each in stopped for block in blocks_of(each)]
    remembered = [each.then for each in judged if each.then is not None]
    return Tally(
        edits=len(judged),
        blocked=sum(each.decision >= Decision.BLOCK for each in stopped),
        asked=sum(each.decision is Decision.ASK for each in stopped),
        by_rule=_by_rule(blocks, ratings),
        times=_times(sorted(each.elapsed_ms for each in judged)),
        unjudged=Counter(each.unjudged for each in judgements if each.unjudged),
        ratings=counted(ratings, [block.key for block in blocks]),
        without_complexity=len({block.edit for block in blocks if not block.rule.startswith("complexity/")}),
        held=sum(bool(each.held) and not each.is_stopped for each in judged),
        then=sum(each >= Decision.ASK for each in remembered) if remembered else None,
    )


def blocks_of(judgement: EditJudgement) -> tuple[Block, ...]:
    by_rule: dict[str, list[Finding]] = {}
    for finding in judgement.stopping:
        by_rule.setdefault(finding.id, []).append(finding)
    found = [_block(judgement, rule, findings) for rule, findings in by_rule.items()]
    if found or not judgement.is_stopped:
        return tuple(found)
    asks = judgement.decision is Decision.ASK
    return (Block(judgement.edit, judgement.origin, judgement.path, UNFINISHED, 1, judgement.trouble, asks),)


def _block(judgement: EditJudgement, rule: str, findings: list[Finding]) -> Block:
    first = min(findings, key=lambda each: each.span.line)
    return Block(
        edit=judgement.edit,
        origin=judgement.origin,
        path=judgement.path,
        rule=rule,
        line=first.span.line,
        message=first.message,
        asks=all(each.asks for each in findings),
        findings=len(findings),
    )


def _by_rule(blocks: Iterable[Block], ratings: Ratings) -> tuple[RuleTally, ...]:
    found: dict[str, list[Block]] = {}
    for block in blocks:
        found.setdefault(block.rule, []).append(block)
    counts = (
        RuleTally(rule, tuple(each), counted(ratings, [block.key for block in each])) for rule, each in found.items()
    )
    return tuple(sorted(counts, key=lambda each: (-len(each.blocks), each.rule)))


def _times(elapsed: list[float]) -> Times:
    if not elapsed:
        return Times()
    return Times(_at(elapsed, 0.5), _at(elapsed, 0.95), elapsed[-1], math.fsum(elapsed))


def _at(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


@dataclass(frozen=True, slots=True)
class Difference:
    """Blocks of edits that one configuration stops and the other lets pass; `both` counts the edits that both stop.

    `held` are edits that pass and hold the end of the turn, under the one and under the other.
    """

    only_current: tuple[Block, ...]
    only_other: tuple[Block, ...]
    both: int
    held: tuple[int, int] = (0, 0)


def difference(current: Sequence[EditJudgement], other: Sequence[EditJudgement]) -> Difference:
    pairs = list(zip(current, other, strict=True))
    return Difference(
        tuple(block for mine, theirs in pairs if not theirs.is_stopped for block in blocks_of(mine)),
        tuple(block for mine, theirs in pairs if not mine.is_stopped for block in blocks_of(theirs)),
        sum(mine.is_stopped and theirs.is_stopped for mine, theirs in pairs),
        (_held(current), _held(other)),
    )


def _held(judgements: Sequence[EditJudgement]) -> int:
    return sum(bool(each.held) and not each.is_stopped for each in judgements)
