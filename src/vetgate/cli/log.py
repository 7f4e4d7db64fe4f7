"""`vetgate log`: every recorded decision, filtered, followed, exported, and held against its chain."""

from __future__ import annotations

import contextlib
import json
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from vetgate.cli.config import current_root
from vetgate.cli.log_gates import Watch
from vetgate.cli.log_line import audited, line, plain
from vetgate.cli.surface import BLOCKED, wants_colour
from vetgate.config.glob import compiled, complaint
from vetgate.model import Decision, UserError
from vetgate.runtime import state_dir
from vetgate.service.configuration import is_known
from vetgate.service.decisions import moment
from vetgate.service.safe_text import printable
from vetgate.source.root import store_key
from vetgate.store import Store
from vetgate.store.standing import TRUSTED_AGAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from vetgate.store import RecordedDecision

_SHOWN = 50
_SECONDS_BETWEEN = 0.3
_DECISIONS = (*map(str, Decision), "waived", "taken back", "accepted", "withdrawn", "set up", "allowed", "used", "lost")


@dataclass(frozen=True, slots=True)
class Asked:
    """Which rows are wanted; empty for all."""

    session: str = ""
    decision: tuple[str, ...] = ()
    rule: str = ""
    glob: str = ""

    def wants(self, row: RecordedDecision) -> bool:
        body = row.body
        return (
            row.session.startswith(self.session)
            and (not self.decision or body.get("decision") in self.decision)
            and (not self.rule or self.rule in _rules(body))
            and (not self.glob or any(map(compiled((self.glob,)).match, _paths(body))))
        )


@click.command(epilog="Exit status: 0, or 1 when --verify found that something was deleted or changed.")
@click.option("--session", metavar="ID", default="", help="Of this session; the first letters are enough.")
@click.option("--decision", type=click.Choice(_DECISIONS), multiple=True, help="With this outcome; may be repeated.")
@click.option("--rule", metavar="NAME", default="", help="With a finding of this check or rule.")
@click.option("--path", "glob", metavar="GLOB", default="", help="About these files.")
@click.option("--since", metavar="WHEN", default="", help="Not older: 90m, 12h, 7d, or 2026-11-15 13:00.")
@click.option(
    "--last", metavar="N", type=click.IntRange(0), help=f"Only the newest N; text shows {_SHOWN} unless said."
)
@click.option("--follow", is_flag=True, help="Go on, and print new ones as they come, with gates that run.")
@click.option("--verify", is_flag=True, help="Is every decision still as it was written?")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "jsonl", "audit")),
    default="text",
    show_default=True,
    help="audit: one JSON object a line and file, as other quality gates log it.",
)
def log(**given: Any) -> int:
    """Show what was decided, oldest first: when, about which files, by which rules, in what time.

    `vetgate explain ID` tells the whole of one decision. --verify finds rows that were deleted, changed or cut off.
    """
    if given["glob"] and (wrong := complaint(given["glob"])):
        raise UserError(f"--path {given['glob']!r} {wrong}")
    root = current_root()
    if not is_known(root):
        raise UserError(f"nothing is recorded of {root}", hint="`vetgate init` sets a project up")
    with contextlib.closing(Store.open(state_dir(), store_key(root))) as store:
        if given["verify"]:
            return _verified(store)
        asked = Asked(given["session"], given["decision"], given["rule"], given["glob"])
        _print(store, asked, given)
    return 0


def _verified(store: Store) -> int:
    if store.failure:
        click.echo(f"the decisions cannot be looked at: {store.failure}")
        return BLOCKED
    broken = store.broken()
    if broken:
        click.echo(f"the decisions are not as they were written: {broken}")
        if store.standing().loss:
            click.echo(TRUSTED_AGAIN)
        return BLOCKED
    number = store.last_number()
    click.echo(f"{number} decision{'' if number == 1 else 's'}, each as it was written")
    return 0


def _print(store: Store, asked: Asked, given: dict[str, Any]) -> None:
    since = moment(given["since"]) if given["since"] else 0.0
    rows = store.decisions_after(0, since)
    wanted = [row for _, row in rows if asked.wants(row)]
    most = given["last"] if given["last"] is not None else _SHOWN if given["form"] == "text" else None
    wanted = wanted if most is None else wanted[len(wanted) - most :] if most < len(wanted) else wanted
    if given["form"] == "json" and not given["follow"]:
        _say(json.dumps([plain(row) for row in wanted], indent=2))
        return
    told = _teller(given["form"])
    for row in wanted:
        _say_all(told(row))
    if given["follow"]:
        _follow(store, asked, given["form"], rows[-1][0] if rows else store.last_number())


def _follow(store: Store, asked: Asked, form: str, seq: int) -> None:
    """Until whoever started it ends it."""
    told = _teller(form)
    watch = Watch(store.file.parent) if store.file and form == "text" else None
    while True:
        _say_all(watch.news() if watch else ())
        for number, row in store.decisions_after(seq):
            seq = number
            if asked.wants(row):
                _say_all(told(row))
        time.sleep(_SECONDS_BETWEEN)


def _teller(form: str) -> Callable[[RecordedDecision], Iterable[str]]:
    if form == "audit":
        return lambda row: (json.dumps(each) for each in audited(row))
    if form in {"json", "jsonl"}:
        return lambda row: (json.dumps(plain(row)),)
    return partial(_line, colour=wants_colour())


def _line(row: RecordedDecision, *, colour: bool) -> Iterator[str]:
    yield line(row) if colour else click.unstyle(line(row))


def _say_all(lines: Iterable[str]) -> None:
    for each in lines:
        _say(each)


def _say(text: str) -> None:
    click.echo(text.encode("utf-8", "backslashreplace"))


def _rules(body: dict[str, Any]) -> set[str]:
    ids = [str(each.get("id", "")) for each in body.get("findings", ())]
    ids += [str(body["waiver"]["what"])] if "waiver" in body else []
    return {name for each in ids for name in (each, *each.split("/"))}


def _paths(body: dict[str, Any]) -> list[str]:
    return [*map(printable, body.get("files", ())), *(str(each.get("path", "")) for each in body.get("findings", ()))]
