"""Outcomes to a decision: the one place that knows what a finding, a limit, an exit and a failure mean."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.failure import ASK, CLOSED, FAILS, OPEN, fails_closed, stricter
from vetgate.model import Decision, FailureKind, GateKind, SkipKind, Status, UncheckedKind
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.config.schema import Config
    from vetgate.model import Finding, Gate, Outcome, Verdict

# What follows from a gate, by its `on_pass` or `on_fail`. One that calls another gate leaves it to that one.
_FOLLOWS = {"CONTINUE": Decision.WARN, "BLOCK": Decision.BLOCK, "STOP": Decision.HALT}
_HOLDS = frozenset({"BLOCK", "STOP"})
_WHEN_FAILED = {OPEN: Decision.WARN, ASK: Decision.ASK, CLOSED: Decision.BLOCK}
_MEANS = {"allow": Decision.ALLOW, "ask": Decision.ASK, "deny": Decision.BLOCK}
_THEN = {"block": Decision.BLOCK, "ask": Decision.ASK, "allow": Decision.WARN}
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
# What these gates come to is their status; of the others it is what they found.
_BY_STATUS = frozenset({GateKind.COMMAND, GateKind.SHIP, GateKind.PROOF})
_ANSWERED = frozenset({Status.PASSED, Status.FAILED})
_SPEAKS = frozenset({Status.FAILED, Status.ERRORED})
# These are told: whoever listed the gate expects an answer of it.
_TOLD_SKIPS = frozenset({SkipKind.MISSING, SkipKind.LIMITED, SkipKind.UNANSWERED})
_WAY_OUT = (
    "source code that is too large to check may not be written: split it, or a person excludes it with "
    "`paths.exclude` in vetgate.yaml and runs `vetgate trust`"
)


def decided(outcomes: Iterable[Outcome], config: Config) -> Decision:
    """The strongest of what each gate says."""
    return max((decided_by(outcome, config) for outcome in outcomes), default=Decision.ALLOW)


def decided_by(outcome: Outcome, config: Config) -> Decision:
    """What is told late holds nobody back."""
    by_status = _is_by_status(outcome, config.gates[outcome.gate])
    decision = _by_action(outcome, config) if by_status else _by_findings(outcome, config)
    return min(decision, Decision.WARN) if outcome.late else decision


def at_the_end(verdict: Verdict, *, missed: bool = False) -> Verdict:
    """Nothing comes after it: what failed holds, so does source code beyond a limit, and what else is `missed`."""
    failed = tuple(f"not checked: {outcome.error}" for outcome in verdict.outcomes if outcome.error)
    too_large = (_WAY_OUT,) if any(item.holds for item in verdict.unchecked) else ()
    if not failed and not too_large and not missed:
        return verdict
    return replace(verdict, decision=max(verdict.decision, Decision.BLOCK), notes=(*verdict.notes, *failed, *too_large))


def after_rounds(decision: Decision, number: int, most: int) -> Decision:
    """What the end of a turn comes to when it is held for the same reason once more: too often helps nobody."""
    return min(decision, Decision.WARN) if number > most else decision


def stops(decision: Decision) -> bool:
    """Where nobody is there to be asked, what needs a person's answer does not pass."""
    return decision > Decision.WARN


def decided_for(finding: Finding, gate: Gate) -> Decision:
    """What one finding comes to."""
    if blocks(finding, gate):
        # What a judge denies holds until an appeal has overturned it; then its findings are advice.
        called = Decision.BLOCK if gate.kind is GateKind.JUDGE else Decision.WARN
        follows = _FOLLOWS.get(gate.on_fail, called)
        return min(follows, Decision.ASK) if finding.asks else follows
    is_told = finding.new and not finding.said and finding.severity > Severity.NOTE
    return Decision.WARN if is_told else Decision.ALLOW


def blocks(finding: Finding, gate: Gate) -> bool:
    counts = finding.severity >= gate.block_at or (finding.first_raised and gate.block_on_new_issues)
    return finding.new and not finding.advisory and counts


