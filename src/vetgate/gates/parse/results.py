"""What a command complains of, whichever tool it was."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vetgate.severity import Severity
    from vetgate.suite_results import TestResults


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that a command complains of; `path` as it wrote it, `line` 0 where it gave none.

    Its `severity` where it tells more than errors from warnings, its `fix` where it proposes one.
    """

    path: str
    line: int
    message: str
    column: int = 0
    rule: str = ""
    symbol: str = ""
    is_warning: bool = False
    severity: Severity | None = None
    end_line: int = 0
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Parsed:
    complaints: tuple[Complaint, ...] = ()
    results: TestResults | None = None


def of_tests(results: TestResults) -> Parsed:
    """The failures of tests as complaints."""
    complaints = (
        Complaint(failure.file, failure.line, failure.error or "the test failed", symbol=failure.name)
        for failure in results.failures
    )
    return Parsed(tuple(complaints), results)


def number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0


def positive(value: object) -> int:
    """A line or a column of a document; 0 for whatever is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


# The line that sums up, whichever tool prints it; the last one counts.
_TOTALS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^TOTAL\b.*?(?P<percent>\d+(?:\.\d+)?)%\s*$",  # coverage.py, llvm-cov
        r"^All files\s*\|\s*(?P<percent>\d+(?:\.\d+)?)\s*\|",  # istanbul: jest, vitest, nyc, c8
        r"^\s*Lines\s*:\s*(?P<percent>\d+(?:\.\d+)?)%",  # its summary
        r"coverage: (?P<percent>\d+(?:\.\d+)?)% of statements",  # go
        r"^(?P<percent>\d+(?:\.\d+)?)% coverage,",  # tarpaulin
        r"(?i)^(?:total |line )?coverage:?\s+(?P<percent>\d+(?:\.\d+)?)\s?%",
    )
)


def coverage_of(output: str) -> float | None:
    """In percent."""
    for pattern in _TOTALS:
        found = [float(match["percent"]) for match in pattern.finditer(output)]
        if found and found[-1] <= 100:
            return found[-1]
    return None
