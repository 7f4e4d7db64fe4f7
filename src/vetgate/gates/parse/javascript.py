"""jest, vitest and mocha."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.gates.parse.results import Parsed, number, of_tests
from vetgate.suite_results import TestFailure, TestResults

if TYPE_CHECKING:
    from collections.abc import Iterator

_AT = re.compile(r"(?:\(|\bat |\u276f )(?:async )?(?:file://)?(?P<file>[^\s()]+\.[cm]?[jt]sx?):(?P<line>\d+):\d+\)?")
_COUNT = re.compile(r"(\d+) (failed|passed|skipped|todo|pending)")
_TIME = re.compile(r"([\d.]+) ?(ms|m|s)\b")
_VALUE = re.compile(r"(?:Expected|Received)[^:]*: ")
_VALUES_WITHIN = 8
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}

_JEST_FILE = re.compile(r"^(?:FAIL|PASS) +(?P<file>\S+)", re.MULTILINE)
_JEST_TEST = re.compile(r"^ {1,2}● (?P<name>.+)$", re.MULTILINE)
_JEST_END = re.compile(r"^(?: {1,2}● |(?:FAIL|PASS) |Test Suites: |Summary of all failing)", re.MULTILINE)
_VITEST_TEST = re.compile(
    r"^ *FAIL +(?P<file>\S+?\.[cm]?[jt]sx?)(?: +\[[^\]]*\])?(?: > (?P<name>.+?))?(?: +\[[^\]]*\])?$", re.MULTILINE
)
_VITEST_END = re.compile(r"^(?: *FAIL +\S|⎯{5,}| *Test Files )", re.MULTILINE)
_MOCHA_TEST = re.compile(r"^ {2,}\d+\) (?P<suite>.+)\n(?P<names>(?: {4,}.+\n)*?) {4,}(?P<name>.+):\n", re.MULTILINE)
_MOCHA_END = re.compile(r"^ {2,}\d+\) ", re.MULTILINE)


def jest(text: str) -> Parsed:
    failures = {each.name: each for each in _jest_failures(text)}  # a summary at the end says all of them again
    return of_tests(
        _results("jest", _line(text, r"^Tests: +(.*)$"), _line(text, r"^Time: +(.*)$"), tuple(failures.values()))
    )


def _jest_failures(text: str) -> Iterator[TestFailure]:
    for match in _JEST_TEST.finditer(text):
        if match["name"].startswith(("Console", "Test suite failed to run")) and "Console" in match["name"]:
            continue
        body = _until(text, match.end(), _JEST_END)
        files = [each["file"] for each in _JEST_FILE.finditer(text, 0, match.start())]
        yield _failure(match["name"].strip(), files[-1] if files else "", body)


def vitest(text: str) -> Parsed:
    failures = {}
    for match in _VITEST_TEST.finditer(text):
        failure = _failure(match["name"] or match["file"], match["file"], _until(text, match.end(), _VITEST_END))
        if failure.error:
            failures[(failure.file, failure.name)] = failure
    told = _line(text, r"^ *Tests +(.*)$")
    return of_tests(_results("vitest", told, _line(text, r"^ *Duration +(.*)$"), tuple(failures.values())))


def mocha(text: str) -> Parsed:
    ended = re.search(r"^\s*\d+ (?:passing|failing)", text, re.MULTILINE)
    start = ended.start() if ended else 0
    failures = []
    for match in _MOCHA_TEST.finditer(text, start):
        names = (match["suite"], *match["names"].split("\n"), match["name"])
        name = " ".join(each.strip() for each in names if each.strip())
        failures.append(_failure(name, "", _until(text, match.end(), _MOCHA_END)))
    told = re.findall(r"^\s*(\d+) (passing|pending|failing)", text, re.MULTILINE)
    counts = {what: int(count) for count, what in told}
    results = TestResults(
        "mocha",
        passed=counts.get("passing", 0),
        failed=counts.get("failing", 0),
        skipped=counts.get("pending", 0),
        duration=_seconds(_line(text, r"^\s*\d+ passing \((.*)\)$")),
        failures=tuple(failures),
    )
    return of_tests(results)


def _results(framework: str, told: str, took: str, failures: tuple[TestFailure, ...]) -> TestResults:
    counts: dict[str, int] = {}
    for count, what in _COUNT.findall(told):
        counts[what] = int(count)
    skipped = counts.get("skipped", 0) + counts.get("todo", 0) + counts.get("pending", 0)
    return TestResults(framework, counts.get("passed", 0), counts.get("failed", 0), skipped, _seconds(took), failures)


def _failure(name: str, file: str, body: str) -> TestFailure:
    places = [each for each in _AT.finditer(body) if "node_modules" not in each["file"]]
    place = next((each for each in places if file and each["file"].endswith(file)), places[0] if places else None)
    found = file or (place["file"] if place else "")
    return TestFailure(name, found, number(place["line"]) if place else 0, _error(body), body.strip("\n"))


def _error(body: str) -> str:
    """Its first line, with the two values where the next ones say them."""
    lines = [line.strip() for line in body.split("\n") if line.strip()]
    if not lines:
        return ""
    values = [line for line in lines[1:_VALUES_WITHIN] if _VALUE.match(line)]
    if not values and lines[0].endswith(":"):
        values = lines[1:2]
    return " ".join((lines[0], *values[:2]))


def _until(text: str, start: int, end: re.Pattern[str]) -> str:
    found = end.search(text, start)
    return text[start : found.start() if found else len(text)].strip("\n")


def _line(text: str, pattern: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    return found[1] if found else ""


def _seconds(told: str) -> float | None:
    found = _TIME.search(told)
    return round(float(found[1]) * _UNITS[found[2]], 6) if found else None
