"""Tests as safeguards that must not get lost, and what counts only where there was one before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.silenced_tool.pipelines import TESTS, scripts
from vetgate.checks.tokens import tokens
from vetgate.checks.weakened_test.reading import TestFile, read
from vetgate.engine.check import Safeguard
from vetgate.expression import expression
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vetgate.model import Finding, Known
    from vetgate.source.syntax import Source

ID = "weakened-test"
_MANY = 1_000  # where nothing is known of it
GONE = "removed-test"
ASSERTION = "removed-assertion"
EMPTY = "tautology"
SWALLOWED = "swallowed-failure"
SKIPPED = "skipped-test"
FOCUSED = "focused-test"
RUNNER = "disabled-runner"
SNAPSHOT = "rewritten-snapshot"

# In most languages a file without one of these words holds no test.
_HINTS = {"rust": expression(r"test|quickcheck"), "csharp": expression(r"\[\s*[\w.]*(?:Fact|Theory|Test)")}


_OF_OTHERS = "collect_ignore"  # it speaks of tests in other files
_OPTIONAL = expression(r"importorskip\s*\(?\s*[\"']([\w.]+)")
_ONE_LESS = {
    Severity.CRITICAL: Severity.ERROR,
    Severity.ERROR: Severity.WARNING,
    Severity.WARNING: Severity.NOTE,
    Severity.NOTE: Severity.NOTE,
}


class Worth(NamedTuple):
    """What the evidence of a test says; `guarded` assertions are only reached under a condition."""

    body: str
    calls: frozenset[str]
    digests: tuple[str, ...]
    rows: int
    guarded: int = 0
    idle: bool = False


def read_source(source: Source) -> TestFile | None:
    """The tests of a text, whatever its name; None where it cannot be parsed."""
    hint = _HINTS.get(source.language or "")
    if hint is not None and not hint.search(source.text):
        return TestFile()
    found = tokens(source)
    return None if found is None else read(found.syntax.tree.root_node, found.syntax.language)


def safeguards_of(source: Source, found: TestFile | None) -> tuple[Safeguard, ...]:
    tests = found.tests if found is not None else ()
    runners = (each for each in scripts(source) if TESTS.search(each.name))
    return (
        *(Safeguard(ID, GONE, test.name, test.value, test.evidence, test.line) for test in tests),
        *(Safeguard(ID, RUNNER, f"script {each.name}", 0 if each.is_empty else 1, line=each.line) for each in runners),
    )


def worth(evidence: str) -> Worth:
    body, calls, digests, rows, guarded, idle = (*evidence.split("|"), "", "", "", "", "")[:6]
    return Worth(
        body,
        frozenset(filter(None, calls.split(","))),
        tuple(filter(None, digests.split(","))),
        int(rows) if rows.isdecimal() else 1,
        int(guarded) if guarded.isdecimal() else _MANY,
        bool(idle),
    )


def drop_new_tests(findings: Sequence[Finding], known: Sequence[Known], stood: str) -> list[Finding]:
    """A test that is new was never weakened: that it is skipped is told. A new recorded result is none to mind."""
    tests = {each.symbol for each in known if each.is_safeguard}
    recorded = {each.symbol for each in known if not each.is_safeguard and each.id.endswith(f"/{SNAPSHOT}")}
    kept = []
    for finding in findings:
        if finding.rule == SNAPSHOT and finding.symbol not in recorded:
            continue
        is_new = finding.rule in {SKIPPED, RUNNER} and (finding.symbol not in tests if finding.symbol else not tests)
        is_new = is_new and not (stood and _OF_OTHERS in finding.message)
        kept.append(finding.at(_ONE_LESS[finding.severity]) if is_new else _imported(finding, stood))
    return kept


def _imported(finding: Finding, stood: str) -> Finding:
    """What was imported as a matter of course, and is now done without where it is missing."""
    module = _OPTIONAL.search(finding.evidence) if finding.rule == SKIPPED else None
    if module is None or not re.search(rf"^(?:import|from)\s+{re.escape(module[1])}\b", stood, re.MULTILINE):
        return finding
    return finding.at(Severity.ERROR)
