"""Measure every function of a source."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING

from vetgate.checks.complexity.marks import Marks
from vetgate.checks.complexity.measures import Measured
from vetgate.checks.complexity.sweep import Sweep
from vetgate.engine.check import Sight
from vetgate.model import Unchecked
from vetgate.source.syntax import parse
from vetgate.source.walk import Visitor, walk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.source.deadline import Deadline
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


@cache
def visitor(language: str) -> Visitor:
    module = importlib.import_module(f"vetgate.checks.complexity.{_TABLES[language]}")
    return Visitor(Marks, module.TABLE)


def measure(source: Source, deadline: Deadline) -> Measured:
    """All functions of a source, walked for this alone."""
    syntax = parse(source)
    if isinstance(syntax, Unchecked):
        return Measured(unchecked=(syntax,))
    walked = walk(syntax, (visitor(syntax.language),), deadline, source.first)
    return measured(Sight(source, syntax, walked.states[0], walked.unvisited))


def measured(sight: Sight) -> Measured:
    """All functions, in the order of the text; those that time did not suffice for are said to be unchecked."""
    syntax = sight.syntax
    functions = Sweep(syntax).run(sight.state.marks)
    if not sight.unvisited:
        return Measured(tuple(functions))
    left = [(start, end) for start, end in sight.unvisited if start < end]
    complete = [f for f in functions if not any(f.extent[0] < end and start < f.extent[1] for start, end in left)]
    lines = [(syntax.line_at(start), syntax.line_at(max(start, end - 1))) for start, end in left]
    return Measured(tuple(complete), tuple(Unchecked(sight.source.path, _not_checked(lines)) for _ in lines[:1]))


def _not_checked(lines: list[tuple[int, int]]) -> str:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(lines):
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    places = ", ".join(f"{start}-{end}" for start, end in merged)
    return f"lines {places} not checked: the time for this check ran out"
