"""What a tool said of the samples, and how much of it is right.

A secret is found when a finding stands on a line of it; a look-alike is flagged when a finding stands anywhere in it. A
kind counts as found when every sample of it is.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.checks import all_checks
from vetgate.config.load import defaults
from vetgate.engine.analysis import run_check, source_of
from vetgate.severity import Severity
from vetgate.source.clock import Deadline

if TYPE_CHECKING:
    from collections.abc import Iterable

    from secrets_corpus import Sample

    from vetgate.model import Finding

CHECK = "secrets"
Answers = dict["Sample", list[int]]  # the lines of a tool's findings in each sample


@dataclass(frozen=True)
class Score:
    found: int
    secrets: int
    kinds_found: int
    kinds: int
    flagged: int
    lookalikes: int

    @property
    def recall(self) -> float:
        return self.found / max(1, self.secrets)

    @property
    def kind_recall(self) -> float:
        return self.kinds_found / max(1, self.kinds)

    @property
    def flag_rate(self) -> float:
        return self.flagged / max(1, self.lookalikes)


def is_right(sample: Sample, lines: list[int]) -> bool:
    return bool(sample.lines & set(lines)) if sample.secret else not lines


def score(answers: Answers, *, held_out: bool = False, area: str = "") -> Score:
    members = [each for each in answers if (each.held_out or not held_out) and area in {"", each.area}]
    right = {each: is_right(each, answers[each]) for each in members}
    kinds: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for each in members:
        if each.secret:
            kinds[each.area, each.kind].append(right[each])
    secrets = [right[each] for each in members if each.secret]
    others = [right[each] for each in members if not each.secret]
    whole_kinds = sum(all(every) for every in kinds.values())
    return Score(sum(secrets), len(secrets), whole_kinds, len(kinds), len(others) - sum(others), len(others))


def areas(sample: Iterable[Sample]) -> list[str]:
    return sorted({each.area for each in sample if each.secret})


@dataclass(frozen=True)
class Ours:
    """The check's own findings, and the milliseconds that each file took it."""

    findings: dict[Sample, list[Finding]]
    milliseconds: list[float]

    def answers(self, least: Severity = Severity.WARNING) -> Answers:
        return {
            each: [line for finding in found if finding.severity >= least for line in _lines(finding)]
            for each, found in self.findings.items()
        }


def ours(sample: list[Sample]) -> Ours:
    check = all_checks().get(CHECK)
    if check is None:
        raise SystemExit(f"there is no check called `{CHECK}` yet; --peers measures the others")
    config, findings, took = defaults(), {}, []
    for each in sample:
        source = source_of(each.path, each.text)
        started = time.perf_counter()
        report = run_check(check, source, config, Deadline.never())
        took.append((time.perf_counter() - started) * 1000)
        findings[each] = list(report.findings)
    return Ours(findings, took)


def _lines(finding: Finding) -> range:
    return range(finding.span.line, max(finding.span.line, finding.span.end_line) + 1)
