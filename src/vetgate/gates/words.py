"""What an agent is told of gates that ran: what failed, where, and what the command said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.engine.failing import advice
from vetgate.gates.output import excerpt
from vetgate.gates.sequence import STILL_RUNS, Action
from vetgate.model import FailureKind, Status
from vetgate.redact import redacted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.gates.parse.results import TestResults
    from vetgate.gates.sequence import Ended, GateRun
    from vetgate.model import Gate

_MOST = 9_000
_MOST_FINDINGS = 10
_STATUS = {Status.PASSED: "passed", Status.FAILED: "failed", Status.ERRORED: "could not run", Status.SKIPPED: "passed"}


def told(ended: Ended, gates: Mapping[str, Gate]) -> str:
    """What held the agent back first, then what it should only know. Nothing of gates that passed and go on."""
    speaking = [(run, action) for run, action in ended.runs if _speaks(run, action)]
    speaking.sort(key=lambda each: -each[1])
    room = _MOST // max(len(speaking), 1)
    return "\n\n".join(_paragraph(run, action, gates[run.gate], room) for run, action in speaking)


def line(ended: Ended) -> str:
    """The one line a person sees."""
    names = [f"{run.gate} {_STATUS[run.status]}{_cause(run)}" for run, action in ended.runs if _speaks(run, action)]
    return f"vetgate: {', '.join(names)}" if names else ""


def _cause(run: GateRun) -> str:
    """Of one that says nothing about the code, and what can be done about it."""
    if run.status is not Status.ERRORED:
        return ""
    return f" ({run.cause})" if run.cause.startswith(STILL_RUNS) else f" ({run.cause}). {advice(FailureKind.TEST)}"


def _speaks(run: GateRun, action: Action) -> bool:
    return action > Action.CONTINUE or run.status in {Status.FAILED, Status.ERRORED}


def _paragraph(run: GateRun, action: Action, gate: Gate, room: int) -> str:
    parts = [_opening(run, action, gate), _findings(run)]
    if run.output:
        parts.append(f"Output:\n{excerpt(run.output, max(1_000, room - sum(map(len, parts)) - 100))}")
    return "\n".join(part for part in parts if part)


def _opening(run: GateRun, action: Action, gate: Gate) -> str:
    purpose = f" ({gate.description})" if gate.description else ""
    came = f"{_STATUS[run.status]}{_how(run)}"
    return f"Gate '{gate.id}'{purpose} {came}: `{redacted(gate.command)}`.{_follows(run, action)}{_counts(run.results)}"


def _how(run: GateRun) -> str:
    if run.cause or not run.exit_status:
        return f": {run.cause}" if run.cause else ""
    return f" with exit status {run.exit_status}" if run.exit_status > 0 else f", ended by signal {-run.exit_status}"


def _follows(run: GateRun, action: Action) -> str:
    if action is Action.BLOCK:
        return " Here a pass is what holds you back." if run.status is Status.PASSED else ""
    return " It does not hold you back." if action is Action.CONTINUE else " It ends the run."


def _counts(results: TestResults | None) -> str:
    if results is None:
        return ""
    return f" {results.failed} failed, {results.passed} passed, {results.skipped} skipped ({results.framework})."


def _findings(run: GateRun) -> str:
    lines = []
    for finding in run.findings[:_MOST_FINDINGS]:
        place = f"{finding.span.path}:{finding.span.line}" if finding.span.line else finding.span.path
        where = " ".join(part for part in (place, finding.symbol) if part)
        lines.append(f"- {where}: {finding.message}")
    if len(run.findings) > _MOST_FINDINGS:
        lines.append(f"- and {len(run.findings) - _MOST_FINDINGS} more")
    return "\n".join(lines)
