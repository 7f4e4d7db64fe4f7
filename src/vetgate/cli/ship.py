"""`vetgate ship`: may this leave? The verdict of the ship gate, with its reasons."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.cli.review_progress import GateLines, came_to
from vetgate.cli.surface import BLOCKED, say
from vetgate.service.safe_text import printable
from vetgate.service.ship import OVERRIDE_DAYS, Shipping

if TYPE_CHECKING:
    from vetgate.service.ship import ShipAnswer

_FORMATS = ("text", "json")


@click.command(epilog="Exit status: 0 approved, 1 blocked, 2 wrong usage, 3 something to fix first.")
@click.argument("commit", required=False)
@click.option("--ci", is_flag=True, help="Run the loops again that need no model, instead of asking the record.")
@click.option("--base", metavar="BASE", help="With --ci: what to compare with; by default the pipeline's target.")
@click.option(
    "--override", "reason", metavar="REASON", help="Let exactly this content leave, on record; only a person can."
)
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text", help="text, or json for programs.")
def ship(commit: str | None, base: str | None, reason: str | None, form: str, *, ci: bool) -> int:
    """Ask whether exactly this content was reviewed and may leave.

    COMMIT is what would leave: a branch, a tag or a commit; by default the work tree, as if all of it were committed.
    A push, a pull request and publishing ask the same. An override shows the reasons first.
    """
    if ci and (commit or reason):
        raise click.UsageError("--ci takes neither COMMIT nor --override: it runs over the checked-out files.")
    if base and not ci:
        raise click.UsageError("--base needs --ci: otherwise the record says what a review compared with.")
    if ci:
        return _say(_rerun(base), form)
    shipping = Shipping.at(Path.cwd())
    for note in shipping.notes:
        click.echo(f"vetgate: {note}", err=True)
    if reason is not None:
        what = shipping.override(reason, commit)
        click.echo(f"recorded: {printable(what)} may leave without a review, for {OVERRIDE_DAYS} days", err=True)
    return _say(shipping.ask(commit), form)


def _rerun(base: str | None) -> ShipAnswer:
    """The verdict is all that goes to standard output."""
    from vetgate.service.ship_rerun import rerun  # noqa: PLC0415 - nobody else runs anything here

    lines = GateLines(partial(click.echo, err=True), came_to)
    with lines:
        answer = rerun(Path.cwd(), base, lines, lines)
    if answer.output:
        say(f"\n{answer.output}\n\n", err=True)
    return answer


def _say(answer: ShipAnswer, form: str) -> int:
    shown = "\n".join(map(printable, answer.text.splitlines()))
    say(f"{json.dumps(answer.plain(), indent=2) if form == 'json' else shown}\n")
    return 0 if answer.allowed else BLOCKED
