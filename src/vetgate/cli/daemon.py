"""`vetgate daemon`: the warm process behind the hook. It is asked over its socket, never looked up by number."""

from __future__ import annotations

import json
import os
import shlex
import socket
import sys
import time
from pathlib import Path
from typing import Any

import click

from vetgate import client, fallback, launcher, runtime
from vetgate.agents import agent
from vetgate.cli.report.run import counted
from vetgate.cli.setup import close_to_others
from vetgate.model import UserError
from vetgate.source.replace import read_bytes, write_bytes

PATIENCE = 2.0

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
    told = _told(client.STATUS)
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
    told = _told(client.STOP)
    ended = not told["silent"] and (not told["running"] or _is_gone())
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


def _call() -> client.Call:
    return client.Call({}, time.monotonic())


def _told(kind: bytes) -> dict[str, Any]:
    call = _call()
    frame = client.ask_daemon(call.address(), client.pack(kind, {}), PATIENCE)
    if frame is None:
        return {"running": False, "silent": listens(call.address()), "project": call.project}
    fields = frame[1]
    return {
        "running": True,
        "silent": False,
        "project": call.project,
        "pid": int(fields["pid"]),
        "uptime_s": float(fields["uptime"]),
        "requests": int(fields["requests"]),
        "busy": int(fields["busy"]),
        "sessions": int(fields["sessions"]),
        "memory_mb": round(int(fields["memory"]) / (1 << 20), 1),
        "build_matches": fields["current"] == "yes",
    }


def listens(address: str) -> bool:
    """Whether somebody holds this socket open; one whose process is gone refuses at once."""
    return listener(address) is not None


def listener(address: str) -> int | None:
    """The process that holds this socket open, 0 where the system does not tell; None for nobody."""
    if not address:
        return None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(client.CONNECT_WITHIN)
        try:
            probe.connect(address)
            return client.pid_of(probe)
        except OSError:
            return None


def _is_gone() -> bool:
    until = time.monotonic() + PATIENCE
    address = _call().address()
    while time.monotonic() < until:
        if client.ask_daemon(address, client.pack(client.STATUS, {}), PATIENCE) is None:
            return True
        time.sleep(0.02)
    return False
