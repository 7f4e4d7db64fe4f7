"""`vetgate review`: the gates of a review over all that a branch changes, checks first, then the project's commands."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate import runtime
from vetgate.cli.check import called_from, reported
from vetgate.cli.gate_commands import Said, run_commands
from vetgate.cli.progress import Bar
from vetgate.cli.report import FORMATS, render
from vetgate.cli.surface import BLOCKED
from vetgate.model import CONFIG_NAME, Decision, Event, EventKind, Finding, Severity, Span, Status, UserError
from vetgate.project import Project
from vetgate.record import decision_id, elapsed_ms, record
from vetgate.respond.call import checking
from vetgate.respond.loosened_config import with_loosened
from vetgate.service.check import joined, judge_change
from vetgate.service.configuration import configuration, in_force
from vetgate.source import git

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.model import Outcome, Verdict
    from vetgate.service.check import Judged

# Who asked, on record.
_PERSON = "person"


@click.command(
    epilog="Exit status: 0 passed (warnings pass), 1 blocked, 2 wrong usage, 3 something to put right first."
)
@click.option("--base", metavar="BASE", help="What the branch is compared with; else the branch it would go into.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="How to report: `output.format`, else text.")
def review(base: str | None, form: str | None) -> int:
    """Run the gates of a review over what this branch changes.

    Those that `on.review` lists: checks over every file that differs from where the branch left BASE, and, once they
    have nothing against it, the project's own commands. What is not committed yet counts, untracked files included.
    """
    started = time.perf_counter()
    repository = git.open_at(Path.cwd())
    project = Project(repository.top, runtime.state_dir())
    config = _in_force(project)
    base = base or repository.trunk()
    fork, change = repository.fork(base), repository.since(base)
    form = form or config.output.format
    event = Event(_PERSON, EventKind.REVIEW, cwd=project.root, tool="review", change=change)
    checks = checking(config, EventKind.REVIEW)
    with Bar() as progress:
        judged = judge_change(
            change,
            config,
            gates=checks,
            measured=form == "json",
            suppressions=project.suppressions(),
            progress=progress,
        )
    judged = called_from(replace(judged, verdict=_with_loosened(judged, fork)), Path.cwd())
    if checks:
        number = decision_id(f"review {time.time_ns()} {project.root}".encode())
        record(project.store, event, replace(judged.verdict, id=number), config, elapsed_ms(started))
    passes = judged.verdict.decision < Decision.BLOCK
    said = run_commands(project, config, event) if passes else Said()
    if form == "text":
        click.echo(f"since {base} ({fork[:10]}), where this branch left it:")
    return _told(judged, said, form, started)


def _in_force(project: Project) -> Config:
    """What a person accepted: a review runs commands, and those of a stranger's repository are not run."""
    in_force = project.effective()
    for note in filter(None, (*in_force.notes, project.store.problem)):
        click.echo(f"vetgate: {note}", err=True)
    config = in_force.config
    if in_force.must_ask or not config.enabled:
        raise UserError("there is no configuration that a review could go by", hint="vetgate config, vetgate trust")
    if not config.on.get(EventKind.REVIEW):
        raise UserError(
            "`on.review` lists no gates",
            hint="name some in vetgate.yaml, as in `on: {review: [code, test]}`, and accept it with `vetgate trust`",
        )
    waiting = _written(project.root) - _commands(config)
    if waiting:
        raise UserError(
            f"vetgate.yaml lists commands for a review that nobody accepted: {', '.join(sorted(dict(waiting)))}",
            hint="read them, then: vetgate trust",
        )
    return config


def _with_loosened(judged: Judged, fork: str) -> Verdict:
    """A file that nobody can read loosens nothing: what was good last is in force, and that was said already."""
    try:
        return with_loosened(judged.verdict, in_force(judged.root, fork).findings, judged.config)
    except UserError:
        return judged.verdict


def _written(root: Path) -> set[tuple[str, str]]:
    """The commands of the file as it stands; none where nobody can read it, which was said already."""
    try:
        return _commands(configuration(root, None))
    except UserError:
        return set()


def _commands(config: Config) -> set[tuple[str, str]]:
    listed = (config.gates[name] for name in config.on.get(EventKind.REVIEW, ()))
    return {(gate.id, gate.command) for gate in listed if gate.command}


def _told(judged: Judged, said: Said, form: str, started: float) -> int:
    """What commands found is part of every report but the one for people, who get to see what the commands said."""
    failures = tuple(map(_with_a_finding, said.verdict.outcomes))
    verdict = joined((judged.verdict, replace(said.verdict, outcomes=failures)))
    is_text = form == "text"
    shown = replace(judged.verdict, decision=verdict.decision) if is_text else verdict
    run = reported(replace(judged, verdict=shown), elapsed_ms=elapsed_ms(started))
    parts = [*map(_came_to, said.verdict.outcomes), said.text] if is_text else [said.text]
    click.echo(render(run, form).encode("utf-8", "backslashreplace"), nl=False)
    for part in filter(None, parts):
        click.echo(part.encode("utf-8", "backslashreplace"), err=not is_text)
    return BLOCKED if run.blocked else 0


def _with_a_finding(outcome: Outcome) -> Outcome:
    """A command that failed without saying where is a finding of a report all the same."""
    if outcome.findings or outcome.status is not Status.FAILED:
        return outcome
    told = f"The gate `{outcome.gate}` failed."
    place = Span(CONFIG_NAME, 1)
    found = Finding("command", outcome.gate, place, told, Severity.ERROR, symbol=outcome.gate, evidence=outcome.gate)
    return replace(outcome, findings=(found,))


def _came_to(outcome: Outcome) -> str:
    how = f" in {outcome.elapsed_ms / 1000:.1f} s" if outcome.elapsed_ms else ", as before on the same content"
    return f"{outcome.gate}: {outcome.status}{how if outcome.status is Status.PASSED else ''}"
