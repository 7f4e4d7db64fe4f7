"""The five measures of every function."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vetgate.checks.complexity.measure import measure
from vetgate.engine.analysis import source_of
from vetgate.model import Progress, unseen
from vetgate.service.configuration import Configurations
from vetgate.service.safe_text import encodable
from vetgate.service.selection import select
from vetgate.service.spread import Spread
from vetgate.source import disk
from vetgate.source.clock import Deadline
from vetgate.source.root import real
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.complexity.measures import Measures
    from vetgate.service.selection import Selection

MEASURES = ("cyclomatic", "cognitive", "nesting", "length", "parameters")


class MeasuredFunction(msgspec.Struct, frozen=True):
    """One function; the names and their order are a promise."""

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


class Measured(msgspec.Struct, frozen=True):
    """`unmeasured` names files with the reason why."""

    rows: tuple[MeasuredFunction, ...]
    unmeasured: tuple[tuple[str, str], ...]


def measured(paths: tuple[str, ...], cwd: Path, progress: Progress = unseen) -> Iterator[Measured]:
    """In order, a batch of files at a time; without `paths` those of the project that its configuration checks."""
    names = [name for selection in select(paths, cwd) for name in _wanted(selection, everything=bool(paths))]
    return Spread("measuring", _measured, progress=progress).over(names)


def _wanted(selection: Selection, *, everything: bool) -> list[str]:
    """What the user named is measured, whatever the configuration excludes: a measure blocks nobody."""
    if everything:
        return list(selection.files.values())
    config = Configurations().in_force(selection.root).config
    return [shown for name, shown in selection.files.items() if config.paths.checks(name)]


def _measured(paths: tuple[str, ...]) -> Measured:
    """One batch, in whichever process; they all work in the same folder, so the user's own paths lead to the files."""
    rows: list[MeasuredFunction] = []
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
    return Measured(tuple(rows), tuple(unmeasured))


def _row(path: str, measures: Measures) -> MeasuredFunction:
    values = (getattr(measures, key) for key in MEASURES)
    return MeasuredFunction(path, encodable(measures.name), measures.line, measures.end_line, *values)
