"""`vetgate stats`: which rules stop whom, and what comes of it."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

import click

from vetgate.cli.config import current_root
from vetgate.model import UserError
from vetgate.runtime import state_dir
from vetgate.service.configuration import is_known
from vetgate.service.decisions import moment
from vetgate.service.statistics import Learned, learned
from vetgate.source.root import store_key
from vetgate.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMATS = ("text", "json")
_COLUMNS = ("blocked", "asked", "fixed", "overridden", "waived", "told")


@click.command()
@click.option("--since", metavar="WHEN", default="", help="Only what is not older: 12h, 7d, 2026-11-15.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to report.")
def stats(since: str, form: str) -> None:
    """Show for each rule how often it blocked, and what came of it.

    blocked: it stopped a call, or left it to a person; asked: how many of those were left to a person; fixed: the same
    gate looked at the file again in that session and let it pass without it; overridden: a person, or `retries.then`,
    let it through; waived: a person allowed it on purpose; told: it was said and did not block.
    """
    found = recorded(since)
    if form == "json":
        click.echo(json.dumps(found.plain(), indent=2))
        return
    for line in _lines(found):
        click.echo(line)


def recorded(since: str) -> Learned:
    root = current_root()
    if not is_known(root):
        raise UserError(f"nothing is recorded of {root}", hint="`vetgate init` sets a project up")
    with contextlib.closing(Store.open(state_dir(), store_key(root))) as store:
        rows = store.decisions_after(0, moment(since) if since else 0.0)
    return learned([row for _, row in rows])


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _lines(found: Learned) -> Iterator[str]:
    counts = ", ".join(f"{number} {decision}" for decision, number in found.decisions.most_common())
    total, sessions = found.decisions.total(), found.sessions
    yield f"{_counted(total, 'decision')} in {_counted(sessions, 'session')}: {counts or 'none'}"
    yield f"half of them within {found.median_ms} ms, 95 of 100 within {found.slowest_ms} ms"
    if not found.rules:
        return
    width = max(len(each.rule) for each in found.rules)
    yield ""
    yield f"{'rule':<{width}}  {'  '.join(_COLUMNS)}"
    for each in found.rules:
        figures = "  ".join(f"{getattr(each, name):>{len(name)}}" for name in _COLUMNS)
        yield f"{each.rule:<{width}}  {figures}"
