"""What a run of tests came to, whichever framework it was."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Failure:
    """One test that failed; `file` and `line` as far as they are known."""

    name: str
    file: str = ""
    line: int = 0
    error: str = ""
    stack: str = ""


@dataclass(frozen=True, slots=True)
class TestResults:
    """`duration` in seconds, where it was told."""

    __test__ = False  # for runners that take classes by their name

    framework: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    duration: float | None = None
    failures: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """One thing that a command complains of; `path` as it wrote it, `line` 0 where it gave none."""

    path: str
    line: int
    message: str
    column: int = 0
    rule: str = ""
    symbol: str = ""
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class Parsed:
    places: tuple[Place, ...] = ()
    results: TestResults | None = None


def of_tests(results: TestResults) -> Parsed:
    """The failures of tests as places."""
    places = (
        Place(failure.file, failure.line, failure.error or "the test failed", symbol=failure.name)
        for failure in results.failures
    )
    return Parsed(tuple(places), results)


def number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
