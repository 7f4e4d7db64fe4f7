"""`vetgate metrics`: the five measures of every function."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from vetgate.checks.complexity.measure import measure
from vetgate.cli.progress import Bar
from vetgate.engine.analysis import source_of
from vetgate.service.configuration import in_force
from vetgate.service.safe_text import encodable, printable
from vetgate.service.selection import select
from vetgate.service.spread import Spread
from vetgate.source import disk
from vetgate.source.deadline import Deadline
from vetgate.source.root import real
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from vetgate.checks.complexity.measures import Measures
    from vetgate.service.selection import Selection
    from vetgate.service.spread import Progress


class Row(msgspec.Struct, frozen=True):
    """One function, as printed; the names and their order are a promise."""

    path: str
    function: str
    line: int
    end_line: int
    cyclomatic: int
    cognitive: int
    nesting: int
    length: int
    parameters: int


MEASURES = ("cyclomatic", "cognitive", "nesting", "length", "parameters")


class Batch(msgspec.Struct, frozen=True):
    rows: tuple[Row, ...]
    unmeasured: tuple[tuple[str, str], ...]


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATHS]...")
@click.option(
    "--format",
    "form",
    type=click.Choice(("table", "jsonl", "json")),
    default="table",
    show_default=True,
    help="jsonl prints one object a line and function, json one list.",
)
@click.option("--sort", type=click.Choice(MEASURES), help="Highest first; without it, in the order of files and lines.")
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Only the N highest (by --sort, else cyclomatic).")
def metrics(paths: tuple[str, ...], *, form: str, sort: str | None, top: int | None) -> None:
    """Print the five measures of every function: cyclomatic, cognitive, nesting, length, parameters.

    Without PATHS the whole project is measured, without what its configuration excludes. Files that could not be
    measured are named on standard error.
    """
    names = [name for selection in select(paths, Path.cwd()) for name in _wanted(selection, everything=bool(paths))]
    with Bar() as progress:
        rows = _rows(names, progress)
        if sort or top:
            by = sort or "cyclomatic"
            rows = iter(sorted(rows, key=lambda row: -getattr(row, by))[:top])
        for text in _PRINTED[form](rows):
            click.echo(text.encode("utf-8"), nl=False)


def _rows(names: list[str], progress: Progress) -> Iterator[Row]:
    for batch in Spread("measuring", _measured, progress=progress).over(names):
        yield from batch.rows
        for path, reason in batch.unmeasured:
            click.echo(f"not measured: {printable(path)}: {reason}", err=True)


def _wanted(selection: Selection, *, everything: bool) -> list[str]:
    """What the user named is measured, whatever the configuration excludes: a measure blocks nobody."""
    if everything:
        return list(selection.files.values())
    config = in_force(selection.root).config
    return [shown for name, shown in selection.files.items() if config.paths.checks(name)]


def _measured(paths: tuple[str, ...]) -> Batch:
    """One batch, in whichever process; they all work in the same folder, so the user's own paths lead to the files."""
    rows: list[Row] = []
    unmeasured: list[tuple[str, str]] = []
    for path in paths:
        name = encodable(path)
        try:
            found = measure(source_of(path, disk.read(real(Path(path)))), Deadline.never())
        except NotText as why:
            unmeasured.append((name, why.reason))
        except Exception as error:  # noqa: BLE001 - one file must not cost the measures of all others
            unmeasured.append((name, f"the measure failed, which is a bug: {error.__class__.__name__}: {error}"))
        else:
            rows += (_row(name, each) for each in found.functions)
            unmeasured += ((name, each.reason) for each in found.unchecked)
    return Batch(tuple(rows), tuple(unmeasured))


def _row(path: str, measures: Measures) -> Row:
    values = (getattr(measures, key) for key in MEASURES)
    return Row(path, encodable(measures.name), measures.line, measures.end_line, *values)


def _as_jsonl(rows: Iterable[Row]) -> Iterator[str]:
    return (f"{msgspec.json.encode(row).decode()}\n" for row in rows)


def _as_json(rows: Iterable[Row]) -> Iterator[str]:
    yield f"{msgspec.json.format(msgspec.json.encode(list(rows))).decode()}\n"


def _as_table(rows: Iterable[Row]) -> Iterator[str]:
    yield "  ".join((*MEASURES, "function")) + "\n"
    for row in rows:
        numbers = "  ".join(f"{getattr(row, key):>{len(key)}}" for key in MEASURES)
        yield f"{numbers}  {printable(row.path)}:{row.line} {printable(row.function)}\n"


_PRINTED: Mapping[str, Callable[[Iterable[Row]], Iterator[str]]] = {
    "table": _as_table,
    "jsonl": _as_jsonl,
    "json": _as_json,
}
