"""`vetgate doctor`: is the gate really on? Everything that can silently switch it off is looked at."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from vetgate.agents.diagnosis import Diagnosis, Health
from vetgate.cli.progress import Bar
from vetgate.cli.surface import USER_ERROR
from vetgate.config.person import require_person
from vetgate.service.doctor import examine, repairs
from vetgate.service.installation import carry_out, here

if TYPE_CHECKING:
    from vetgate.agents.installation import Installation

_MARKS = {Health.GOOD: ("ok", "green"), Health.NOTE: ("note", "yellow"), Health.BAD: ("BAD", "red")}


@click.command()
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--repair", is_flag=True, help="Put right what can be: our entries and the launcher. Shows it first.")
def doctor(form: str, *, repair: bool) -> int:
    """Is the gate really on? Probe every registered hook.

    Sends a bad edit through the exact command lines that are registered with the agent, reads the agent's own record
    of hook failures, and looks for everything that can switch the gate off. Exit status 3 when something is to be
    put right.
    """
    installation = here()
    if repair:
        require_person("repair the gate")
        _repair(installation)
    with Bar() as progress:
        found = examine(installation, progress)
    healthy = all(each.health is not Health.BAD for each in found)
    if form == "json":
        click.echo(json.dumps(_as_json(installation, found, healthy=healthy)))
    else:
        _show(installation, found)
    return 0 if healthy else USER_ERROR


def _repair(installation: Installation) -> None:
    wanted = repairs(installation)
    if not wanted:
        click.echo("nothing that can be repaired from here\n")
        return
    for writing in wanted:
        click.echo(writing.diff() or f"make {writing.path} executable\n", nl=False)
    click.confirm("Write this?", default=True, abort=True)
    carry_out(wanted, installation)


def _as_json(installation: Installation, found: list[Diagnosis], *, healthy: bool) -> dict[str, object]:
    rows = [
        {"id": each.id, "status": each.health, "what": each.what, "why": each.why, "repair": each.repair}
        for each in found
    ]
    return {"healthy": healthy, "project": str(installation.root), "findings": rows}


def _show(installation: Installation, found: list[Diagnosis]) -> None:
    click.echo(f"{installation.root}\n")
    for each in found:
        mark, colour = _MARKS[each.health]
        click.echo(f"  {click.style(f'{mark:5}', fg=colour)} {each.what}")
        if each.why:
            click.echo(f"        why:    {each.why}")
        if each.repair:
            click.echo(f"        repair: {each.repair}")
    wrong = sum(each.health is Health.BAD for each in found)
    things = "1 thing" if wrong == 1 else f"{wrong} things"
    waits = "".join(f", {each.until}" for each in found if each.until)
    click.echo(f"\n{things} to put right" if wrong else f"\nthe gate is on{waits}")
