"""What the outcome of a gate means in a review: what could not run is skipped and named, and a loop has one status."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.engine.decide import decided, decided_by, decided_for, has_failed, stops
from vetgate.model import Decision, GateKind, SkipKind, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vetgate.config.schema import Config, Loop
    from vetgate.model import Gate, Outcome
    from vetgate.service.review_selection import ChosenLoop
    from vetgate.store import RecordedLoop

_NO_ANSWER = frozenset(SkipKind) - {SkipKind.NOTHING_TO_DO}


class LoopStatus(enum.StrEnum):
    """One whose every command is missing, or whose model nobody reached, is skipped: nobody can say that it passed."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    NOT_RUN = "not run"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class LoopResult:
    """What a loop came to; `why` says it of one that did not run. What was `kept` is an earlier result that holds.

    One that passed may have `blockers`, too: what it passed on is not only what would leave.
    """

    chosen: ChosenLoop
    status: LoopStatus
    outcomes: tuple[Outcome, ...] = ()
    decision: Decision = Decision.ALLOW
    elapsed_ms: float = 0.0
    blockers: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    why: str = ""
    kept: RecordedLoop | None = None

    @property
    def name(self) -> str:
        return self.chosen.name

    @property
    def holds(self) -> bool:
        """Whether nothing may come after it."""
        return self.status is LoopStatus.FAILED and self.chosen.loop.blocks

    @property
    def holds_nothing(self) -> bool:
        """What of it was skipped is only a note."""
        return self.status is LoopStatus.PASSED or not self.chosen.loop.blocks

    @property
    def has_result(self) -> bool:
        return self.status in {LoopStatus.PASSED, LoopStatus.FAILED, LoopStatus.SKIPPED}


def as_reviewed(outcome: Outcome, config: Config) -> Outcome:
    """What could not be run is skipped, unless the configuration has it hold: then `error` says why.

    A gate whose findings are all below its bar has passed, with findings, if it got to see all that it was to look at.
    """
    gate = config.gates[outcome.gate]
    if outcome.status is Status.FAILED and outcome.findings and not has_failed(outcome, gate):
        outcome = replace(outcome, status=Status.ERRORED if outcome.error else Status.PASSED)
    if outcome.status is not Status.ERRORED or gate.kind is GateKind.CHECKS:
        return outcome
    if stops(decided_by(outcome, config)):
        return outcome
    kind = SkipKind.UNANSWERED if gate.judge or gate.reviews else SkipKind.MISSING
    return replace(outcome, status=Status.SKIPPED, evidence=outcome.error, error="", skip=kind)


def could_not_run(outcome: Outcome) -> bool:
    return outcome.status is Status.ERRORED or outcome.skip in _NO_ANSWER


def status_of(outcomes: Sequence[Outcome], decision: Decision, config: Config) -> LoopStatus:
    if stops(decision):
        return LoopStatus.FAILED
    commands = [each for each in outcomes if _is_own_command(config.gates[each.gate])]
    if (commands and all(map(could_not_run, commands))) or all(map(could_not_run, outcomes)):
        return LoopStatus.SKIPPED
    return LoopStatus.PASSED


def _is_own_command(gate: Gate) -> bool:
    return gate.kind is GateKind.COMMAND and not gate.quota and not gate.reviews


def result_of(
    chosen: ChosenLoop, outcomes: tuple[Outcome, ...], config: Config, elapsed_ms: float, written: Sequence[str] = ()
) -> LoopResult:
    """`written` are files that changed while it ran: then nobody knows what it was about."""
    decision = decided(outcomes, config)
    blockers = [f"{each.gate}: {blocked_words(each, config)}" for each in outcomes if stops(decided_by(each, config))]
    if written:
        decision = max(decision, Decision.BLOCK)
        blockers.append(f"{listed(written)} changed while the loop ran; review it again")
    status = status_of(outcomes, decision, config)
    return LoopResult(
        chosen,
        status,
        outcomes,
        decision if chosen.loop.blocks else min(decision, Decision.WARN),
        elapsed_ms,
        tuple(blockers),
        tuple(f"{each.gate}: {each.error or each.evidence}" for each in outcomes if could_not_run(each)),
    )


def blocked_words(outcome: Outcome, config: Config) -> str:
    """Why a gate does not let this pass, on one line."""
    gate = config.gates[outcome.gate]
    found = [each for each in outcome.findings if stops(decided_for(each, gate))]
    if found:
        place = f"{found[0].span.path}:{found[0].span.line}: " if found[0].span.path else ""
        more = f", and {len(found) - 1} more" if len(found) > 1 else ""
        return f"{place}{found[0].message.splitlines()[0]}{more}"
    if outcome.error:
        return outcome.error
    if outcome.exit_status:
        how = f"exit status {outcome.exit_status}" if outcome.exit_status > 0 else f"signal {-outcome.exit_status}"
        return f"`{gate.command}` ended with {how}"
    if outcome.status is Status.PASSED:
        return "it passed, and here a pass is what holds you back"
    return outcome.judgement.reason if outcome.judgement and outcome.judgement.reason else "it failed"


def ran_out(loop: Loop) -> str:
    return f"the loop {loop.name} used up its {loop.timeout} s"


def listed(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
