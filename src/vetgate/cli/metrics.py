"""`vetgate metrics`: the five measures of every function."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from vetgate.cli.progress import Bar
from vetgate.service.metrics import MEASURES, measured
from vetgate.service.safe_text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from vetgate.service.metrics import Measured, MeasuredFunction


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATHS]...")
@click.option(
    "--format",
    "form",
    type=click.Choice(("table", "jsonl", "json")),
    default="table",
    show_default=True,
    help="jsonl prints one object per function, one per line; json one list.",
)
@click.option("--sort", type=click.Choice(MEASURES), help="Highest first; by default in the order of files and lines.")
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Only the N highest (by --sort, else cyclomatic).")
def metrics(paths: tuple[str, ...], *, form: str, sort: str | None, top: int | None) -> None:
    """Print the five measures of every function: cyclomatic, cognitive, nesting, length, parameters.

    Without PATHS the whole project is measured, except for excluded files. Files that could not be measured are named
    on standard error.
    """
    with Bar() as progress:
        rows = _rows(measured(paths, Path.cwd(), progress))
        if sort or top:
            by = sort or "cyclomatic"
            rows = iter(sorted(rows, key=lambda row: -getattr(row, by))[:top])
        for text in _PRINTED[form](rows):
            click.echo(text.encode("utf-8"), nl=False)


def _rows(batches: Iterable[Measured]) -> Iterator[MeasuredFunction]:
    for batch in batches:
        yield from batch.rows
        for path, reason in batch.unmeasured:
            click.echo(f"not measured: {printable(path)}: {reason}", err=True)


def _as_jsonl(rows: Iterable[MeasuredFunction]) -> Iterator[str]:
    return (f"{msgspec.json.encode(row).decode()}\n" for row in rows)


def _as_json(rows: Iterable[MeasuredFunction]) -> Iterator[str]:
    yield f"{msgspec.json.format(msgspec.json.encode(list(rows))).decode()}\n"


def _as_table(rows: Iterable[MeasuredFunction]) -> Iterator[str]:
    yield "  ".join((*MEASURES, "function")) + "\n"
    for row in rows:
        numbers = "  ".join(f"{getattr(row, key):>{len(key)}}" for key in MEASURES)
        yield f"{numbers}  {printable(row.path)}:{row.line} {printable(row.function)}\n"


_PRINTED: Mapping[str, Callable[[Iterable[MeasuredFunction]], Iterator[str]]] = {
    "table": _as_table,
    "jsonl": _as_jsonl,
    "json": _as_json,
}
