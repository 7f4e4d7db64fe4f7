"""The five measures of a function with what added to each, and whose definition each language follows."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING

from vetgate.config.options import LESS, Option
from vetgate.config.value_shapes import Choice, Whole
from vetgate.engine.check import Rule
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.checks.complexity.trail import FunctionTrail
    from vetgate.model import Step, Unchecked
    from vetgate.source.syntax import Syntax


@dataclass(frozen=True, eq=False)
class Measures:
    """One function. `name` is qualified ("Class.method"), lines and `column` count from 1, `column` in characters.

    `extent` is the function's byte range in the UTF-8 text, which tells apart two functions on one line.
    """

    name: str
    line: int
    end_line: int
    column: int
    cyclomatic: int
    cognitive: int
    nesting: int
    parameters: int
    extent: tuple[int, int]
    trail: FunctionTrail = field(repr=False)
    syntax: Syntax = field(repr=False)

    @property
    def length(self) -> int:
        return self.end_line - self.line + 1

    @cached_property
    def steps(self) -> Mapping[str, tuple[Step, ...]]:
        return self.trail.steps()

    @property
    def head_end(self) -> int:
        """The column after the last character of the function's first line."""
        data, (start, end) = self.syntax.data, self.extent
        line_start = data.rfind(b"\n", 0, start) + 1
        line_end = data.find(b"\n", start, end)
        line = data[line_start : end if line_end < 0 else line_end].rstrip()
        return len(line.decode("utf-8", "replace")) + 1

    @cached_property
    def digest(self) -> str:
        """Of the function's text without its white space: reformatting keeps it."""
        start, end = self.extent
        return blake2b(b"".join(self.syntax.data[start:end].split()), digest_size=8).hexdigest()


@dataclass(frozen=True)
class FileMeasures:
    functions: tuple[Measures, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()


CYCLOMATIC = "cyclomatic"
COGNITIVE = "cognitive"
NESTING = "nesting"
LENGTH = "length"
PARAMETERS = "parameters"

RULES = (
    Rule(CYCLOMATIC, Severity.ERROR, "A function has too many ways through it."),
    Rule(COGNITIVE, Severity.ERROR, "A function is too hard to follow."),
    Rule(NESTING, Severity.WARNING, "Control structures are nested too deeply."),
    Rule(LENGTH, Severity.WARNING, "A function has too many lines."),
    Rule(PARAMETERS, Severity.WARNING, "A function takes too many parameters."),
)

LIMITS: Mapping[str, Option[int]] = {
    name: Option(f"complexity.{name}", Whole(least, most), default, summary, LESS)
    for name, least, most, default, summary in (
        (CYCLOMATIC, 1, 10_000, 10, "Most independent paths through a function."),
        (COGNITIVE, 0, 10_000, 15, "Most cognitive complexity of a function: how hard its flow is to follow."),
        (NESTING, 0, 1_000, 4, "Deepest nesting of control flow in a function."),
        (LENGTH, 1, 100_000, 50, "Most lines of a function."),
        (PARAMETERS, 0, 1_000, 5, "Most parameters of a function."),
    )
}

CLASSIC, MODIFIED = "classic", "modified"
VARIANT = Option(
    "complexity.variant",
    Choice((CLASSIC, MODIFIED)),
    MODIFIED,
    "How a switch counts in cyclomatic complexity: modified, once; classic, once for each case.",
    LESS,
)

TITLES: Mapping[str, str] = {
    CYCLOMATIC: "cyclomatic complexity",
    COGNITIVE: "cognitive complexity",
    NESTING: "nesting depth",
    LENGTH: "length",
    PARAMETERS: "parameter count",
}

_ECMASCRIPT = {CYCLOMATIC: "ESLint `complexity`", COGNITIVE: "sonarjs `cognitive-complexity`"}
_PAPER = {CYCLOMATIC: "McCabe with boolean operators", COGNITIVE: "cognitive complexity white paper"}
_BY_LANGUAGE: Mapping[str, Mapping[str, str]] = {
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
    "python": {CYCLOMATIC: "ruff C901", COGNITIVE: _PAPER[COGNITIVE]},
    "go": {CYCLOMATIC: "gocyclo", COGNITIVE: "gocognit"},
}
_EVERYWHERE: Mapping[str, str] = {
    NESTING: "nested control structures, `else if` adds none",
    LENGTH: "without comments",
    PARAMETERS: "declared parameters",
}


def definition(measure: str, language: str) -> str:
    return _EVERYWHERE.get(measure) or _BY_LANGUAGE.get(language, _PAPER)[measure]
