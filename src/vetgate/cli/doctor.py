"""`vetgate doctor`: is the gate really on? Everything that can silently switch it off is looked at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.agents.diagnosis import Health
from vetgate.cli.progress import Bar
from vetgate.cli.surface import USER_ERROR
from vetgate.service.doctor import examine, repairs
from vetgate.service.installation import carry_out, installation_at

if TYPE_CHECKING:
    from vetgate.agents.installation import Installation
    from vetgate.service.doctor import Examined

_MARKS = {Health.GOOD: ("ok", "green"), Health.NOTE: ("note", "yellow"), Health.BAD: ("BAD", "red")}


@click.command()
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--repair", is_flag=True, help="Repair vetgate's entries and the launcher. Shows the changes first.")
@click.option("--models", is_flag=True, help="Ask each configured model a short question, which costs a little.")
def doctor(form: str, *, repair: bool, models: bool) -> int:
    """Is the gate really on? Probe every registered hook.

    Sends a bad edit through the exact command lines that are registered with the agent, reads the agent's own record
    of hook failures, and looks for everything that can switch the gate off. Exit status 3 means that
    something needs fixing. For each configured model it says whether its key was found; --models asks each one, and
    reports the answer and its cost.
    """
    installation = installation_at(Path.cwd())
    if repair:
        _repair(installation)
    with Bar() as progress:
        found = examine(installation, progress, asks_models=models)
    if form == "json":
        click.echo(json.dumps(found.plain()))
    else:
        _show(found)
    return 0 if found.is_healthy else USER_ERROR


def _repair(installation: Installation) -> None:
    wanted = repairs(installation)
    if not wanted:
        click.echo("there is nothing that --repair can fix\n")
        return
    for writing in wanted:
        click.echo(writing.diff() or f"make {writing.path} executable\n", nl=False)
    click.confirm("Write this?", default=True, abort=True)
    carry_out(wanted, installation)


def _show(found: Examined) -> None:
    click.echo(f"{found.root}\n")
    for each in found.findings:
        mark, colour = _MARKS[each.health]
        click.echo(f"  {click.style(f'{mark:5}', fg=colour)} {each.what}")
        if each.why:
            click.echo(f"        why:    {each.why}")
        if each.repair:
            click.echo(f"        repair: {each.repair}")
    wrong = sum(each.health is Health.BAD for each in found.findings)
    things = "1 thing" if wrong == 1 else f"{wrong} things"
    waits = "".join(f", {each.until}" for each in found.findings if each.until)
    click.echo(f"\n{things} to fix" if wrong else f"\nthe gate is on{waits}")
