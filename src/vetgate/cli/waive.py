"""`vetgate waive` and `vetgate allow`: a person allows a finding until a day, or one refused command once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from vetgate.cli.surface import BLOCKED, current_root
from vetgate.runtime import has_terminal
from vetgate.service import acceptance
from vetgate.service.safe_text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.model import Waiver
    from vetgate.store.records import PendingGrant

_UNLESS_SAID = "90d"


@click.command()
@click.argument("what", metavar="[FINGERPRINT|PATH:LINE|CHECK/RULE]", required=False)
@click.option("--path", "glob", metavar="GLOB", help="The files it covers; a recorded fingerprint names its own.")
@click.option("--reason", metavar="TEXT", help="The reason, in two words or more; without it you are asked.")
@click.option(
    "--until", metavar="DATE", help="The last day it holds: 2026-12-31, or 30d, 12w from today; by default 90d."
)
@click.option("--list", "listing", is_flag=True, help="Show all waivers, including those that have ended.")
@click.option("--remove", is_flag=True, help="Take a waiver back.")
def waive(what: str | None, glob: str | None, reason: str | None, until: str | None, **flags: bool) -> int:
    """Allow a finding on purpose: until a day, for a reason.

    It no longer counts for agents, `vetgate check` and commits; the waiver is on record. A secret (a key for
    tests) is waived by its fingerprint and the --path of one file; commands and protected files cannot be waived. Only
    a person can do this, in a terminal.
    """
    root = current_root()
    if flags["listing"]:
        waivers = acceptance.waivers(root)
        for line in _lines(waivers):
            click.echo(line)
        return BLOCKED if any(map(acceptance.has_ended, waivers)) else 0
    if what is None:
        raise click.UsageError("Name a fingerprint, a place (src/app.py:12) or a rule, or use --list.")
    if flags["remove"]:
        for each in acceptance.unwaive(root, what, glob):
            click.echo(f"taken back: {printable(each.what)} in {printable(each.glob)}")
        return 0
    if not reason and has_terminal():
        reason = click.prompt("Why is it acceptable, in a few words?")
    waiver = acceptance.waive(root, what, glob, reason, until or _UNLESS_SAID)
    click.echo(f"waived until {waiver.until}: {printable(waiver.what)} in {printable(waiver.glob)}")
    return 0


def _lines(waivers: tuple[Waiver, ...]) -> Iterator[str]:
    if not waivers:
        yield "nothing is waived"
    for each in waivers:
        state = f"ended {each.until}" if acceptance.has_ended(each) else f"until {each.until}"
        why = f"by {printable(each.by)}: {printable(each.reason)}"
        yield f"{printable(each.what)}  {printable(each.glob)}  {state}  {why}"


@click.command()
@click.argument("code", required=False)
def allow(code: str | None) -> None:
    """Let exactly what was refused with CODE through once, within ten minutes; without CODE, list what waits.

    A refusal shows its code to you, not to the agent. The code covers one edit, one command or one end of a turn,
    exactly as it was refused. In a session that you attend you can also type `allow CODE` as a prompt.
    """
    if code is None:
        for line in _waiting(acceptance.waiting(current_root())):
            click.echo(line)
        return
    found = acceptance.allow_once(current_root(), code)
    click.echo(f"allowed once, for {acceptance.MINUTES} minutes: {printable(found.what)}")
    click.echo("tell the agent to try exactly that again")


def _waiting(pending: tuple[PendingGrant, ...]) -> Iterator[str]:
    if not pending:
        yield "nothing waits for you"
    for each in pending:
        minutes = max(0, round((time.time() - each.time) / 60))
        yield f"{each.code}  {minutes} min ago  {each.kind}  {printable(each.what)}"
