"""pytest and unittest."""

from __future__ import annotations

import re

from vetgate.gates.parse.results import Parsed, number, of_tests
from vetgate.suite_results import TestFailure, TestResults

_SECTION = re.compile(r"^_{3,} (?P<name>.+?) _{3,}$", re.MULTILINE)
_SUMMARY = re.compile(
    r"^(?P<what>FAILED|ERROR) (?P<file>[^\s:]+(?:\.\w+)?)(?:::(?P<name>\S+(?:\[.*?\])?))?(?: - (?P<error>.*))?$",
    re.MULTILINE,
)
_COUNTS = re.compile(r"^=* ?(?P<counts>\d+ (?:failed|passed|skipped|error).*?) in (?P<seconds>[\d.]+)s", re.MULTILINE)
_COUNT = re.compile(r"(\d+) (failed|passed|skipped|errors?|xfailed|xpassed)")
_PLACE = re.compile(r"^(?P<file>[^\s:]+\.py):(?P<line>\d+): ", re.MULTILINE)
_ERROR = re.compile(r"^E {1,7}(.*)$", re.MULTILINE)
_END_OF_SECTION = re.compile(r"^(?:_{3,} .+ _{3,}|=+ .*=+)$", re.MULTILINE)

_UNIT = re.compile(
    r"^(?P<what>FAIL|ERROR): (?P<name>\S+) \((?P<where>[^)]*)\).*\n(?:.*\n)?-{20,}\n"
    r"(?P<stack>(?:.*\n)*?)(?=\n[=-]{20,}|\Z)",
    re.MULTILINE,
)
_FRAME = re.compile(r'^  File "(?P<file>[^"]+)", line (?P<line>\d+)', re.MULTILINE)
_RAN = re.compile(r"^Ran (\d+) tests? in ([\d.]+)s", re.MULTILINE)
_ENDED = re.compile(r"^(?:FAILED|OK)(?: \((?P<counts>.*)\))?$", re.MULTILINE)


def pytest(text: str) -> Parsed:
    counts = {"failed": 0, "passed": 0, "skipped": 0, "error": 0, "xfailed": 0, "xpassed": 0}
    ended = next(iter(reversed(list(_COUNTS.finditer(text)))), None)
    for count, what in _COUNT.findall(ended["counts"]) if ended else ():
        counts[what.removesuffix("s") if what.startswith("error") else what] += int(count)
    sections = _sections(text)
    failures = [_failure(match, sections) for match in _SUMMARY.finditer(text)]
    named = {failure.name for failure in failures}
    failures += [
        _section_failure(name, body) for name, body in sections.items() if not failures or _misses(name, named)
    ]
    results = TestResults(
        "pytest",
        passed=counts["passed"] + counts["xpassed"],
        failed=counts["failed"] + counts["error"] if ended else len(failures),
        skipped=counts["skipped"] + counts["xfailed"],
        duration=float(ended["seconds"]) if ended else None,
        failures=tuple(failures),
    )
    return of_tests(results)


def _sections(text: str) -> dict[str, str]:
    found = {}
    for match in _SECTION.finditer(text):
        end = _END_OF_SECTION.search(text, match.end())
        found[match["name"]] = text[match.end() : end.start() if end else len(text)].strip("\n")
    return found


def _misses(name: str, named: set[str]) -> bool:
    """Whether the short summary leaves this one out; it calls what fails while it is collected by its file."""
    return "ERROR" not in name and name not in {each.replace("::", ".") for each in named}


def _failure(match: re.Match[str], sections: dict[str, str]) -> TestFailure:
    name = match["name"] or ""
    title = name.replace("::", ".")
    body = next(
        (body for each, body in sections.items() if each == title or each.endswith((f" {title}", f" {match['file']}"))),
        "",
    )
    told = _section_failure(name or match["file"], body, match["file"])
    return TestFailure(told.name, match["file"], told.line, match["error"] or told.error, body)


def _section_failure(name: str, body: str, file: str = "") -> TestFailure:
    places = list(_PLACE.finditer(body))
    # The test's own line says more to whoever wrote it than the last one below it.
    place = next((each for each in places if each["file"] == file), places[-1] if places else None)
    error = _ERROR.search(body)
    return TestFailure(
        name,
        file or (place["file"] if place else ""),
        number(place["line"]) if place else 0,
        error[1].strip() if error else "",
        body,
    )


def unittest(text: str) -> Parsed:
    ran = _RAN.search(text)
    ended = _ENDED.search(text, ran.end() if ran else 0)
    counts = dict(re.findall(r"([a-z][a-z ]*)=(\d+)", ended["counts"] or "")) if ended else {}
    skipped = number(counts.get("skipped")) + number(counts.get("expected failures"))
    failures = tuple(_of_unit(match) for match in _UNIT.finditer(text + "\n"))
    total = int(ran[1]) if ran else 0
    results = TestResults(
        "unittest",
        passed=max(0, total - len(failures) - skipped),
        failed=len(failures),
        skipped=skipped,
        duration=float(ran[2]) if ran else None,
        failures=failures,
    )
    return of_tests(results)


def _of_unit(match: re.Match[str]) -> TestFailure:
    frames = list(_FRAME.finditer(match["stack"]))
    error = next((line for line in reversed(match["stack"].strip().split("\n")) if line[:1].isalpha()), "")
    name = match["where"] if match["where"].endswith(match["name"]) else f"{match['where']}.{match['name']}"
    last = frames[-1] if frames else None
    return TestFailure(
        name, last["file"] if last else "", number(last["line"]) if last else 0, error, match["stack"].strip()
    )
