"""Outcomes to a decision: the one place that knows what a finding, a limit, an exit and a failure mean."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.failure import ASK, CLOSED, FAILS, OPEN, stricter
from vetgate.model import Decision, FailureKind, GateKind, Severity, Status, UncheckedKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from vetgate.config.schema import Config
    from vetgate.model import Finding, Gate, Outcome, Verdict

# What follows from a gate, by its `on_pass` or `on_fail`. One that calls another gate leaves it to that one.
_FOLLOWS = {"CONTINUE": Decision.WARN, "BLOCK": Decision.BLOCK, "STOP": Decision.HALT}
_WHEN_FAILED = {OPEN: Decision.WARN, ASK: Decision.ASK, CLOSED: Decision.BLOCK}
_MEANS = {"allow": Decision.ALLOW, "ask": Decision.ASK, "deny": Decision.BLOCK}
FAILURES = {
    UncheckedKind.UNREADABLE: FailureKind.FILESYSTEM,
    UncheckedKind.DANGLING_LINK: FailureKind.FILESYSTEM,
    UncheckedKind.TOO_LARGE: FailureKind.TIMEOUT,
    UncheckedKind.NOT_PARSED: FailureKind.TIMEOUT,
    UncheckedKind.UNFINISHED: FailureKind.TIMEOUT,
    UncheckedKind.NOT_CODE: FailureKind.PARSE,
    UncheckedKind.MISFIT: FailureKind.PARSE,
    UncheckedKind.OTHER: FailureKind.PARSE,
}
_SPEAKS = frozenset({Status.FAILED, Status.ERRORED})
_WAY_OUT = (
    "source code that is too large to be checked does not land: split it, or a person leaves it out by `paths.exclude` "
    "in vetgate.yaml and accepts that with `vetgate trust`"
)


def decided(outcomes: Iterable[Outcome], gates: Mapping[str, Gate]) -> Decision:
    """The strongest of what each gate says."""
    return max((decided_by(outcome, gates[outcome.gate]) for outcome in outcomes), default=Decision.ALLOW)


def decided_by(outcome: Outcome, gate: Gate) -> Decision:
    """What is told late holds nobody back."""
    decide = _by_findings if gate.kind is GateKind.CHECKS else _by_action
    return min(decide(outcome, gate), Decision.WARN) if outcome.late else decide(outcome, gate)


def at_the_end(verdict: Verdict, *, missed: bool = False) -> Verdict:
    """Nothing comes after it: what failed holds, so does source code beyond a limit, and what else is `missed`."""
    failed = tuple(f"not checked: {outcome.error}" for outcome in verdict.outcomes if outcome.error)
    too_large = (_WAY_OUT,) if any(item.holds for item in verdict.unchecked) else ()
    if not failed and not too_large and not missed:
        return verdict
    return replace(verdict, decision=max(verdict.decision, Decision.BLOCK), notes=(*verdict.notes, *failed, *too_large))


def stops(decision: Decision) -> bool:
    """Where nobody is there to be asked, what needs a person's answer does not pass."""
    return decision > Decision.WARN


def decided_for(finding: Finding, gate: Gate) -> Decision:
    """What one finding comes to."""
    if blocks(finding, gate):
        follows = _FOLLOWS.get(gate.on_fail, Decision.WARN)
        return min(follows, Decision.ASK) if finding.asks else follows
    return Decision.WARN if finding.new and finding.severity > Severity.NOTE else Decision.ALLOW


def blocks(finding: Finding, gate: Gate) -> bool:
    return finding.new and not finding.advisory and finding.severity >= gate.block_at


def action_of(outcome: Outcome, gate: Gate) -> str:
    """What is to follow: CONTINUE, BLOCK, STOP, or the gate that is called."""
    if outcome.late:
        return "CONTINUE"
    if gate.kind is GateKind.CHECKS:
        return gate.on_fail if any(blocks(finding, gate) for finding in outcome.findings) else gate.on_pass
    if outcome.status is Status.ERRORED:
        return "CONTINUE" if (gate.on_error or OPEN) == OPEN else "BLOCK"
    return gate.on_fail if outcome.status is Status.FAILED else gate.on_pass


def fallback(outcomes: Iterable[Outcome], on_failure: Mapping[str, str]) -> Decision:
    """The strongest of what is to follow from failures; what the checks themselves say about failing comes on top."""
    return max((_MEANS[on_failure[each]] for each in _failures(outcomes)), default=Decision.ALLOW)


def gates_in_force(config: Config) -> Mapping[str, Gate]:
    """With `on_failure.test: deny` a command that cannot be run holds the agent back, whatever its gate says."""
    if config.on_failure["test"] != "deny":
        return config.gates
    return {name: replace(gate, on_error=CLOSED) if gate.command else gate for name, gate in config.gates.items()}


def _by_action(outcome: Outcome, gate: Gate) -> Decision:
    decision = _FOLLOWS.get(action_of(outcome, gate), Decision.WARN)
    return decision if decision > Decision.WARN or outcome.status in _SPEAKS else Decision.ALLOW


def _by_findings(outcome: Outcome, gate: Gate) -> Decision:
    decision = max((decided_for(finding, gate) for finding in outcome.findings), default=Decision.ALLOW)
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


def _failures(outcomes: Iterable[Outcome]) -> Iterator[FailureKind]:
    for outcome in outcomes:
        yield from [FailureKind.ANALYSIS] if outcome.failed_checks else []
        yield from (FAILURES[item.kind] for item in outcome.unchecked)
