"""Outcomes to a decision: the one place that knows what a finding, a limit and a failed check mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.failure import ASK, CLOSED, FAILS, OPEN, stricter
from vetgate.model import Decision, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.model import Finding, Gate, Outcome

# What findings that block come to, by the gate's `on_fail`.
_FOLLOWS = {"CONTINUE": Decision.WARN, "BLOCK": Decision.BLOCK, "STOP": Decision.HALT}
_WHEN_FAILED = {OPEN: Decision.WARN, ASK: Decision.ASK, CLOSED: Decision.BLOCK}


def decided(outcomes: Iterable[Outcome], gates: Mapping[str, Gate]) -> Decision:
    """The strongest of what each gate says."""
    return max((_of(outcome, gates[outcome.gate]) for outcome in outcomes), default=Decision.ALLOW)


def blocks(finding: Finding, gate: Gate) -> bool:
    return finding.new and not finding.advisory and finding.severity >= gate.block_at


def _of(outcome: Outcome, gate: Gate) -> Decision:
    decision = Decision.ALLOW
    for finding in outcome.findings:
        if blocks(finding, gate):
            follows = _FOLLOWS[gate.on_fail]
            decision = max(decision, min(follows, Decision.ASK) if finding.asks else follows)
        elif finding.new and finding.severity > Severity.NOTE:
            decision = max(decision, Decision.WARN)
    # A limit that was reached is a check that did not finish: the same table says what that means.
    for name in _unfinished(outcome, gate):
        direction = stricter(FAILS.get(name.partition("/")[0], OPEN), gate.on_error or OPEN)
        decision = max(decision, _WHEN_FAILED[direction])
    return decision


def _unfinished(outcome: Outcome, gate: Gate) -> set[str]:
    """The checks that crashed, gave up, or never got to see a file."""
    names = set(outcome.failed_checks)
    for item in outcome.unchecked:
        names |= {item.check} if item.check else set(gate.checks)
    return names
