"""`vetgate log`: every recorded decision, filtered, followed, exported, and held against its chain."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import click

from vetgate.cli.decision import line
from vetgate.cli.surface import BLOCKED, current_root, say, wants_colour
from vetgate.service.decisions import DECISIONS, Filter, audited, open_record, plain
from vetgate.service.safe_text import counted, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from vetgate.progress import RunningGate
    from vetgate.service.decisions import Record
    from vetgate.store.records import RecordedDecision

_SHOWN = 50
_SECONDS_BETWEEN = 0.3
_SECONDS_BETWEEN_WORDS = 30.0


@click.command(epilog="Exit status: 0, or 1 when --verify found that something was deleted or changed.")
@click.option("--session", metavar="ID", default="", help="Of this session; the first letters are enough.")
@click.option("--decision", type=click.Choice(DECISIONS), multiple=True, help="Only this outcome; may be repeated.")
@click.option("--rule", metavar="NAME", default="", help="With a finding of this check or rule.")
@click.option("--path", "glob", metavar="GLOB", default="", help="About these files.")
@click.option("--since", metavar="WHEN", default="", help="Not older: 90m, 12h, 7d, or 2026-11-15 13:00.")
@click.option(
    "--last", metavar="N", type=click.IntRange(0), help=f"Only the newest N; the text format shows {_SHOWN} by default."
)
@click.option("--follow", is_flag=True, help="Keep printing new decisions and the gates that run.")
@click.option("--verify", is_flag=True, help="Check that no decision was changed or deleted.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "jsonl", "audit")),
    default="text",
    show_default=True,
    help="audit: one JSON object per file, one per line, as other quality gates log it.",
)
def log(**given: Any) -> int:
    """Show decisions, oldest first: when, about which files, by which rules, how long it took.

    `vetgate explain ID` shows all of one decision. --verify finds rows that were deleted, changed or cut off.
    """
    wanted = Filter(given["session"], given["decision"], given["rule"], given["glob"])
    with open_record(current_root()) as record:
        if given["verify"]:
            return _verify(record)
        _print(record, wanted, given)
    return 0


def _verify(record: Record) -> int:
    found = record.verified()
    if found.problem:
        for text in filter(None, (found.problem, found.repair)):
            click.echo(text)
        return BLOCKED
    click.echo(f"{counted(found.decisions, 'decision')}, each as it was written")
    return 0


def _print(record: Record, wanted: Filter, given: dict[str, Any]) -> None:
    form = given["form"]
    most = given["last"] if given["last"] is not None else _SHOWN if form == "text" else None
    rows = record.decisions(wanted, given["since"], most)
    if form == "json" and not given["follow"]:
        say(json.dumps([plain(row) for row in rows], indent=2) + "\n")
        return
    lines = _liner(form)
    for row in rows:
        _say_all(lines(row))
    if given["follow"]:
        _follow(record, wanted, form)


def _follow(record: Record, wanted: Filter, form: str) -> None:
    """Until whoever started it ends it."""
    lines, watch = _liner(form), _Watch()
    while True:
        if form == "text":
            _say_all(watch.news(record.running()))
        for row in record.new(wanted):
            _say_all(lines(row))
        time.sleep(_SECONDS_BETWEEN)


def _liner(form: str) -> Callable[[RecordedDecision], Iterable[str]]:
    if form == "audit":
        return lambda row: (json.dumps(each) for each in audited(row))
    if form in {"json", "jsonl"}:
        return lambda row: (json.dumps(plain(row)),)
    has_colour = wants_colour()
    return lambda row: (line(row) if has_colour else click.unstyle(line(row)),)


def _say_all(lines: Iterable[str]) -> None:
    for each in lines:
        say(f"{each}\n")


class _Watch:
    """When a gate begins, that it still runs, and that it is over: only what is new."""

    def __init__(self) -> None:
        self._told: dict[RunningGate, float] = {}

    def news(self, running: Sequence[RunningGate]) -> Iterator[str]:
        now = time.time()
        for each in running:
            if each not in self._told:
                yield f"{_when(each.since)}  gate {printable(each.gate)} runs in {printable(each.root)}"
            elif now - self._told[each] >= _SECONDS_BETWEEN_WORDS:
                yield f"{_when(now)}  gate {printable(each.gate)} still runs, for {now - each.since:.0f} s"
            else:
                continue
            self._told[each] = now
        for each in self._told.keys() - set(running):
            del self._told[each]
            yield f"{_when(now)}  gate {printable(each.gate)} ended after {now - each.since:.1f} s"


def _when(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(moment))
