"""`vetgate review`: the gates of a review over all that a branch changes, checks first, then the project's commands."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.cli.check import reported
from vetgate.cli.progress import Bar
from vetgate.cli.report import FORMATS, render
from vetgate.cli.surface import BLOCKED
from vetgate.model import Status
from vetgate.record import elapsed_ms
from vetgate.service.review import Review

if TYPE_CHECKING:
    from vetgate.model import Outcome
    from vetgate.service.review import Reviewed


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
    wanted = Review.at(Path.cwd())
    for note in wanted.notes:
        click.echo(f"vetgate: {note}", err=True)
    form = form or wanted.config().output.format
    with Bar() as progress:
        reviewed = wanted.run(base, Path.cwd(), measured=form == "json", progress=progress)
    if form == "text":
        click.echo(f"since {reviewed.base} ({reviewed.fork[:10]}), where this branch left it:")
    return _say(reviewed, form, started)


def _say(reviewed: Reviewed, form: str, started: float) -> int:
    """What commands found is part of every report but the one for people, who get to see what the commands said."""
    judged, said, verdict = reviewed.judged, reviewed.said, reviewed.verdict
    is_text = form == "text"
    shown = replace(judged.verdict, decision=verdict.decision) if is_text else verdict
    run = reported(replace(judged, verdict=shown), elapsed_ms=elapsed_ms(started))
    parts = [*map(_came_to, said.verdict.outcomes), said.text] if is_text else [said.text]
    click.echo(render(run, form).encode("utf-8", "backslashreplace"), nl=False)
    for part in filter(None, parts):
        click.echo(part.encode("utf-8", "backslashreplace"), err=not is_text)
    return BLOCKED if run.blocked else 0


def _came_to(outcome: Outcome) -> str:
    how = f" in {outcome.elapsed_ms / 1000:.1f} s" if outcome.elapsed_ms else ", as before on the same content"
    return f"{outcome.gate}: {outcome.status}{how if outcome.status is Status.PASSED else ''}"