def action_of(outcome: Outcome, config: Config) -> str:
    """What is to follow: CONTINUE, BLOCK, STOP, or the gate that is called."""
    gate = config.gates[outcome.gate]
    if outcome.late:
        return "CONTINUE"
    if has_failed(outcome, gate):
        return gate.on_fail
    if outcome.skip is SkipKind.UNPROVEN:
        return "BLOCK"  # whatever its runs lead to, here somebody relies on one that never was
    if outcome.skip in _TOLD_SKIPS:
        return "CONTINUE" if (gate.on_error or OPEN) == OPEN else "BLOCK"
    if outcome.status is Status.ERRORED or _unfinished(outcome, gate):
        return "CONTINUE" if _fails_open(gate, config) else "BLOCK"
    return gate.on_pass


def holds_for_passing(outcome: Outcome, config: Config) -> bool:
    """By its gate a pass is what does not go on."""
    gate = config.gates[outcome.gate]
    return gate.on_pass in _HOLDS and not has_failed(outcome, gate) and action_of(outcome, config) == gate.on_pass


def failing(kind: FailureKind, config: Config) -> Decision:
    """What `on_failure` has follow."""
    return _MEANS[config.on_failure[kind]]


def fallback(outcome: Outcome, config: Config) -> Decision:
    """The strongest of what is to follow from its failures; what its checks say about failing comes on top."""
    kinds = _failures(outcome, config.gates[outcome.gate])
    return max((failing(each, config) for each in kinds), default=Decision.ALLOW)


def after_retries(then: str, refused: Iterable[Finding]) -> Decision:
    """What `retries.then` comes to when the attempts are used up; what fails closed is not let through by it."""
    is_closed = any(fails_closed(each.check) for each in refused)
    return max(_THEN[then], Decision.ASK) if is_closed else _THEN[then]


def _fails_open(gate: Gate, config: Config) -> bool:
    """With `on_failure.test: deny` a command that cannot be run holds the agent back, whatever its gate says.

    Where nobody can tell what was reviewed, nothing leaves.
    """
    if gate.kind is GateKind.SHIP:
        return False
    if gate.kind is GateKind.COMMAND and config.on_failure["test"] == "deny":
        return False
    return (gate.on_error or OPEN) == OPEN


def has_failed(outcome: Outcome, gate: Gate) -> bool:
    """Whether its `on_fail` follows: what it only told does not count."""
    if _is_by_status(outcome, gate):
        return outcome.status is Status.FAILED
    return any(blocks(finding, gate) for finding in outcome.findings)


def _is_by_status(outcome: Outcome, gate: Gate) -> bool:
    """A command that reviews decides by what it found, once it has answered: its exit status says nothing of that."""
    return gate.kind in _BY_STATUS and not (gate.reviews and outcome.status in _ANSWERED)


def _by_action(outcome: Outcome, config: Config) -> Decision:
    decision = _FOLLOWS.get(action_of(outcome, config), Decision.WARN)
    speaks = outcome.status in _SPEAKS or outcome.skip in _TOLD_SKIPS
    return decision if decision > Decision.WARN or speaks else Decision.ALLOW


def _by_findings(outcome: Outcome, config: Config) -> Decision:
    gate = config.gates[outcome.gate]
    decision = max((decided_for(finding, gate) for finding in outcome.findings), default=Decision.ALLOW)
    # A limit that was reached is a check that did not finish: the same table says what that means.
    for name in _unfinished(outcome, gate):
        direction = stricter(FAILS.get(name.partition("/")[0], OPEN), gate.on_error or OPEN)
        decision = max(decision, _WHEN_FAILED[direction])
    if holds_for_passing(outcome, config):
        decision = max(decision, _FOLLOWS[gate.on_pass])
    return max(decision, fallback(outcome, config))


def _unfinished(outcome: Outcome, gate: Gate) -> set[str]:
    """The checks that crashed, gave up, or never got to see a file."""
    names = set(outcome.failed_checks)
    for item in outcome.unchecked:
        names |= {item.check} if item.check else set(gate.checks)
    return names


def _failures(outcome: Outcome, gate: Gate) -> Iterator[FailureKind]:
    if gate.kind is GateKind.JUDGE:
        yield from [FailureKind.MODEL] if outcome.error and not outcome.pending else []
        return
    yield from [FailureKind.ANALYSIS] if outcome.failed_checks else []
    yield from (FAILURES[item.kind] for item in outcome.unchecked)
