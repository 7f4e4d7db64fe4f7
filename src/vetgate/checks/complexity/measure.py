"""Measure every function of a source."""

from __future__ import annotations

import importlib
from bisect import bisect_left
from functools import cache
from typing import TYPE_CHECKING

from vetgate.checks.complexity.definitions import FileMeasures
from vetgate.checks.complexity.marks import NodeMarks, Sweep
from vetgate.engine.check import CheckInput
from vetgate.model import Unchecked, UncheckedKind
from vetgate.source.syntax import parse
from vetgate.source.walk import Visitor, walk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.source.clock import Deadline
    from vetgate.source.syntax import Source

# Language -> the module with its table, imported when the language is first met.
_TABLES: Mapping[str, str] = {
    "typescript": "ecmascript",
    "tsx": "ecmascript",
    "javascript": "ecmascript",
    "python": "python",
    "go": "go",
    "java": "java",
    "rust": "rust",
    "csharp": "csharp",
    "php": "php",
    "ruby": "ruby",
}
LANGUAGES = frozenset(_TABLES)

_RANGES_TOLD = 8


@cache
def visitor(language: str) -> Visitor:
    module = importlib.import_module(f"vetgate.checks.complexity.{_TABLES[language]}")
    return Visitor(NodeMarks, module.TABLE)


def measure(source: Source, deadline: Deadline) -> FileMeasures:
    """All functions of a source, walked for this alone."""
    syntax = parse(source)
    if isinstance(syntax, Unchecked):
        return FileMeasures(unchecked=(syntax,))
    walked = walk(syntax, (visitor(syntax.language),), deadline, source.first)
    return measured(CheckInput(source, syntax, walked.states[0], walked.unvisited))


def measured(check_input: CheckInput) -> FileMeasures:
    """All functions, in the order of the text; those that time did not suffice for are said to be unchecked."""
    syntax = check_input.parsed
    functions = Sweep(syntax).run(check_input.state.marks)
    if not check_input.unvisited:
        return FileMeasures(tuple(functions))
    left = _merged([(start, end) for start, end in check_input.unvisited if start < end], syntax.data)
    complete = [function for function in functions if not _touches(function.extent, left)]
    lines = [(syntax.line_at(start), syntax.line_at(max(start, end - 1))) for start, end in left[:_RANGES_TOLD]]
    return FileMeasures(
        tuple(complete),
        (Unchecked(check_input.source.path, UncheckedKind.UNFINISHED, _not_checked(lines, len(left))),) if left else (),
    )


def _merged(ranges: list[tuple[int, int]], data: bytes) -> list[tuple[int, int]]:
    """In order, with neighbours that only white space divides made one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and not data[merged[-1][1] : start].strip():
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _touches(extent: tuple[int, int], ranges: list[tuple[int, int]]) -> bool:
    after = bisect_left(ranges, (extent[1], 0))
    return after > 0 and ranges[after - 1][1] > extent[0]


def _not_checked(lines: list[tuple[int, int]], count: int) -> str:
    places = ", ".join(f"{start}-{end}" for start, end in lines)
    more = f" and {count - len(lines)} more places" if count > len(lines) else ""
    return f"lines {places}{more}: the time for this check ran out"
