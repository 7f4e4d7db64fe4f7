"""`vetgate daemon`: the warm process behind the hook."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from vetgate import client
from vetgate.service.caller import session_agent_names
from vetgate.service.daemon import daemon_status, managed_settings, prepare_serving, stop_daemon
from vetgate.service.daemon import serve as become_server
from vetgate.service.safe_text import counted

_form = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)


@click.group()
def daemon() -> None:
    """Look at the warm process behind the hook, or stop it.

    There is one for each project, interpreter and version. It starts by itself and ends when it is no longer used;
    verdicts do not depend on it.
    """


@daemon.command()
@_form
def status(form: str) -> None:
    """Is it running for this project, since when, and is it this version?"""
    told = daemon_status(Path.cwd())
    if form == "json":
        click.echo(json.dumps(told))
    elif told["silent"]:
        click.echo(f"there is one for {told['project']}, but it does not answer: it is stopped or very busy")
        click.echo("  hooks judge without it until it does")
    elif not told["running"]:
        click.echo(f"not running for {told['project']}; the next hook call starts it")
    else:
        click.echo(f"running for {told['project']}")
        click.echo(f"  pid {told['pid']}, up {told['uptime_s']:.0f} s, {counted(told['requests'], 'request')}")
        sessions, busy = counted(told["sessions"], "session"), counted(told["busy"], "request")
        click.echo(f"  {told['memory_mb']:.0f} MB, {sessions}, {busy} in progress")
        click.echo(f"  {'this version' if told['build_matches'] else 'an older version: it ends at its next request'}")


@daemon.command()
@_form
def stop(form: str) -> None:
    """Let it finish its work, then end it."""
    told, ended = stop_daemon(Path.cwd())
    if form == "json":
        was = told["running"] or told["silent"]
        click.echo(json.dumps({"project": told["project"], "was_running": was, "stopped": ended}))
    elif told["silent"]:
        click.echo("it does not answer: it is stopped or very busy; end its process, or try again")
    elif not told["running"]:
        click.echo(f"not running for {told['project']}")
    else:
        click.echo("stopped" if ended else "asked to stop; it is still finishing a request")


_folder = click.option(
    "--folder",
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder of yours that the agent's account can enter, and nobody else can write to.",
)


@daemon.command()
@click.option("--for", "account", required=True, help="The account that the agent runs as: its name or number.")
@_folder
def serve(account: str, folder: Path) -> None:
    """Judge for an agent of another account, until you end it.

    The store and the verdicts stay yours. The agent's hooks ask only this process, and while it does not run they
    stop everything but reading. `vetgate daemon settings` prints what to register. See docs/two-accounts.md.
    """
    served = prepare_serving(account, folder)
    click.echo(f"judging for {account} (uid {served.uid}) at {served.place}; end it with Ctrl-C")
    sys.stdout.flush()
    become_server(served)


@daemon.command()
@_folder
@click.option(
    "--agent",
    "name",
    type=click.Choice(session_agent_names()),
    default=client.AGENT,
    show_default=True,
    help="Whose settings to print.",
)
def settings(folder: Path, name: str) -> None:
    """Print the managed settings that make an agent of another account ask `vetgate daemon serve`."""
    click.echo(managed_settings(folder, name))
