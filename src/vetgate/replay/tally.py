"""What judgements come to: how many edits would have been stopped, by which rule, at what price in time."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.model import Decision
from vetgate.replay.marks import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vetgate.model import Finding
    from vetgate.replay.judge import Judgement
    from vetgate.replay.marks import Mark, Marks

UNFINISHED = "unfinished"


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
class OfRule:
    rule: str
    blocks: tuple[Block, ...]
    marks: Counter[Mark]


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
    by_rule: tuple[OfRule, ...]
    times: Times
    unjudged: Counter[str]
    marks: Counter[Mark]
    without_complexity: int
    held: int = 0
    then: int | None = None

    @property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(block for each in self.by_rule for block in each.blocks)

    def share(self, count: int) -> float:
        return count / self.edits if self.edits else 0.0


def tally(judgements: Sequence[Judgement], marks: Marks) -> Tally:
    judged = [each for each in judgements if not each.unjudged]
    stopped = [each for each in judged if each.is_stopped]
    blocks = [block for each in stopped for block in blocks_of(each)]
    remembered = [each.then for each in judged if each.then is not None]
    return Tally(
        edits=len(judged),
        blocked=sum(each.decision >= Decision.BLOCK for each in stopped),
        asked=sum(each.decision is Decision.ASK for each in stopped),
        by_rule=_by_rule(blocks, marks),
        times=_times(sorted(each.elapsed_ms for each in judged)),
        unjudged=Counter(each.unjudged for each in judgements if each.unjudged),
        marks=counted(marks, [block.key for block in blocks]),
        without_complexity=len({block.edit for block in blocks if not block.rule.startswith("complexity/")}),
        held=sum(bool(each.held) and not each.is_stopped for each in judged),
        then=sum(each >= Decision.ASK for each in remembered) if remembered else None,
    )


def blocks_of(judgement: Judgement) -> tuple[Block, ...]:
    by_rule: dict[str, list[Finding]] = {}
    for finding in judgement.stopping:
        by_rule.setdefault(finding.id, []).append(finding)
    found = [_block(judgement, rule, findings) for rule, findings in by_rule.items()]
    if found or not judgement.is_stopped:
        return tuple(found)
    asks = judgement.decision is Decision.ASK
    return (Block(judgement.edit, judgement.origin, judgement.path, UNFINISHED, 1, judgement.trouble, asks),)


def _block(judgement: Judgement, rule: str, findings: list[Finding]) -> Block:
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


def _by_rule(blocks: Iterable[Block], marks: Marks) -> tuple[OfRule, ...]:
    found: dict[str, list[Block]] = {}
    for block in blocks:
        found.setdefault(block.rule, []).append(block)
    counts = (OfRule(rule, tuple(each), counted(marks, [block.key for block in each])) for rule, each in found.items())
    return tuple(sorted(counts, key=lambda each: (-len(each.blocks), each.rule)))


def _times(elapsed: list[float]) -> Times:
    if not elapsed:
        return Times()
    return Times(_at(elapsed, 0.5), _at(elapsed, 0.95), elapsed[-1], math.fsum(elapsed))


def _at(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]
