"""A review in figures: what each gate came to, how its tests went, what they covered, how often it warned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.secrets.text_redaction import without_secrets
from vetgate.engine.decide import decided_by, stops
from vetgate.gates.parse import parsed
from vetgate.gates.parse.results import coverage_of
from vetgate.model import GateKind, Status
from vetgate.service.report.loops import GateSummary, LoopSummary, ReviewSummary
from vetgate.service.review_outcomes import blocked_words
from vetgate.severity import Severity

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.model import Outcome
    from vetgate.service.review import Reviewed
    from vetgate.service.review_outcomes import LoopResult

_NOT_PASSED = frozenset({Status.FAILED, Status.ERRORED})


def summary_of(reviewed: Reviewed, log: str = "") -> ReviewSummary:
    config, record = reviewed.judged.config, reviewed.record
    outcomes = reviewed.judged.verdict.outcomes
    return ReviewSummary(
        reviewed.id,
        record.base,
        record.fork,
        record.scope,
        tuple(loop_summary(each, config) for each in reviewed.loops),
        record.ship_allowed,
        record.blockers,
        tuple(without_secrets(each) for loop in reviewed.loops for each in loop.skipped),
        tuple(dict.fromkeys(_holding(each, config) for each in outcomes if stops(decided_by(each, config)))),
        log,
    )


def _holding(outcome: Outcome, config: Config) -> str:
    """Which gate holds, and why, where no finding of it says so."""
    if outcome.findings:
        return outcome.gate
    return without_secrets(f"{outcome.gate} ({blocked_words(outcome, config)})")


def loop_summary(result: LoopResult, config: Config) -> LoopSummary:
    loop = result.chosen.loop
    gates = tuple(gate_summary(each, config) for each in result.outcomes)
    status = str(result.status)
    return LoopSummary(
        result.chosen.number, result.name, status, loop.blocks, result.elapsed_ms, without_secrets(result.why), gates
    )


def gate_summary(outcome: Outcome, config: Config) -> GateSummary:
    gate = config.gates[outcome.gate]
    why = outcome.error or outcome.evidence
    if not why and outcome.status in _NOT_PASSED and not outcome.findings:
        why = blocked_words(outcome, config)
    found = [each for each in outcome.findings if each.new]
    warnings, coverage = 0, None
    if gate.kind is GateKind.COMMAND and outcome.output:
        read = found or parsed(gate, outcome.output, "").findings
        warnings = sum(each.severity is Severity.WARNING for each in read)
        coverage = coverage_of(outcome.output)
    return GateSummary(
        outcome.gate,
        str(outcome.status),
        outcome.elapsed_ms,
        without_secrets(why),
        outcome.results,
        coverage,
        warnings,
        len(found),
    )
