"""The loops of a review, one after the other as they are written: a loop that fails and blocks is the last."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from vetgate.checks import all_checks
from vetgate.checks.secrets.redaction import word_redactor
from vetgate.engine.analysis import Analyzer
from vetgate.engine.run import CheckRunner
from vetgate.gates.content import content_of
from vetgate.gates.loop_identity import files_of
from vetgate.gates.sequence import run_steps
from vetgate.model import Decision, Event, EventKind, GateKind, Outcome, SkipKind, Status
from vetgate.progress import Progress, unseen
from vetgate.project import around
from vetgate.service.index import ready_index
from vetgate.service.review_outcomes import LoopResult, LoopStatus, as_reviewed, listed, ran_out, result_of
from vetgate.service.review_selection import may_block
from vetgate.service.unhurried import SECONDS, ended_with_us, judge_runner
from vetgate.source.clock import Deadline, elapsed_ms
from vetgate.source.git_ignored import hidden_files, reencoded_files
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from vetgate.config.schema import Config, Loop
    from vetgate.gates.sequence import Runner
    from vetgate.index.project import ProjectIndex
    from vetgate.model import Gate
    from vetgate.project import Project
    from vetgate.service.review_scope import ReviewTarget
    from vetgate.service.review_selection import ChosenLoop
    from vetgate.store import RecordedLoop

# Who asked, on record.
PERSON = "person"
UNCHANGED = "none of its files changed since it passed"
# A runner keeps this of its time for telling, which a loop does not take off what it was given.
_RESERVE = 1.0
_LOOK = 0.1


class ReviewWatcher:
    """Hears of a review as it goes on; called from several threads at once. This one says nothing."""

    def review_begins(self, target: ReviewTarget, loops: tuple[ChosenLoop, ...]) -> None:
        """What is compared, and which loops there are."""

    def loop_begins(self, chosen: ChosenLoop) -> None: ...

    def gate_begins(self, loop: str, gate: str) -> None: ...

    def gate_ends(self, loop: str, outcome: Outcome) -> None: ...

    def loop_ends(self, result: LoopResult) -> None:
        """Also of one that did not run."""


class GateProgress(ReviewWatcher):
    """How many gates are done, and which one began last. Thread-safe: gates of one step run at once."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._lock = threading.Lock()
        self._done = self._total = 0

    def review_begins(self, target: ReviewTarget, loops: tuple[ChosenLoop, ...]) -> None:  # noqa: ARG002 - as all watchers
        self._total = sum(len(step) for each in loops if not each.unchosen for step in each.steps)
        self._progress("review", 0, self._total)

    def gate_begins(self, loop: str, gate: str) -> None:
        self._progress(f"{loop}: {gate}", self._done, self._total)

    def gate_ends(self, loop: str, outcome: Outcome) -> None:
        with self._lock:
            self._done = min(self._done + 1, self._total)  # a gate may call others that nobody counted
            done = self._done
        self._progress(f"{loop}: {outcome.gate} {outcome.status}", done, self._total)

    def loop_ends(self, result: LoopResult) -> None:
        self._progress(f"{result.name}: {result.status}", self._done, self._total)


@dataclass
class _Watched:
    """A runner of one loop: it tells what begins and ends, and says in a review's own terms what came of it."""

    runner: Runner
    loop: Loop
    deadline: Deadline
    config: Config
    watcher: ReviewWatcher
    stopped: threading.Event
    outcomes: list[Outcome]

    @property
    def is_cheap(self) -> bool:
        return self.runner.is_cheap

    def run(self, gate: Gate) -> Outcome:
        if self.stopped.is_set():
            raise KeyboardInterrupt
        self.watcher.gate_begins(self.loop.name, gate.id)
        outcome = self._in_time(gate)
        if self.stopped.is_set() and outcome.status is Status.ERRORED:
            raise KeyboardInterrupt  # ended with us: it says nothing
        outcome = as_reviewed(outcome, self.config)
        self.outcomes.append(outcome)
        self.watcher.gate_ends(self.loop.name, outcome)
        return outcome

    def _in_time(self, gate: Gate) -> Outcome:
        if not self.deadline.passed() or self.is_cheap:
            return self.runner.run(gate)
        why = f"{ran_out(self.loop)} before this gate could run"
        if gate.kind is GateKind.COMMAND and not gate.reviews:
            return Outcome(gate.id, Status.FAILED, error=why)
        return Outcome.errored(gate.id, why)


