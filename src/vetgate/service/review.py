"""A review: the gates of `on.review` over all that a branch changes, checks first, then the project's commands."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate import runtime
from vetgate.config.looser import standing_with
from vetgate.engine.decide import stops
from vetgate.model import (
    CONFIG_NAME,
    Event,
    EventKind,
    Finding,
    Progress,
    Severity,
    Span,
    Status,
    UserError,
    unseen,
)
from vetgate.project import Project
from vetgate.record import decision_id, elapsed_ms, record
from vetgate.respond.call import checking
from vetgate.respond.loosened_config import as_committed, between, with_loosened
from vetgate.service.check import called_from, joined, judge_change
from vetgate.service.commands import Said, run_commands
from vetgate.source import git

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.config.trust import Effective
    from vetgate.model import Outcome, Verdict
    from vetgate.service.check import Judged
    from vetgate.source.git import Repository

# Who asked, on record.
_PERSON = "person"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What the checks say of all since `fork`, where the branch left `base`, and what the commands came to."""

    judged: Judged
    said: Said
    base: str
    fork: str

    @property
    def verdict(self) -> Verdict:
        """Of both; a command that failed without saying where is a finding all the same."""
        failures = tuple(map(_with_a_finding, self.said.verdict.outcomes))
        return joined((self.judged.verdict, replace(self.said.verdict, outcomes=failures)))


@dataclass(frozen=True, slots=True)
class Review:
    """Of the branch that is checked out."""

    repository: Repository
    project: Project
    in_force: Effective

    @classmethod
    def at(cls, folder: Path) -> Review:
        repository = git.open_at(folder)
        project = Project(repository.top, runtime.state_dir())
        return cls(repository, project, project.effective())

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(filter(None, (*self.in_force.notes, self.project.store.problem)))

    def config(self) -> Config:
        """What a person accepted: a review runs commands, and those of a stranger's repository are not run."""
        config = self.in_force.config
        if self.in_force.must_ask or not config.enabled:
            raise UserError("there is no configuration that a review could go by", hint="vetgate config, vetgate trust")
        if not config.on.get(EventKind.REVIEW):
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

    def run(self, base: str | None, cwd: Path, *, measured: bool = False, progress: Progress = unseen) -> Reviewed:
        """Compared with `base`, or else with the branch it would go into; on record."""
        started = time.perf_counter()
        config, project = self.config(), self.project
        base = base or self.repository.trunk()
        fork, change = self.repository.fork(base), self.repository.since(base)
        event = Event(_PERSON, EventKind.REVIEW, cwd=project.root, tool="review", change=change)
        checks = checking(config, EventKind.REVIEW)
        judged = judge_change(
            change, config, suppressions=project.suppressions(), measured=measured, gates=checks, progress=progress
        )
        judged = called_from(replace(judged, verdict=self._with_loosened(judged.verdict, fork)), cwd)
        if checks:
            number = decision_id(f"review {time.time_ns()} {project.root}".encode())
            record(project.decisions, event, replace(judged.verdict, id=number), config, elapsed_ms(started))
        said = Said() if stops(judged.verdict.decision) else run_commands(project, config, event)
        return Reviewed(judged, said, base, fork)

    def _with_loosened(self, verdict: Verdict, fork: str) -> Verdict:
        """A file that nobody can read loosens nothing: what was good last is in force, and that was said already."""
        if self.in_force.problem is not None:
            return verdict
        file = self.in_force.file
        try:
            now = standing_with(file and file.config, self.project.root)
        except UserError:
            return verdict
        findings = between(self.project.accepted(), as_committed(self.project.root, fork), now)
        return with_loosened(verdict, findings, self.in_force.config)


def _commands(config: Config) -> set[tuple[str, str]]:
    listed = (config.gates[name] for name in config.on.get(EventKind.REVIEW, ()))
    return {(gate.id, gate.command) for gate in listed if gate.command}


def _with_a_finding(outcome: Outcome) -> Outcome:
    if outcome.findings or outcome.status is not Status.FAILED:
        return outcome
    told = f"The gate `{outcome.gate}` failed."
    place = Span(CONFIG_NAME, 1)
    found = Finding("command", outcome.gate, place, told, Severity.ERROR, symbol=outcome.gate, evidence=outcome.gate)
    return replace(outcome, findings=(found,))
