"""Whether the uncommitted change can be committed: checks first, then the project's commands, then the reviewer."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate import runtime
from vetgate.engine.decide import decided, stops
from vetgate.gates.command import CommandRunner
from vetgate.gates.evidence import gate_kind
from vetgate.gates.judge import JudgeRunner
from vetgate.gates.linter import linter_verdict
from vetgate.gates.sequence import run_steps
from vetgate.judges import judge_named
from vetgate.model import Event, EventKind, Gate, GateKind, Status, UserError, Verdict
from vetgate.progress import Progress, unseen
from vetgate.project import Project
from vetgate.record import decision_id, record
from vetgate.respond.call import checking
from vetgate.service.check import Judged, app, called_from, joined, judged_change
from vetgate.service.configuration import loosened
from vetgate.service.index import ready_index
from vetgate.source import git
from vetgate.source.clock import elapsed_ms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.config.trust import Effective
    from vetgate.gates.sequence import Runner
    from vetgate.model import Change, Outcome

REVIEWER = "reviewer"
_LINTS = frozenset({"lint", "check"})
_SECONDS = 24 * 3600.0  # each gate has a clock of its own


@dataclass(frozen=True, slots=True)
class Confirmed:
    """`ran` is what commands and the judge came to; `notes` say what was not asked."""

    id: str
    judged: Judged
    ran: tuple[Outcome, ...]
    notes: tuple[str, ...]
    elapsed_ms: float

    @property
    def is_confirmed(self) -> bool:
        return not stops(self.judged.verdict.decision)


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Of what is not committed yet, in a project that a person set up."""

    project: Project
    in_force: Effective
    change: Change
    agent: str
    session: str

    @classmethod
    def at(cls, root: Path, agent: str, session: str = "") -> Confirmation:
        repository = git.open_at(root)
        project = Project(repository.top, runtime.state_dir())
        in_force = project.effective()
        if in_force.must_ask or not in_force.config.enabled:
            raise UserError("there is no configuration to follow", hint="vetgate config, vetgate trust")
        return cls(project, in_force, repository.since("HEAD"), agent, session)

    def run(self, *, asks_judge: bool = True, progress: Progress = unseen) -> Confirmed:
        """On record, whatever it comes to."""
        started = time.perf_counter()
        config, change = self.in_force.config, self.change
        if not change.files and not change.unchecked:
            raise UserError("there is nothing uncommitted", hint="change something first")
        event = Event(self.agent, EventKind.REVIEW, self.session, cwd=self.project.root, tool="confirm", change=change)
        progress("checks", 0, 3)
        gates = checking(config, EventKind.COMMIT) or checking(config, EventKind.BEFORE_EDIT)
        index = ready_index(change.root, config, self.project.state_dir, unseen)
        allowed = self.project.suppressions()
        found = linter_verdict(change, config, suppressions=allowed, index=index, gates=gates)
        judged = judged_change(change, config, joined((found, loosened(self.project, self.in_force, "HEAD"))))
        ran: tuple[Outcome, ...] = ()
        notes: list[str] = []
        progress("commands", 1, 3)
        if stops(judged.verdict.decision):
            notes.append("the checks blocked it, so no command ran and no judge was asked")
        else:
            files = tuple(file.path for file in change.files if file.after is not None)
            ran = _linted(self.project, config, files)
            if any(each.status is Status.FAILED for each in ran):
                notes.append("a command failed, so no judge was asked")
            elif asks_judge:
                progress(REVIEWER, 2, 3)
                more, config = self._judge(config, event, notes)
                ran += more
            else:
                notes.append("the reviewer was not asked: the caller declined it")
        progress("done", 3, 3)
        own = Verdict(decided(ran, config), ran)
        name = decision_id(f"confirm {time.time_ns()} {self.project.root}".encode())
        verdict = replace(joined((judged.verdict, own)), id=name)
        record(self.project.decisions, event, verdict, config, elapsed_ms(started))
        judged = called_from(replace(judged, verdict=verdict), self.project.root)
        return Confirmed(name, judged, ran, tuple(notes), elapsed_ms(started))

    def _judge(self, config: Config, event: Event, notes: list[str]) -> tuple[tuple[Outcome, ...], Config]:
        """The reviewer with its tools; nobody where no model is configured."""
        own = next((gate for gate in config.gates.values() if gate.judge == REVIEWER), None)
        gate = own or Gate(REVIEWER, (), judge=REVIEWER, block_at=judge_named(REVIEWER).block_at)
        runner = JudgeRunner(self.project, config, event, os.environ, _SECONDS, change=self.change)
        if isinstance(runner.models(gate, judge_named(REVIEWER)), str):
            notes.append("no model is configured for the reviewer, so none was asked")
            return (), config
        from vetgate.models.client import warm_up  # noqa: PLC0415 - only when a judge is asked

        warm_up({model.api for model in config.models.values()})
        config = replace(config, gates={**config.gates, gate.id: gate})
        return (replace(runner, config=config, started=time.monotonic()).run(gate),), config


def lint(root: Path, names: Sequence[str] = ()) -> tuple[Outcome, ...]:
    """What the accepted commands that lint say of a project, or of some files of it; none where nobody accepted any."""
    project = app().project(root)
    return _linted(project, project.effective().config, names or None)


def _linted(project: Project, config: Config, files: Sequence[str] | None) -> tuple[Outcome, ...]:
    commands = (gate for gate in config.gates.values() if gate.command)
    names = tuple(gate.id for gate in commands if gate.id in _LINTS or gate_kind(gate) in _LINTS)
    if not names or project.store.trusted() is None or not config.enabled:
        return ()
    runners: dict[GateKind, Runner] = {GateKind.COMMAND: CommandRunner(project, os.environ, _SECONDS, files=files)}
    return run_steps((names,), config, runners)
