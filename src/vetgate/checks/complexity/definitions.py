"""The five measures, and whose definition each language follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.engine.check import Rule
from vetgate.model import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    LENGTH: "first to last line",
    PARAMETERS: "declared parameters",
}


def definition(measure: str, language: str) -> str:
    return _EVERYWHERE.get(measure) or _BY_LANGUAGE.get(language, _PAPER)[measure]
