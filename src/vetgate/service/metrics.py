"""The five measures of every function."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from vetgate.checks.complexity.measure import measure
from vetgate.engine.analysis import source_of
from vetgate.model import UncheckedKind
from vetgate.progress import Progress, unseen
from vetgate.service.configuration import Configurations
from vetgate.service.safe_text import encodable
from vetgate.service.selection import select
from vetgate.service.spread import Spread
from vetgate.source import disk
from vetgate.source.clock import Deadline
from vetgate.source.language import may_hold_code
from vetgate.source.root import real
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.checks.complexity.definitions import Measures
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


class Measured(msgspec.Struct, frozen=True):
    """`unmeasured` names files with the reason why."""

    rows: tuple[MeasuredFunction, ...]
    unmeasured: tuple[tuple[str, str], ...]


def measured(paths: tuple[str, ...], cwd: Path, progress: Progress = unseen) -> Iterator[Measured]:
    """In order, a batch of files at a time; without `paths` those of the project that its configuration checks."""
    selections = select(paths, cwd)
    names = [name for selection in selections for name in _wanted(selection, everything=bool(paths))]
    named = frozenset(
        selection.files[name] for selection in selections for name in selection.named & selection.files.keys()
    )
    return Spread("measuring", partial(_measured, cwd, named), progress=progress).over(names)


def _wanted(selection: Selection, *, everything: bool) -> list[str]:
    """What the user named is measured, whatever the configuration excludes: a measure blocks nobody."""
    if everything:
        return list(selection.files.values())
    config = Configurations().in_force(selection.root).config
    return [shown for name, shown in selection.files.items() if config.paths.checks(name)]


def _measured(cwd: Path, named: frozenset[str], paths: tuple[str, ...]) -> Measured:
    """One batch, in whichever process; paths as the user calls them. Nobody misses a text that is no code."""
    rows: list[MeasuredFunction] = []
    unmeasured: list[tuple[str, str]] = []
    for path in paths:
        name = encodable(path)
        try:
            found = measure(source_of(path, disk.read(real(cwd / path))), Deadline.never())
        except NotText as why:
            if path in named or may_hold_code(path):
                unmeasured.append((name, why.reason))
        except Exception as error:  # noqa: BLE001 - one file must not cost the measures of all others
            unmeasured.append((name, f"the measure failed, which is a bug: {error.__class__.__name__}: {error}"))
        else:
            rows += (_row(name, each) for each in found.functions)
            missed = (each for each in found.unchecked if path in named or each.kind is not UncheckedKind.NOT_CODE)
            unmeasured += ((name, each.reason) for each in missed)
    return Measured(tuple(rows), tuple(unmeasured))


def _row(path: str, measures: Measures) -> MeasuredFunction:
    values = (getattr(measures, key) for key in MEASURES)
    return MeasuredFunction(path, encodable(measures.name), measures.line, measures.end_line, *values)
