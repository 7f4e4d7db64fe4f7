"""How much of the code the tests of a command reached, where it says so."""

from __future__ import annotations

import re

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
