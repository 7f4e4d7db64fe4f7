"""`vetgate baseline`: adopt the gate on code that has findings already; the list of them only shrinks by itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.cli.progress import Bar
from vetgate.cli.surface import BLOCKED
from vetgate.model import BASELINE_NAME
from vetgate.service.baseline import shrink_baseline, write_baseline
from vetgate.service.safe_text import counted

if TYPE_CHECKING:
    from collections import Counter

    from vetgate.service.baseline import Shrunk, WrittenBaseline


@click.command(epilog="Exit status: 0 up to date, 1 --check found something to remove, 3 something to fix first.")
@click.option("--write", is_flag=True, help="List all current findings. Only a person can, in a terminal.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; status 1 when something could be removed.")
def baseline(*, write: bool, only_check: bool) -> int:
    """Adopt vetgate on old code: list current findings, so that `vetgate check` counts only new ones.

    Without an option, findings that are gone are removed from .vetgate/baseline.json; none is added.
    """
    if write and only_check:
        raise click.UsageError("--write and --check exclude each other.")
    with Bar() as progress:
        if write:
            _say_written(write_baseline(Path.cwd(), progress))
            return 0
        shrunk = shrink_baseline(Path.cwd(), only_check=only_check, progress=progress)
    _say_shrunk(shrunk, only_check=only_check)
    return BLOCKED if shrunk.gone and only_check else 0


def _say_written(now: WrittenBaseline) -> None:
    click.echo(f"{BASELINE_NAME} lists {counted(len(now.entries), 'finding')}: commit it")
    for line in by_rule(now.rules):
        click.echo(f"  {line}")
    if now.secrets:
        click.echo(f"{now.secrets} of them are secrets: revoke them, listing does not make them safe")


def by_rule(counts: Counter[str]) -> list[str]:
    return [f"{number:>5}  {rule}" for rule, number in sorted(counts.items(), key=lambda each: (-each[1], each[0]))]


def _say_shrunk(shrunk: Shrunk, *, only_check: bool) -> None:
    gone, new, left = shrunk.gone, shrunk.new, shrunk.left
    verb = "can be removed from" if only_check else "removed from"
    removed = f"{counted(gone, 'finding')} {verb} {BASELINE_NAME}, {left} left"
    click.echo(removed if gone else f"{BASELINE_NAME} is as short as it can be")
    if new:
        click.echo(
            f"{counted(new, 'finding')} not in it: fix them, or a person adds them with `vetgate baseline --write`"
        )
