"""`vetgate stats` and `vetgate tune`: which rules stop whom, what comes of it and suggests, and what judges cost."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from vetgate.cli.judgement import usd
from vetgate.cli.surface import current_root, show
from vetgate.service.statistics import costs, proposals, statistics, total
from vetgate.service.statistics import plain as plain_costs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.service.statistics import Costs, ModelCost, Statistics

_COLUMNS = ("blocked", "asked", "fixed", "overridden", "waived", "told")
_COST_COLUMNS = ("judge", "model", "calls", "failed", "read", "written", "cached", "USD", "median", "p95")
_NAMES = 2  # of these
_since = click.option("--since", metavar="WHEN", default="", help="Nothing older: 12h, 7d, 2026-11-15.")
_form = click.option(
    "--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True, help="How to report."
)


@click.command()
@_since
@click.option("--cost", is_flag=True, help="Show what judges cost instead: today, in the last 7 days, in total.")
@_form
def stats(since: str, form: str, *, cost: bool) -> None:
    """Show for each rule how often it blocked, and how each block ended.

    blocked: it stopped a call, or left it to a person; asked: how many of those were left to a person; fixed: the
    same gate checked the file again in that session and found it gone; overridden: a person, or `retries.then`, let
    it through; waived: a person allowed it on purpose; told: it was reported and did not block.

    --cost shows for each judge and model: calls, failures, tokens in and out, the cached share of the tokens in, US
    dollars, and the time within which 50 % and 95 % of the calls ended.
    """
    if cost:
        spent = costs(current_root(), since)
        show(form, plain_costs(spent), _cost_lines(spent))
    else:
        found = statistics(current_root(), since)
        show(form, found.plain(), _lines(found))


def _cost_lines(found: Costs) -> Iterator[str]:
    for number, (period, models) in enumerate(found.items()):
        yield from [""] if number else []
        calls = sum(each.calls for each in models)
        yield f"{period}: {_counted(calls, 'call')}, {usd(total(models))}"
        if models:
            yield from _table([_COST_COLUMNS, *map(_cost_row, models)])


def _cost_row(each: ModelCost) -> tuple[str, ...]:
    counts = (f"{number:,}" for number in (each.calls, each.failures, each.input_tokens, each.output_tokens))
    seconds = (f"{taken / 1000:.1f} s" for taken in (each.median_ms, each.p95_ms))
    return each.judge, each.model, *counts, f"{each.cached_share:.0%}", f"{each.usd:.4f}", *seconds


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            f"{cell:<{width}}" if number < _NAMES else f"{cell:>{width}}"
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield f"  {'  '.join(cells).rstrip()}"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _lines(found: Statistics) -> Iterator[str]:
    counts = ", ".join(f"{number} {decision}" for decision, number in found.decisions.most_common())
    total, sessions = found.decisions.total(), found.sessions
    if not total:
        yield "no decisions on record"
        return
    where = f" in {_counted(sessions, 'session')}" if sessions else ""  # a review by hand belongs to none
    yield f"{_counted(total, 'decision')}{where}: {counts}"
    yield f"half of them within {found.median_ms} ms, 95 % within {found.slowest_ms} ms"
    if not found.rules:
        return
    width = max(len(each.rule) for each in found.rules)
    yield ""
    yield f"{'rule':<{width}}  {'  '.join(_COLUMNS)}"
    for each in found.rules:
        figures = "  ".join(f"{getattr(each, name):>{len(name)}}" for name in _COLUMNS)
        yield f"{each.rule:<{width}}  {figures}"


@click.command()
@_since
@_form
def tune(since: str, form: str) -> None:
    """Propose changes of vetgate.yaml from what was blocked, overridden, waived and fixed; nothing is changed.

    For a rule that people mostly let through, or that nobody heeds, it proposes to report only; for repeated waivers
    of one rule, a single waiver. `vetgate replay --diff` shows what a proposal would have changed.
    """
    found = list(proposals(statistics(current_root(), since)))
    lines = [f"{each.rule}: {each.why}\n  {each.change}" for each in found]
    nothing = ["nothing to propose: no rule stands out in the record"]
    show(form, [asdict(each) for each in found], lines or nothing)
