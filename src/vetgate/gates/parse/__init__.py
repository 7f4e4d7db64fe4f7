"""What commands print, read for findings with a file and a line, and for how tests went."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from vetgate.gates.parse import coderabbit, documents, javascript, lines, python
from vetgate.gates.parse.results import Complaint, Parsed
from vetgate.model import Finding, Span
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vetgate.model import Gate
    from vetgate.suite_results import TestResults

MOST_FINDINGS = 50
_LONGEST = 300
_LONGEST_FIX = 1_000

# Each with what tells its output from others; the first that fits reads it.
READERS: Mapping[str, tuple[str, Callable[[str], Parsed]]] = {
    "sarif": (r"\A\s*\{[^\x00]{0,2000}?\"runs\"\s*:", documents.sarif),
    "junit": (r"<testsuites?[\s>]", documents.junit),
    "vitest": (r"^\s*Test Files +\d", javascript.vitest),
    "jest": (r"^Tests: +.*\btotal$", javascript.jest),
    "mocha": (r"^\s*\d+ (?:passing|failing)\b", javascript.mocha),
    "pytest": (
        r"^=+ .*(?:passed|failed|error|no tests ran).* in [\d.]+s|^(?:FAILED|ERROR) \S+::|^\d+ (?:failed|passed).* in ",
        python.pytest,
    ),
    "unittest": (r"^Ran \d+ tests? in ", python.unittest),
    "cargo": (r"^test result: |^error(?:\[E\d+\])?: .*\n +--> ", lines.cargo),
    "go": (r"^--- FAIL: |^(?:FAIL|ok) *\t", lines.go),
    "tap": (r"^(?:TAP version \d+|1\.\.\d+|not ok \d+|ok \d+)", documents.tap),
    "eslint": (r"^\s+\d+:\d+\s+(?:error|warning)\s+", lines.eslint),
    "tsc": (r"\(\d+,\d+\): error TS\d+|:\d+:\d+ - error TS\d+", lines.tsc),
    "mypy": (r"^[^\s:]+:\d+(?::\d+)?: error: ", lines.mypy),
    "coderabbit": (r"^={20,}\nFile: .*\nLines?: ", coderabbit.coderabbit),
    "ruff": (r"^[^\s:]+:\d+:\d+: [A-Z]+\d+ |^[A-Z]+\d+ .*\n +--> ", lines.ruff),
}


class Read(NamedTuple):
    """What a gate's output tells: findings as the rest of the product knows them, and how the tests went."""

    findings: tuple[Finding, ...] = ()
    results: TestResults | None = None


def parsed(gate: Gate, text: str, root: str) -> Read:
    """Findings with paths from the root; without any where nobody could read it."""
    found = by_pattern(gate.pattern, text) if gate.pattern else _read(gate.parse, text)
    complaints = found.complaints[:MOST_FINDINGS]
    return Read(tuple(finding_of(gate, complaint, root) for complaint in complaints), found.results)


def detected(text: str) -> str:
    """Whose output this is; "" for nobody's that is known."""
    return next((name for name, (sign, _) in READERS.items() if re.search(sign, text, re.MULTILINE)), "")


def by_pattern(pattern: str, text: str) -> Parsed:
    """By a person's own expression, line by line."""
    compiled = re.compile(pattern)
    complaints = []
    for line in text.split("\n"):
        match = compiled.search(line[:_LONGEST])
        if match is not None:
            groups = {name: value or "" for name, value in match.groupdict().items()}
            number = groups.get("line", "")
            message = groups.get("message", "") or match[0]
            complaints.append(Complaint(groups.get("path", ""), int(number) if number.isdecimal() else 0, message))
    return Parsed(tuple(complaints))


def _read(name: str, text: str) -> Parsed:
    reader = READERS.get(detected(text) if name == "auto" else name)
    return reader[1](text) if reader else Parsed()


def finding_of(gate: Gate, complaint: Complaint, root: str) -> Finding:
    path = complaint.path.removeprefix(f"{root}/").removeprefix("./")
    message = complaint.message.strip()[:_LONGEST]
    # Numbers in a message change from run to run; what is wrong stays.
    evidence = re.sub(r"\d+", "0", message)
    return Finding(
        check="command",
        rule=complaint.rule or gate.id,
        span=Span(PurePath(path).as_posix() if path else "", complaint.line, complaint.column or 1, complaint.end_line),
        message=message,
        severity=complaint.severity or (Severity.WARNING if complaint.is_warning else Severity.ERROR),
        symbol=complaint.symbol,
        evidence=evidence,
        fix=complaint.fix[:_LONGEST_FIX],
    )
