"""`vetgate daemon`: the warm process behind the hook."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import click

from vetgate import client, fallback, launcher, runtime
from vetgate.agents import agent
from vetgate.cli.report.run import counted
from vetgate.model import UserError
from vetgate.service.daemon import daemon_status, stop_daemon
from vetgate.service.installation import close_to_others
from vetgate.source.replace import read_bytes, write_bytes

_form = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)


@click.group()
def daemon() -> None:
    """Look at the warm process behind the hook, or stop it.

    There is one for each project, interpreter and version. It starts by itself and ends when nobody asks any more;
    verdicts do not depend on it.
    """


@daemon.command()
@_form
def status(form: str) -> None:
    """Is it running for this project, since when, and is it this version?"""
    told = daemon_status()
    if form == "json":
        click.echo(json.dumps(told))
    elif told["silent"]:
        click.echo(f"there is one for {told['project']}, but it does not answer: stopped, or very busy")
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
    """Let it finish what it is doing and end."""
    told, ended = stop_daemon()
    if form == "json":
        was = told["running"] or told["silent"]
        click.echo(json.dumps({"project": told["project"], "was_running": was, "stopped": ended}))
    elif told["silent"]:
        click.echo("it does not answer: stopped, or very busy; end its process, or try again")
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

    The store and the verdicts stay yours: the agent's hooks ask this process and nobody else, and stop everything but
    reading while it does not run. `vetgate daemon settings` prints what to register. See docs/two-accounts.md.
    """
    uid = _uid(account)
    if uid == os.getuid():
        raise UserError(f"{account} is you", hint="give the agent an account of its own, see docs/two-accounts.md")
    place, state = folder.resolve(), runtime.state_dir()
    close_to_others(state)
    try:
        os.close(runtime.open_private(str(place), shared=True))
    except PermissionError as error:
        hint = f"make it yours and closed to writing by others: chown {os.getuid()} {place}; chmod 755 {place}"
        raise UserError(str(error), hint=hint) from None
    hook = place / launcher.NAME
    script = launcher.script(state, place, owner=os.getuid()).encode()
    write_bytes(hook, script, expected=read_bytes(hook), mode=0o755)
    click.echo(f"judging for {account} (uid {uid}) at {place}; end it with Ctrl-C")
    sys.stdout.flush()
    words = fallback.command("daemon", "--folder", str(place), "--state", str(state), "--for", str(uid))
    os.execve(words[0], words, fallback.environment())  # noqa: S606 - our own interpreter, our own program


@daemon.command()
@_folder
def settings(folder: Path) -> None:
    """Print the managed settings of Claude Code that make an agent of another account ask `vetgate daemon serve`."""
    click.echo(agent(client.AGENT).registration.managed(shlex.quote(str(folder.resolve() / launcher.NAME))))


def _uid(account: str) -> int:
    import pwd  # noqa: PLC0415 - not on Windows

    try:
        return int(account) if account.isdecimal() else pwd.getpwnam(account).pw_uid
    except KeyError:
        raise UserError(f"there is no account {account!r} here", hint="name it as `id` does") from None
