"""`vetgate waive`: a person allows a finding on purpose, with a reason and an end."""

from __future__ import annotations

import contextlib
import getpass
import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import click

from vetgate.checks import known_names
from vetgate.checks.secrets.words import without_secrets
from vetgate.cli.config import current_root
from vetgate.cli.surface import BLOCKED
from vetgate.config.glob import complaint
from vetgate.config.node import did_you_mean
from vetgate.config.person import require_person
from vetgate.engine.suppressions import can_be_waived, today
from vetgate.model import FINGERPRINT, UserError, Waiver
from vetgate.runtime import state_dir
from vetgate.service.configuration import hand
from vetgate.service.safe_text import printable
from vetgate.source.root import store_key
from vetgate.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_DAYS = 366
_SEARCHED = 10_000
_WORD = re.compile(r"[^\W\d_]{2,}")
_SPAN = re.compile(r"([1-9][0-9]{0,3})([dw])")
_DAYS = {"d": 1, "w": 7}


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
    if flags["listing"]:
        return _listed()
    if what is None:
        raise click.UsageError("Name a fingerprint or a rule, or use --list.")
    require_person("take a waiver back" if flags["remove"] else "waive a finding")
    with contextlib.closing(_store()) as store:
        if flags["remove"]:
            return _removed(store, what, glob)
        waiver = _waiver(store, what, glob, (reason, until))
        store.waive(waiver, hand())
    click.echo(f"waived until {waiver.until}: {printable(waiver.what)} in {printable(waiver.glob)}")
    return 0


def _store() -> Store:
    store = Store.open(state_dir(), store_key(current_root()))
    if store.problem:
        raise UserError(f"nothing can be waived: {store.problem}")
    return store


def _waiver(store: Store, what: str, glob: str | None, why: tuple[str | None, str | None]) -> Waiver:
    reason, until = why
    found = _recorded(store, what, glob) if FINGERPRINT.fullmatch(what) else _of_rule(what)
    path = glob or found.get("path")
    if not path:
        what_for = "no decision of this project has that fingerprint" if FINGERPRINT.fullmatch(what) else "for a rule"
        raise UserError(f"--path is missing ({what_for})", hint="--path 'src/legacy/**' names the files it holds in")
    if wrong := complaint(path):
        raise UserError(f"--path {path!r} {wrong}")
    if without_secrets(path) != path:
        raise UserError("--path holds what looks like a secret", hint="write * in its place: waivers are kept")
    if len(_WORD.findall(reason or "")) < 2:
        raise UserError(
            "a waiver needs a reason of two words or more", hint='--reason "what makes it all right, in a few words"'
        )
    why_so = without_secrets(" ".join((reason or "").split()))
    return Waiver(what, path, why_so, getpass.getuser(), _day(until), found.get("value"))


def _recorded(store: Store, fingerprint: str, glob: str | None) -> dict[str, Any]:
    """The newest finding of that fingerprint, as it was told."""
    rows = (finding for row in store.decisions(_SEARCHED) for finding in row.body.get("findings", ()))
    found: dict[str, Any] = next((each for each in rows if each.get("fingerprint") == fingerprint), {})
    if found:
        _refuse_closed(str(found.get("id")), by_fingerprint=True)
        if not can_be_waived(str(found.get("id")).partition("/")[0]) and (
            not glob or any(sign in glob for sign in "*?[!")
        ):
            raise UserError(
                "a secret is waived in one file alone",
                hint=f"--path {printable(str(found.get('path')))} names it, without * or ?",
            )
    return found


def _of_rule(what: str) -> dict[str, Any]:
    names = list(known_names())
    if what not in names:
        whole = next((name for name in names if name.endswith(f"/{what}")), "")
        near = [*names, *(name.rpartition("/")[2] for name in names)]
        meant = f'; did you mean "{whole}"?' if whole else did_you_mean(what, near)
        raise UserError(f"there is no rule {what!r}{meant}", hint="a fingerprint has 16 characters, 0-9 and a-f")
    _refuse_closed(what)
    return {}


def _refuse_closed(name: str, *, by_fingerprint: bool = False) -> None:
    if not can_be_waived(name.partition("/")[0], by_fingerprint=by_fingerprint):
        raise UserError(
            f"{name} cannot be waived",
            hint="a secret is waived by its fingerprint and --path; commands and protected files are for their "
            "settings: `vetgate explain` says which",
        )


def _day(text: str | None) -> date:
    if not text:
        raise UserError("a waiver needs an end", hint="--until 2026-12-31, or --until 30d")
    span = _SPAN.fullmatch(text)
    try:
        day = today() + timedelta(days=int(span[1]) * _DAYS[span[2]]) if span else date.fromisoformat(text)
    except ValueError:
        raise UserError(f"--until {text!r} is no day", hint="write it like 2026-12-31, or 30d, 12w") from None
    if not today() <= day <= today() + timedelta(days=LONGEST_DAYS):
        raise UserError(f"--until {text} is not within a year from today", hint="what lasts belongs into vetgate.yaml")
    return day


def _removed(store: Store, what: str, glob: str | None) -> int:
    found = tuple(each for each in store.waivers() if each.what == what and glob in {None, each.glob})
    if not found:
        raise UserError(f"there is no waiver of {what}", hint="`vetgate waive --list` shows them")
    store.unwaive(found, hand())
    for each in found:
        click.echo(f"taken back: {printable(each.what)} in {printable(each.glob)}")
    return 0


def _listed() -> int:
    with contextlib.closing(_store()) as store:
        waivers = store.waivers()
    for line in _lines(waivers):
        click.echo(line)
    return BLOCKED if any(each.until < today() for each in waivers) else 0


def _lines(waivers: tuple[Waiver, ...]) -> Iterator[str]:
    if not waivers:
        yield "nothing is waived"
    for each in waivers:
        state = f"ended {each.until}" if each.until < today() else f"until {each.until}"
        why = f"by {printable(each.by)}: {printable(each.reason)}"
        yield f"{printable(each.what)}  {printable(each.glob)}  {state}  {why}"