@dataclass
class LoopRun:
    """Everything that the loops of one review run with."""

    project: Project
    config: Config
    target: ReviewTarget
    watcher: ReviewWatcher = field(default_factory=ReviewWatcher)
    progress: Progress = unseen
    kept: Callable[[Loop], RecordedLoop | None] = lambda _: None
    stopped: threading.Event = field(default_factory=threading.Event)
    asked_by: str = PERSON
    anew: bool = False

    @property
    def event(self) -> Event:
        root = self.project.root
        return Event(self.asked_by, EventKind.REVIEW, cwd=root, tool="review", change=self.target.change)

    def run(self, chosen: tuple[ChosenLoop, ...], held: str = "") -> Iterator[LoopResult]:
        """Each loop's result; `held` says why none of them may run."""
        for each in chosen:
            result = self._not_run(each, held) or self._run(each)
            self.watcher.loop_ends(result)
            yield result
            if result.status is LoopStatus.STOPPED:
                held = "the review was stopped"
            elif result.holds:
                held = f"the loop {result.name} failed"

    def _not_run(self, chosen: ChosenLoop, held: str) -> LoopResult | None:
        if not chosen.unchosen and not held:
            return self._kept(chosen)
        harmless = not any(may_block(self.config.gates[name]) for name in chosen.left_out)
        is_empty = bool(chosen.left_out) and not chosen.steps
        # An earlier pass is worth more.
        if not held and is_empty and harmless and self.kept(chosen.loop) is None:
            skipped = (Outcome.skipped(name, why, SkipKind.LEFT_OUT) for name, why in chosen.left_out.items())
            return result_of(chosen, tuple(skipped), self.config, 0.0)
        return LoopResult(chosen, LoopStatus.NOT_RUN, why=held or chosen.unchosen)

    def _kept(self, chosen: ChosenLoop) -> LoopResult | None:
        """Where a loop names its files and none of them changed, what it came to stands."""
        known = self.kept(chosen.loop) if chosen.loop.inputs and not chosen.left_out else None
        if known is None:
            return None
        return LoopResult(chosen, LoopStatus.PASSED, skipped=known.skipped, why=UNCHANGED, kept=known)

    def _run(self, chosen: ChosenLoop) -> LoopResult:
        started = time.perf_counter()
        loop = chosen.loop
        done: list[Outcome] = []
        self.watcher.loop_begins(chosen)
        if self._kinds(chosen) & {GateKind.CHECKS, GateKind.JUDGE}:  # a reviewer is shown callers
            _ = self._index  # which takes its time once, and is no fault of the loop that comes first
        deadline = Deadline.after(loop.timeout) if loop.timeout else Deadline.never()
        runners, give_up = self._runners(chosen, deadline, done)
        left = tuple(Outcome.skipped(name, why, SkipKind.LEFT_OUT) for name, why in chosen.left_out.items())

        def leave() -> None:
            self.stopped.set()
            give_up.set()

        try:
            with ended_with_us(leave):
                outcomes = _watched_for(partial(run_steps, chosen.steps, self.config, runners, Decision.ASK))
        except KeyboardInterrupt:
            outcomes = tuple(done)
            return LoopResult(
                chosen,
                LoopStatus.STOPPED,
                outcomes,
                elapsed_ms=elapsed_ms(started),
                why="it was stopped before it ended",
            )
        nobody = tuple(
            Outcome.skipped(name, "this version cannot run it", SkipKind.MISSING)
            for name in loop.names
            if self.config.gates[name].kind not in runners and name not in chosen.left_out
        )
        written, notes = self._written()
        result = result_of(chosen, (*outcomes, *nobody, *left), self.config, elapsed_ms(started), written)
        return replace(result, notes=notes, blockers=(*result.blockers, *self._unseen(chosen)))

    def _unseen(self, chosen: ChosenLoop) -> tuple[str, ...]:
        """What commands saw and no commit will hold: they may have come to something else without it."""
        if not self._kinds(chosen) & {GateKind.COMMAND, GateKind.PROOF}:
            return ()
        root, found = self.target.change.root, []
        if hidden := hidden_files(root, self.target.files, SECONDS):
            how = "which rules outside of any commit hide from git: use .gitignore"
            found.append(f"commands ran beside {listed(hidden)}, {how}")
        code = (name for name in self.target.differing if language_of(name))  # resources may well be in UTF-16
        if other := reencoded_files(root, code, SECONDS):
            how = "and a commit holds UTF-8: take `working-tree-encoding` out of .gitattributes"
            found.append(f"commands read {listed(other)}, {how}")
        return tuple(found)

    def _kinds(self, chosen: ChosenLoop) -> set[GateKind]:
        names = self.config.reached(name for step in chosen.steps for name in step)
        return {self.config.gates[name].kind for name in names}

    def _runners(
        self, chosen: ChosenLoop, deadline: Deadline, done: list[Outcome]
    ) -> tuple[Mapping[GateKind, Runner], threading.Event]:
        """By kind, and what gives up asking models."""
        loop = chosen.loop
        kinds = self._kinds(chosen)
        seconds = deadline.left() if loop.timeout else SECONDS
        limit = ran_out(loop) if loop.timeout else ""
        files = self.target.present
        made: dict[GateKind, Any] = {}
        give_up = threading.Event()
        if GateKind.COMMAND in kinds:
            from vetgate.gates.command import CommandRunner  # noqa: PLC0415 - loops of checks alone start sooner

            made[GateKind.COMMAND] = CommandRunner(
                self.project,
                os.environ,
                seconds + _RESERVE,
                files=files,
                skips_missing=True,
                limit=limit,
                anew=self.anew,
            )
        if GateKind.JUDGE in kinds:
            made[GateKind.JUDGE] = judge_runner(self.project, self.config, self.event, seconds + _RESERVE)
            give_up = made[GateKind.JUDGE].given_up
        if GateKind.CHECKS in kinds:
            made[GateKind.CHECKS] = self._checks(deadline)
        if GateKind.PROOF in kinds:
            from vetgate.gates.proof import ProofRunner  # noqa: PLC0415 - as above

            made[GateKind.PROOF] = ProofRunner(self.project, os.environ, seconds + _RESERVE, base=self.target.fork)
        watched: dict[GateKind, Runner] = {
            kind: _Watched(runner, loop, deadline, self.config, self.watcher, self.stopped, done)
            for kind, runner in made.items()
        }
        return watched, give_up

    def _checks(self, deadline: Deadline) -> CheckRunner:
        change = self.target.change
        return CheckRunner(
            change,
            self._analyzer,
            self.config,
            deadline,
            around=partial(around, change.root),
            suppressions=self.project.suppressions(),
            index=self._index,
            final=True,
            sees_all=(change.root / ".git").exists,
        )

    @cached_property
    def _analyzer(self) -> Analyzer:
        return Analyzer(all_checks(), word_redactor)

    @cached_property
    def _index(self) -> ProjectIndex | None:
        listed = self.target.files if self.target.tree else None
        return ready_index(self.target.change.root, self.config, self.project.state_dir, self.progress, listed)

    def _written(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Files that are not any more what the review began with, and notes about those that came beside them."""
        found = content_of(self.project) if self.target.tree else None
        if found is None or found.id == self.target.tree:
            return (), ()
        now = files_of(found.listed)
        written = tuple(name for name, was in self.target.files.items() if now.get(name) != was)
        new = sorted(now.keys() - self.target.files.keys())
        if not new:
            return written, ()
        names = new[0] if len(new) == 1 else f"{new[0]} and {len(new) - 1} more"
        return written, (f"{names} appeared while the loop ran: add what commands write to .gitignore",)


def _watched_for(act: Callable[[], tuple[Outcome, ...]]) -> tuple[Outcome, ...]:
    """In a thread of its own: a signal that comes as the main one begins to wait without end would never be seen.

    Nor is the work interrupted in the middle of anything; it has a moment to end once its children are gone.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="loop") as pool:
        running = pool.submit(copy_context().run, act)  # whoever cancels cancels this
        while not running.done():
            wait((running,), _LOOK)
        return running.result()
