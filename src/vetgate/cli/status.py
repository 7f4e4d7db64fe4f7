"""`vetgate status`: how the gate stands here, for a person and for a status line."""

from __future__ import annotations

import json
import select
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vetgate.cli.surface import say
from vetgate.service.status import gate_status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.service.status import GateStatus

_MOST = 1 << 20


@click.command()
@click.option("--line", is_flag=True, help="One line for a status line; the session is read from standard input.")
@click.option("--session", default="", help="The session whose findings count.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def status(session: str, form: str, *, line: bool) -> None:
    """Show the state of the gate: on or off, open findings of a session, what waits for a person, the last refusals.

    \b
    In Claude Code's settings.json:
    "statusLine": {"type": "command", "command": "vetgate status --line"}
    """  # noqa: D301 - click wants the backspace itself
    given = _client_input() if line else {}
    folder, named = given.get("cwd"), given.get("session_id")
    here = Path(folder) if isinstance(folder, str) and Path(folder).is_dir() else Path.cwd()
    found = gate_status(here, session or (named if isinstance(named, str) else ""))
    if form == "json":
        say(json.dumps({"on": not found.off, **asdict(found)}) + "\n")
    else:
        say(f"{found.line()}\n" if line else "".join(f"{each}\n" for each in _lines(found)))


def _lines(found: GateStatus) -> Iterator[str]:
    yield found.line()
    if found.refusals:
        yield "last refusals, newest last (`vetgate explain ID` says more):"
    for each in found.refusals:
        yield f"  {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(each.at))}  {each.id}  {each.about}: {each.reason}"


def _client_input() -> dict[str, Any]:
    """What the client writes; nobody waits for a person who types nothing."""
    try:
        if sys.stdin.isatty() or not select.select([sys.stdin], [], [], 0.2)[0]:
            return {}
        found = json.loads(sys.stdin.buffer.read(_MOST) or b"{}")
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
