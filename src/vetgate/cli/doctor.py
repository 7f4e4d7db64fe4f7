"""`vetgate doctor`: is the gate really on? Everything that can silently switch it off is looked at."""

from __future__ import annotations

import json

import click

from vetgate.agents.claude_code.settings import Place
from vetgate.cli.diagnosis import Diagnosis, Health
from vetgate.cli.doctor_client import FOLDER, look_at_client
from vetgate.cli.doctor_git import git_repairs, look_at_git
from vetgate.cli.doctor_project import look_at_launcher, look_at_project
from vetgate.cli.doctor_settings import Settings, look_at_settings, probe_hooks, read_settings
from vetgate.cli.progress import Bar
from vetgate.cli.setup import Ground, carry_out, here, launcher_writing, settings_writing
from vetgate.cli.surface import USER_ERROR
from vetgate.config.person import require_person
from vetgate.project import Project
from vetgate.service.spread import Progress, unseen

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
    ground = here()
    if repair:
        require_person("repair the gate")
        _repair(ground)
    with Bar() as progress:
        found = examine(ground, progress)
    healthy = all(each.health is not Health.BAD for each in found)
    if form == "json":
        click.echo(json.dumps(_as_json(ground, found, healthy=healthy)))
    else:
        _show(ground, found)
    return 0 if healthy else USER_ERROR


def examine(ground: Ground, progress: Progress = unseen) -> list[Diagnosis]:
    files = read_settings(ground)
    found = [*look_at_project(ground), *look_at_settings(ground, files)]
    if _runs_launcher(ground, files):
        found.append(look_at_launcher(ground))
    # A probe starts a warm process; where nobody set up a gate there is nothing to prove.
    is_set_up = Project.is_set_up(ground.root, ground.state)
    probed = [*probe_hooks(ground, files, progress), *look_at_git(ground)] if is_set_up else []
    return [*found, *probed, *look_at_client(ground, files)]


def _runs_launcher(ground: Ground, files: list[Settings]) -> bool:
    return any(str(ground.launcher) in entry.command for file in files for entry in file.entries)


def _repair(ground: Ground) -> None:
    places = [file.place for file in read_settings(ground) if file.place and (file.ours or file.mendable)]
    places = places or [Place.USER]
    writings = [launcher_writing(ground), *(settings_writing(ground, place) for place in places), *git_repairs(ground)]
    wanted = [writing for writing in writings if writing.changes]
    if not wanted:
        click.echo("nothing that can be repaired from here\n")
        return
    for writing in wanted:
        click.echo(writing.diff() or f"make {writing.path} executable\n", nl=False)
    click.confirm("Write this?", default=True, abort=True)
    carry_out(wanted, ground)


def _as_json(ground: Ground, found: list[Diagnosis], *, healthy: bool) -> dict[str, object]:
    rows = [
        {"id": each.id, "status": each.health, "what": each.what, "why": each.why, "repair": each.repair}
        for each in found
    ]
    return {"healthy": healthy, "project": str(ground.root), "findings": rows}


def _show(ground: Ground, found: list[Diagnosis]) -> None:
    click.echo(f"{ground.root}\n")
    for each in found:
        mark, colour = _MARKS[each.health]
        click.echo(f"  {click.style(f'{mark:5}', fg=colour)} {each.what}")
        if each.why:
            click.echo(f"        why:    {each.why}")
        if each.repair:
            click.echo(f"        repair: {each.repair}")
    wrong = sum(each.health is Health.BAD for each in found)
    things = "1 thing" if wrong == 1 else f"{wrong} things"
    waits = ", once Claude Code trusts this folder" if any(each.id == FOLDER for each in found) else ""
    click.echo(f"\n{things} to put right" if wrong else f"\nthe gate is on{waits}")
