"""`vetgate waive` and `vetgate allow`: a person allows a finding until a day, or one refused command once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vetgate.cli.surface import BLOCKED, current_root
from vetgate.engine.suppressions import today
from vetgate.service import acceptance
from vetgate.service.safe_text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.model import Waiver


@click.command()
@click.argument("what", metavar="[FINGERPRINT|CHECK/RULE]", required=False)
@click.option("--path", "glob", metavar="GLOB", help="The files it holds in; a known fingerprint brings its own.")
@click.option("--reason", metavar="TEXT", help="Why, in two words or more.")
@click.option("--until", metavar="DATE", help="The last day it holds: 2026-12-31, or 30d, 12w from today.")
@click.option("--list", "listing", is_flag=True, help="Show all waivers, those that have ended too.")
@click.option("--remove", is_flag=True, help="Take a waiver back.")
def waive(what: str | None, glob: str | None, reason: str | None, until: str | None, **flags: bool) -> int:
    """Allow a finding on purpose: until a day, for a reason.

    What is waived counts no more, for agents, `vetgate check` and commits; it stays on record. A secret (a key for
    tests) is waived by its fingerprint and the --path of one file; commands and protected files cannot be waived. Only
    a person can do this, in a terminal.
    """
    root = current_root()
    if flags["listing"]:
        waivers = acceptance.waivers(root)
        for line in _lines(waivers):
            click.echo(line)
        return BLOCKED if any(each.until < today() for each in waivers) else 0
    if what is None:
        raise click.UsageError("Name a fingerprint or a rule, or use --list.")
    if flags["remove"]:
        for each in acceptance.unwaive(root, what, glob):
            click.echo(f"taken back: {printable(each.what)} in {printable(each.glob)}")
        return 0
    waiver = acceptance.waive(root, what, glob, reason, until)
    click.echo(f"waived until {waiver.until}: {printable(waiver.what)} in {printable(waiver.glob)}")
    return 0


def _lines(waivers: tuple[Waiver, ...]) -> Iterator[str]:
    if not waivers:
        yield "nothing is waived"
    for each in waivers:
        state = f"ended {each.until}" if each.until < today() else f"until {each.until}"
        why = f"by {printable(each.by)}: {printable(each.reason)}"
        yield f"{printable(each.what)}  {printable(each.glob)}  {state}  {why}"


@click.command()
@click.argument("code")
def allow(code: str) -> None:
    """Let exactly the command that was refused with CODE run once, within ten minutes.

    The refusal shows the code to you, not to the agent. Tell the agent to run the same command again.
    """
    acceptance.allow_once(current_root(), code)
    click.echo(f"allowed once, for {acceptance.MINUTES} minutes; tell the agent to run the same command again")
