"""What an agent is told of gates that ran: what failed, where, and what the command said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.engine.decide import decided_by
from vetgate.failure import advice
from vetgate.gates.output import excerpt
from vetgate.model import Decision, FailureKind, Status
from vetgate.redact import redacted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vetgate.config.schema import Config
    from vetgate.model import Gate, Outcome
    from vetgate.suite_results import TestResults

_MOST = 9_000
_MOST_FINDINGS = 10
_STATUS = {
    Status.PASSED: "passed",
    Status.FAILED: "failed",
    Status.ERRORED: "could not run",
    Status.SKIPPED: "was skipped",
}


def report_text(outcomes: Sequence[Outcome], config: Config) -> str:
    """What held the agent back first, then what it should only know. Nothing of gates that passed and go on."""
    decisions = [(each, decided_by(each, config)) for each in outcomes]
    speaking = [(each, decision) for each, decision in decisions if decision > Decision.ALLOW]
    speaking.sort(key=lambda each: -each[1])
    room = _MOST // max(len(speaking), 1)
    return "\n\n".join(_paragraph(each, decision, config.gates[each.gate], room) for each, decision in speaking)


def report_line(outcomes: Sequence[Outcome], config: Config) -> str:
    """The one line a person sees."""
    speaking = (each for each in outcomes if decided_by(each, config) > Decision.ALLOW)
    names = [f"{each.gate} {_STATUS[each.status]}{_cause(each)}" for each in speaking]
    return f"vetgate: {', '.join(names)}" if names else ""


def _cause(outcome: Outcome) -> str:
    """Of one that says nothing about the code, and what can be done about it."""
    if outcome.status is Status.SKIPPED:
        return f" ({outcome.evidence})" if outcome.evidence else ""
    if outcome.status is not Status.ERRORED:
        return ""
    return f" ({outcome.error})" if outcome.pending else f" ({outcome.error}). {advice(FailureKind.TEST)}"


def _paragraph(outcome: Outcome, decision: Decision, gate: Gate, room: int) -> str:
    parts = [_opening(outcome, decision, gate), _findings(outcome)]
    if outcome.output:
        parts.append(f"Output:\n{excerpt(outcome.output, max(1_000, room - sum(map(len, parts)) - 100))}")
    return "\n".join(part for part in parts if part)


def _opening(outcome: Outcome, decision: Decision, gate: Gate) -> str:
    purpose = f" ({gate.description})" if gate.description else ""
    came = f"{_STATUS[outcome.status]}{_how(outcome)}"
    follows = _follows(outcome, decision)
    return f"Gate '{gate.id}'{purpose} {came}: {_ran(outcome, gate)}.{follows}{_counts(outcome.results)}"


def _ran(outcome: Outcome, gate: Gate) -> str:
    if gate.judge:
        reason = outcome.judgement.reason.rstrip(".") if outcome.judgement else ""
        return f"the judge {gate.judge}{' says: ' if reason else ''}{reason}"
    if gate.ship or gate.prove:
        return "what was reviewed" if gate.ship else "new tests against the code as it was"
    return f"`{redacted(gate.command)}`" if gate.command else ", ".join(gate.checks)


def _how(outcome: Outcome) -> str:
    why = outcome.error or (outcome.evidence if outcome.status is Status.SKIPPED else "")
    if why or not outcome.exit_status:
        return f": {why}" if why else ""
    status = outcome.exit_status
    return f" with exit status {status}" if status > 0 else f", ended by signal {-status}"


def _follows(outcome: Outcome, decision: Decision) -> str:
    if decision is Decision.BLOCK:
        return " Here a pass is what holds you back." if outcome.status is Status.PASSED else ""
    return " It does not hold you back." if decision < Decision.BLOCK else " It ends the run."


def _counts(results: TestResults | None) -> str:
    if results is None:
        return ""
    return f" {results.failed} failed, {results.passed} passed, {results.skipped} skipped ({results.framework})."


def _findings(outcome: Outcome) -> str:
    lines = []
    for finding in outcome.findings[:_MOST_FINDINGS]:
        place = f"{finding.span.path}:{finding.span.line}" if finding.span.line else finding.span.path
        where = " ".join(part for part in (place, finding.symbol) if part)
        lines.append(f"- {where}: {finding.message}")
    if len(outcome.findings) > _MOST_FINDINGS:
        lines.append(f"- and {len(outcome.findings) - _MOST_FINDINGS} more")
    return "\n".join(lines)
