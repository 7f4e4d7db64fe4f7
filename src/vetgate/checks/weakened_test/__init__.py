"""The weakened-test check: tests that are gone, skipped, emptied or cannot fail any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.silenced_tool.pipelines import TESTS, scripts
from vetgate.checks.weakened_test.lost_tests import find_lost_tests
from vetgate.checks.weakened_test.runner_hooks import runner_hooks
from vetgate.checks.weakened_test.safeguards import (
    ASSERTION,
    EMPTY,
    FOCUSED,
    GONE,
    ID,
    RUNNER,
    SKIPPED,
    SNAPSHOT,
    SWALLOWED,
    drop_new_tests,
    read_source,
    safeguards_of,
)
from vetgate.checks.weakened_test.skips import IMPORT, skips
from vetgate.checks.weakened_test.snapshots import entries
from vetgate.checks.weakened_test.test_spans import is_collected
from vetgate.engine.check import Check, InTests, Report, Rule
from vetgate.model import Finding, Span, Unchecked, UncheckedKind
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.weakened_test.reading import TestFile
    from vetgate.config.schema import Config
    from vetgate.engine.check import CheckInput
    from vetgate.source.clock import Deadline
    from vetgate.source.syntax import Source

_RULES = (
    Rule(GONE, Severity.ERROR, "A test is gone, or no runner finds it now."),
    Rule(ASSERTION, Severity.ERROR, "A test asserts less than before."),
    Rule(EMPTY, Severity.ERROR, "An assertion that cannot fail."),
    Rule(SWALLOWED, Severity.ERROR, "A failure is caught and ignored, or the runner is made to overlook it."),
    Rule(SKIPPED, Severity.ERROR, "A test is skipped, or expected to fail."),
    Rule(FOCUSED, Severity.ERROR, "One test runs alone, so that the others do not run."),
    Rule(RUNNER, Severity.ERROR, "The script that runs the tests does nothing."),
    Rule(SNAPSHOT, Severity.WARNING, "A recorded result was rewritten."),
)

# Nobody writes that many by hand.
_MOST = 1_000
_TOO_MANY = "more than 1,000 tests do nothing; the rest could not be looked at"


def _report(check_input: CheckInput, config: Config, deadline: Deadline) -> Report:  # noqa: ARG001 - what every check is asked with
    source = check_input.source
    findings = [*_unrun(source), *_rewritten(source), *_overruled(source)]
    read = read_source(source) if is_collected(source.path, source.language) else None
    if read is not None:
        findings += [*_hollow(source, read), *_unheard(source, read), *_skipped(source, read)]
    rest = (Unchecked(source.path, UncheckedKind.UNFINISHED, _TOO_MANY),) if len(findings) > _MOST else ()
    return Report(tuple(findings)[:_MOST], rest, safeguards_of(source, read))


def _hollow(source: Source, read: TestFile) -> Iterator[Finding]:
    for test in read.tests:
        for each in test.assertions:
            if each.is_tautology:
                message = f"`{test.name}` asserts something that is always true."
                fix = "Assert what the code under test returns."
                yield _finding(source, EMPTY, each.line, test.name, (message, fix, each.digest))


def _unheard(source: Source, read: TestFile) -> Iterator[Finding]:
    for line, name in read.swallowed:
        message = f"A failed assertion in `{name}` is caught and ignored here."
        yield _finding(source, SWALLOWED, line, name, (message, "Let the assertion fail.", ""))


def _skipped(source: Source, read: TestFile) -> Iterator[Finding]:
    for each in skips(source):
        name = next((test.name for test in read.tests if each.offset < test.end), "")
        if each.is_only:
            message = f"`{each.what}` runs alone: the other tests do not run."
            yield _finding(source, FOCUSED, each.line, name, (message, "Remove it before you finish.", each.what))
        else:
            message = f"`{name or 'what follows'}` is skipped or may fail: `{each.what}`."
            fix = "Fix the code, or the test, so that it runs."
            severity = Severity.WARNING if each.depends else Severity.ERROR
            evidence = each.what if IMPORT in each.what else ""
            yield _finding(source, SKIPPED, each.line, name, (message, fix, evidence), severity=severity)


def _unrun(source: Source) -> Iterator[Finding]:
    for each in scripts(source):
        if each.is_empty and TESTS.search(each.name):
            message = f"The script `{each.name}` runs no tests."
            yield _finding(
                source, RUNNER, each.line, f"script {each.name}", (message, "Let it run the tests.", source.path)
            )


def _overruled(source: Source) -> Iterator[Finding]:
    for each in runner_hooks(source):
        message = f"`{each.hook}` overrules the runner: {each.does}."
        fix = "Let failures count; name the tests that cannot run here, each with its reason."
        yield _finding(source, SWALLOWED, each.line, each.hook, (message, fix, each.does))


def _rewritten(source: Source) -> Iterator[Finding]:
    for each in entries(source):
        message = f"The recorded result `{each.name}` was rewritten."
        fix = "Check that the new result is correct, and not just what the code returns now."
        yield _finding(source, SNAPSHOT, each.line, each.name, (message, fix, each.digest), severity=Severity.WARNING)


def _finding(
    source: Source, rule: str, line: int, name: str, said: tuple[str, str, str], *, severity: Severity = Severity.ERROR
) -> Finding:
    message, fix, evidence = said
    told = f"{rule} {name} {evidence}"
    return Finding(ID, rule, Span(source.path, line), message, severity, symbol=name, evidence=told, fix=fix)


CHECK = Check(
    id=ID,
    summary="Tests that are gone, skipped, emptied or can no longer fail, compared with what was there before.",
    scope="JavaScript, TypeScript, TSX, Python, Go, Java, Rust, C#, PHP, Ruby",
    rules=_RULES,
    report=_report,
    plain=True,
    compares=True,
    on_lost_safeguard=find_lost_tests,
    in_tests=InTests.BLOCKS,
    compare_with_before=drop_new_tests,
    rank=60,
)
