"""Compilers and linters that name a place on each line, and the tests of go and cargo beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.gates.parse.results import Complaint, Parsed, number, of_tests
from vetgate.suite_results import TestFailure, TestResults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_AT = r"(?P<line>\d+):(?P<column>\d+)"
_TS = r"(?P<kind>error|warning) (?P<rule>TS\d+): (?P<message>.+)$"
_TSC = (
    rf"^(?P<path>[^\s(][^(\n]*)\((?P<line>\d+),(?P<column>\d+)\): {_TS}",
    rf"^(?P<path>\S[^\n:]*):{_AT} - {_TS}",
)
_MYPY_RULE = r"(?:  \[(?P<rule>[\w-]+)\])?$"
_MYPY = (
    rf"^(?P<path>[^\n:]+):(?P<line>\d+):(?:(?P<column>\d+):)?(?:\d+:\d+:)? "
    rf"(?P<kind>error|warning): (?P<message>.+?){_MYPY_RULE}"
)
_RUFF_RULE = r"(?P<rule>[A-Z]+\d+|SyntaxError|invalid-syntax):? (?:\[\*\] )?(?P<message>.+)"
_RUFF = (
    rf"^(?P<path>[^\s:][^\n:]*):{_AT}: {_RUFF_RULE}$",
    rf"^{_RUFF_RULE}\n +--> (?P<path>[^\n]+?):{_AT}$",
)
_ESLINT = re.compile(
    r"^\s+(?P<line>\d+):(?P<column>\d+)\s+(?P<kind>error|warning)\s+(?P<message>.+?)(?:\s\s+(?P<rule>\S+))?$"
)
_ESLINT_FILE = re.compile(r"^(?:/|[A-Za-z]:\\|\.{0,2}\w)\S*\.\w+$")


def _of(*patterns: str) -> Callable[[str], Parsed]:
    return lambda text: Parsed(tuple(complaints_in(patterns, text)))


tsc, mypy, ruff = _of(*_TSC), _of(_MYPY), _of(*_RUFF)


def eslint(text: str) -> Parsed:
    """A file's name on a line of its own, then what is wrong in it."""
    complaints, path = [], ""
    for line in text.split("\n"):
        match = _ESLINT.match(line)
        if match is None:
            path = line.strip() if _ESLINT_FILE.match(line) else path
        elif path:
            complaints.append(_complaint({**match.groupdict(), "path": path}))
    return Parsed(tuple(complaints))


def complaints_in(patterns: tuple[str, ...], text: str) -> Iterator[Complaint]:
    for pattern in patterns:
        for match in re.finditer(pattern, text, re.MULTILINE):
            yield _complaint(match.groupdict())


def _complaint(groups: dict[str, str | None]) -> Complaint:
    return Complaint(
        path=(groups.get("path") or "").strip(),
        line=number(groups.get("line")),
        column=number(groups.get("column")),
        message=groups.get("message") or "",
        rule=(groups.get("rule") or "").rstrip(":"),
        is_warning=groups.get("kind") == "warning",
    )


_GO_FAIL = re.compile(
    r"^ *--- FAIL: (?P<name>\S+) \((?P<seconds>[\d.]+)s\)\n(?P<body>(?:(?! *--- ) {4,}.*\n)*)", re.MULTILINE
)
_GO_PLACE = re.compile(r"^\s+(?P<file>[^\s:]+\.go):(?P<line>\d+): (?P<error>.*)$", re.MULTILINE)
_GO_BUILD = re.compile(
    r"^(?P<path>(?:\./|[\w./-]+/)?[\w.-]+\.go):(?P<line>\d+):(?P<column>\d+): (?P<message>.+)$", re.MULTILINE
)
_GO_PACKAGE = re.compile(r"^(?P<what>FAIL|ok) *\t(?P<name>\S+)(?:\t(?P<seconds>[\d.]+)s)?", re.MULTILINE)

_RUST_RESULT = re.compile(
    r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;.*?(?:finished in ([\d.]+)s)?$", re.MULTILINE
)
_RUST_TEST = re.compile(
    r"^---- (?P<name>\S+) stdout ----\n(?P<body>(?:.*\n)*?)(?=\n---- |\n\nfailures:|\nfailures:|\Z)", re.MULTILINE
)
_RUST_PANIC = re.compile(r"panicked at (?:'(?P<old>.*)', )?(?P<file>[^\s:,']+):(?P<line>\d+):\d+:?\n?(?P<error>.*)")
_RUST_ERROR = re.compile(
    r"^(?P<kind>error|warning)(?:\[(?P<rule>\w+)\])?: (?P<message>.+)\n"
    r" +--> (?P<path>[^\n:]+):(?P<line>\d+):(?P<column>\d+)$",
    re.MULTILINE,
)


def go(text: str) -> Parsed:
    """It tells no number of tests without `-v`; those it names count."""
    failures = tuple(_of_go(match) for match in _GO_FAIL.finditer(text))
    packages = list(_GO_PACKAGE.finditer(text))
    seconds = [float(each["seconds"]) for each in packages if each["seconds"]]
    passed = len(re.findall(r"^ *--- PASS: ", text, re.MULTILINE))
    skipped = len(re.findall(r"^ *--- SKIP: ", text, re.MULTILINE))
    results = TestResults("go", passed, len(failures), skipped, sum(seconds) if seconds else None, failures)
    built = tuple(complaints_in((_GO_BUILD.pattern,), text))
    return Parsed((*built, *of_tests(results).complaints), results)


def _of_go(match: re.Match[str]) -> TestFailure:
    place = _GO_PLACE.search(match["body"])
    if place is None:
        return TestFailure(match["name"], error=match["body"].strip().split("\n")[0], stack=match["body"].strip("\n"))
    return TestFailure(match["name"], place["file"], number(place["line"]), place["error"], match["body"].strip("\n"))


def cargo(text: str) -> Parsed:
    counts = [_RUST_RESULT.match(line) for line in text.split("\n")]
    told = [tuple(number(group) for group in each.groups()[:3]) for each in counts if each]
    seconds = [float(each[4]) for each in counts if each and each[4]]
    failures = tuple(_of_rust(match) for match in _RUST_TEST.finditer(text + "\n"))
    results = None
    if told:
        passed, failed, skipped = (sum(column) for column in zip(*told, strict=True))
        results = TestResults("cargo", passed, failed, skipped, round(sum(seconds), 6) if seconds else None, failures)
    built = tuple(complaints_in((_RUST_ERROR.pattern,), text))
    return Parsed((*built, *(of_tests(results).complaints if results else ())), results)


def _of_rust(match: re.Match[str]) -> TestFailure:
    body = match["body"].strip("\n")
    panic = _RUST_PANIC.search(body)
    if panic is None:
        return TestFailure(match["name"], error=body.split("\n")[0], stack=body)
    return TestFailure(
        match["name"], panic["file"], number(panic["line"]), (panic["old"] or panic["error"]).strip(), body
    )
