"""A review: the loops of `review`, or the gates of `on.review`, over all that a branch changes, in order; on record."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from msgspec import to_builtins

from vetgate.checks.secrets.text_redaction import all_without_secrets
from vetgate.engine.decide import decided_by, stops
from vetgate.gates.report import report_text
from vetgate.model import CONFIG_NAME, Decision, Finding, Span, Status, UserError, Verdict
from vetgate.progress import Progress, unseen
from vetgate.record import decision_id, record, recorded_gate
from vetgate.service.check import called_from, judged_change
from vetgate.service.configuration import ProjectAround, loosened
from vetgate.service.report.run import Run
from vetgate.service.review_loops import LoopRun, ReviewWatcher
from vetgate.service.review_outcomes import LoopStatus
from vetgate.service.review_record import earlier_result, passed_before, recorded_review
from vetgate.service.review_scope import ReviewScope, target_of
from vetgate.service.review_selection import GateChoice, choose
from vetgate.service.review_summary import summary_of
from vetgate.severity import Severity
from vetgate.source.clock import elapsed_ms

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.model import Outcome
    from vetgate.project import Project
    from vetgate.service.check import Judged
    from vetgate.service.review_outcomes import LoopResult
    from vetgate.service.review_scope import ReviewTarget
    from vetgate.service.review_selection import ChosenLoop
    from vetgate.store import RecordedReview

_LOOSENED = "the configuration is looser than what a person accepted"
_STOPPED = "the review was stopped"


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """`loops` by number or name, none for all; `paths` limit what is looked at; `measured` asks for figures, too.

    `asked_by` is who wants it, on record, where that is no person. `anew` believes no earlier run of anything.
    """

    cwd: Path
    base: str | None = None
    scope: ReviewScope = ReviewScope.BRANCH
    paths: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()
    choice: GateChoice = GateChoice.ALL
    measured: bool = False
    asked_by: str = ""
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What each loop came to, and what is on record of it under `id`."""

    id: str
    judged: Judged
    loops: tuple[LoopResult, ...]
    target: ReviewTarget
    record: RecordedReview
    elapsed_ms: float

    @property
    def base(self) -> str:
        return self.target.base

    @property
    def was_stopped(self) -> bool:
        return any(each.status is LoopStatus.STOPPED for each in self.loops)

    @property
    def verdict(self) -> Verdict:
        """A gate that failed without saying where has a finding all the same."""
        outcomes = tuple(map(_with_a_finding, self.judged.verdict.outcomes))
        return replace(self.judged.verdict, outcomes=outcomes)

    @property
    def text(self) -> str:
        """What gates other than checks said in failing, for a person."""
        config = self.judged.config
        said = [each for each in self.judged.verdict.outcomes if not config.gates[each.gate].checks]
        return report_text(said, config)

    def report(self, *, for_people: bool = False, log: str = "") -> Run:
        """People get to see what the commands said; in every other report what they found is a part of it."""
        verdict = self.verdict
        config = self.judged.config
        # What a model or a command found is a part of its text, where there is any.
        listed = tuple(
            each
            for each in verdict.outcomes
            if config.gates[each.gate].checks or decided_by(each, config) <= Decision.ALLOW
        )
        shown = replace(verdict, outcomes=listed) if for_people else verdict
        run = Run.of(replace(self.judged, verdict=shown, elapsed_ms=self.elapsed_ms))
        every = Run.of(self.judged).findings if for_people else ()
        gates = [to_builtins(recorded_gate(each)) for each in verdict.outcomes]
        summary = summary_of(self, log)
        return replace(
            run,
            gates=tuple(all_without_secrets(gates)),
            review=summary,
            blocked_by=summary.blocked_by,
            elsewhere=tuple(each for each in every if each not in run.findings),
        )


@dataclass(frozen=True, slots=True)
class Review(ProjectAround):
    """Of the branch that is checked out."""

    def config(self) -> Config:
        """What a person accepted: a review runs commands, and those of a stranger's repository are not run."""
        config = self.in_force.config
        if self.in_force.must_ask or not config.enabled:
            raise UserError("there is no configuration for a review to follow", hint="vetgate config, vetgate trust")
        if not config.loops:
            hint = "name some in vetgate.yaml, as in `on: {review: [code, test]}`, and accept it with `vetgate trust`"
            raise UserError("`on.review` lists no gates", hint=hint)
        file = self.in_force.file
        waiting = _commands(file.config) - _commands(config) if file is not None else set()
        if waiting:
            raise UserError(
                f"vetgate.yaml lists commands for a review that nobody accepted: {', '.join(sorted(dict(waiting)))}",
                hint="read them, then: vetgate trust",
            )
        return config

    def run(
        self, request: ReviewRequest, watcher: ReviewWatcher | None = None, progress: Progress = unseen
    ) -> Reviewed:
        """In order, and on record whatever it comes to, also when a person stops it."""
        started = time.perf_counter()
        config, project, chosen, target = self.prepared(request)
        watcher = watcher or ReviewWatcher()
        watcher.review_begins(target, chosen)
        guarded = loosened(self.project, self.in_force, target.fork)
        held = _LOOSENED if stops(guarded.decision) else ""
        known = (target, config, project.store)
        kept = (lambda _: None) if request.anew else lambda loop: passed_before(loop, *known)
        running = LoopRun(project, config, target, watcher, progress, kept, anew=request.anew)
        running.asked_by = request.asked_by or running.asked_by
        loops = tuple(running.run(chosen, held))
        was_stopped = any(each.status is LoopStatus.STOPPED for each in loops)
        held = held or (_STOPPED if was_stopped else "")
        row = recorded_review(target, loops, config, lambda loop: earlier_result(loop, *known), held, anew=request.anew)
        verdict = Verdict(
            max((guarded.decision, *(each.decision for each in loops))),
            (*guarded.outcomes, *(outcome for each in loops for outcome in each.outcomes)),
            tuple(dict.fromkeys(note for each in loops for note in each.notes)),
            id=decision_id(f"review {time.time_ns()} {project.root}".encode()),
        )
        record(project.decisions, running.event, verdict, config, elapsed_ms(started), review=row)
        judged = judged_change(target.change, config, verdict, measured=request.measured)
        return Reviewed(verdict.id, called_from(judged, request.cwd), loops, target, row, elapsed_ms(started))

    def prepared(self, request: ReviewRequest) -> tuple[Config, Project, tuple[ChosenLoop, ...], ReviewTarget]:
        """Raises UserError for what cannot be reviewed."""
        config = self.config()
        chosen = choose(config, request.loops, request.choice)
        target = target_of(
            self.repository,
            self.project,
            scope=request.scope,
            base=request.base,
            paths=request.paths,
            cwd=request.cwd,
        )
        return config, self.project, chosen, target


def _commands(config: Config) -> set[tuple[str, str]]:
    listed = (config.gates[name] for name in config.reached(name for loop in config.loops for name in loop.names))
    return {(gate.id, gate.command) for gate in listed if gate.command}


def _with_a_finding(outcome: Outcome) -> Outcome:
    if outcome.findings or outcome.status is not Status.FAILED:
        return outcome
    reason = outcome.judgement.reason if outcome.judgement else ""
    told = reason or f"The gate `{outcome.gate}` failed."
    place = Span(CONFIG_NAME, 1)
    check = outcome.judgement.judge if outcome.judgement else "command"
    found = Finding(check, outcome.gate, place, told, Severity.ERROR, symbol=outcome.gate, evidence=outcome.gate)
    return replace(outcome, findings=(found,))
