"""What several reviewers found, models and outside ones: one problem is listed once, with all who named it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.judgement import JudgeFinding
from vetgate.judges import judge_named
from vetgate.judges.consensus import is_same_problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.model import Finding, Gate, Outcome


def is_reviewer(gate: Gate) -> bool:
    return gate.reviews or bool(gate.judge and judge_named(gate.judge).reviews)


def merged_reviews(outcomes: Iterable[Outcome]) -> list[Finding]:
    """The gravest of those that are one problem, by place and meaning; what one reviewer lists twice it means twice."""
    kept: list[tuple[Finding, list[str]]] = []
    for outcome in outcomes:
        for finding in outcome.findings:
            at = next((number for number, each in enumerate(kept) if _is_one(each, finding, outcome.gate)), None)
            if at is None:
                kept.append((finding, [outcome.gate]))
            else:
                known, gates = kept[at]
                kept[at] = (max(known, finding, key=_weight), [*gates, outcome.gate])
    return [_named(finding, gates) for finding, gates in kept]


def _weight(finding: Finding) -> tuple[bool, bool, int]:
    return finding.new, not finding.advisory, finding.severity


def _is_one(known: tuple[Finding, list[str]], finding: Finding, gate: str) -> bool:
    other, gates = known
    return gate not in gates and is_same_problem(_compared(other, gates[0]), _compared(finding, gate))


def _compared(finding: Finding, gate: str) -> JudgeFinding:
    """Two tools name one kind of problem differently: at one place alike words do, elsewhere much alike ones."""
    category = "" if finding.span.path and finding.span.line else gate
    return JudgeFinding(finding.message, category, path=finding.span.path, line=finding.span.line, model=gate)


def _named(finding: Finding, gates: list[str]) -> Finding:
    if len(gates) == 1:
        return finding
    return replace(finding, message=f"{finding.message} ({', '.join(gates)})")
