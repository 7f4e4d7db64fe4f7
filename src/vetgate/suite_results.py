"""What a run of tests came to, as values: whichever framework it was."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TestFailure:
    """One test that failed; `file` and `line` as far as they are known."""

    __test__ = False  # for runners that take classes by their name

    name: str
    file: str = ""
    line: int = 0
    error: str = ""
    stack: str = ""


@dataclass(frozen=True, slots=True)
class TestResults:
    """What a run of tests came to, whichever framework it was; `duration` in seconds, where it was told."""

    __test__ = False

    framework: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    duration: float | None = None
    failures: tuple[TestFailure, ...] = ()
