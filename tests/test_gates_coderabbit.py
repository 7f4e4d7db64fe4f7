"""CodeRabbit and other commands that may be missing: clean, found, skipped, limited and failed are told apart."""

from __future__ import annotations

import json
import os

import pytest

from secret_samples import chance
from vetgate.config.load import load
from vetgate.engine.decide import decided
from vetgate.gates.command import CommandRunner, missing_task
from vetgate.gates.parse.coderabbit import read_review
from vetgate.gates.process import CommandResult
from vetgate.gates.quota import Quota
from vetgate.model import Decision, Gate, SkipKind, Status
from vetgate.project import Project
from vetgate.severity import Severity

RULER = "=" * 76
PREAMBLE = "Starting CodeRabbit review in plain text mode...\n\nConnecting to review service\nSetting up\nReviewing\n\n"
PLAIN = f"""{PREAMBLE}{RULER}
File: src/rates.py
Line: 14 to 17
Type: potential_issue

Comment:
The rate limit exceeded error is swallowed.

Error: nobody sees it.

Proposed fix
-    pass
+    raise

Prompt for AI Agent:
In @src/rates.py around lines 14 - 17, raise the error.


{RULER}
File: src/load.js
Line: 3
Type: potential_issue

Comment:
Critical: eval() runs what a request says.

{RULER}
File: docs/a.md
Line: 9 to 9
Type: nitpick

Prompt for AI Agent:
In @docs/a.md around line 9, name the language of the block.

Review completed \u2714
"""


LIMIT = "Too many requests"


def events(*told):
    return "\n".join(json.dumps(each) for each in told)


STARTED = {"type": "review_context", "reviewType": "committed", "currentBranch": "x"}
FOUND = {
    "type": "finding",
    "severity": "major",
    "fileName": "a.go",
    "codegenInstructions": "In `@a.go` around lines 45 - 48, the map is nil when Save writes to it.",
    "suggestions": ["use make"],
}
DONE = {"type": "complete", "status": "review_completed", "findings": 1}


def test_blocks_of_plain_text_become_findings():
    told = read_review(PLAIN)
    assert [(each.path, each.line, each.end_line, each.severity, each.rule) for each in told.complaints] == [
        ("src/rates.py", 14, 17, Severity.WARNING, "potential_issue"),
        ("src/load.js", 3, 0, Severity.CRITICAL, "potential_issue"),
        ("docs/a.md", 9, 9, Severity.NOTE, "nitpick"),
    ]
    assert told.complaints[0].message == "The rate limit exceeded error is swallowed."
    assert told.complaints[0].fix.endswith("raise")
    assert told.complaints[2].message.startswith("In @docs/a.md around line 9")
    assert told.is_complete
    assert told.error == "", "what a finding says of errors and limits is about the code"


@pytest.mark.parametrize(
    ("fields", "severity"),
    [
        ("Type: potential_issue\nSeverity: major", Severity.ERROR),
        ("Severity: Critical\nType: bug", Severity.CRITICAL),
        ("Type: refactor_suggestion", Severity.NOTE),
        ("Type: Refactor suggestion | Minor", Severity.NOTE),
        ("Type: something_new", Severity.WARNING),
    ],
)
def test_severities_of_plain_text(fields, severity):
    (found,) = read_review(f"{RULER}\nFile: a.py\nLines: 1 - 2\n{fields}\n\nComment:\nIt is wrong.\n").complaints
    assert (found.severity, found.line, found.end_line) == (severity, 1, 2)


def test_events_of_the_agent_mode_become_findings():
    told = read_review(f"{events(STARTED, {'type': 'heartbeat'})}\nnot json\n{events(FOUND, DONE)}")
    (found,) = told.complaints
    assert (found.path, found.line, found.end_line, found.severity) == ("a.go", 45, 48, Severity.ERROR)
    assert found.fix == "use make"
    assert told.is_complete
    assert told.count == 1


CONFIG = """version: 1
gates:
  rabbit: {command: "coderabbit review --plain", parse: coderabbit, quota: 2/hour, timeout: 20}
  lint: {command: "%s", timeout: 20}
on: {review: [rabbit, lint]}
"""


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "vetgate.yaml").write_text(CONFIG % "true")
    return Project(root, tmp_path / "state")


def config_of(project, text=""):
    if text:
        (project.root / "vetgate.yaml").write_text(text)
    return load(project.root / "vetgate.yaml")


def rabbit(project, script):
    """A program of that name on the PATH, which says what the vendor's would."""
    folder = project.root.parent / "bin"
    folder.mkdir(exist_ok=True)
    program = folder / "coderabbit"
    program.write_text(f"#!/bin/sh\necho run >> {folder}/runs\n{script}\n")
    program.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(project.root)}


def said(text, status=0):
    return f"cat <<'END'\n{text}\nEND\nexit {status}"


def outcome_of(project, script=None, *, gate="rabbit", **keys):
    given = rabbit(project, script) if script is not None else {"PATH": "/nowhere:/bin:/usr/bin"}
    config = config_of(project)
    runner = CommandRunner(project, given, 60.0, files=("a.py",), skips_missing=True, **keys)
    outcome = runner.run(config.gates[gate])
    return outcome, decided((outcome,), config)


def test_findings_decide_although_it_ends_with_0(project):
    outcome, decision = outcome_of(project, said(PLAIN))
    assert (outcome.status, len(outcome.findings), outcome.exit_status) == (Status.FAILED, 3, 0)
    assert decision is Decision.BLOCK, "a critical one blocks"
    outcome, decision = outcome_of(project, said(events(STARTED, FOUND, DONE)))
    assert (outcome.status, decision) == (Status.FAILED, Decision.WARN), "a major one warns"


def test_from_which_severity_on_findings_block_can_be_set(project):
    text = (CONFIG % "true").replace("parse: coderabbit", "parse: coderabbit, block_at: error")
    config_of(project, text)
    assert outcome_of(project, said(events(STARTED, FOUND, DONE)))[1] is Decision.BLOCK
    config_of(project, text.replace("block_at: error", "on_fail: CONTINUE"))
    assert outcome_of(project, said(PLAIN))[1] is Decision.WARN


def test_clean_is_what_says_that_it_reviewed_and_found_nothing(project):
    outcome, decision = outcome_of(project, said(f"{PREAMBLE}\nReview completed \u2714"))
    assert (outcome.status, outcome.skip, decision) == (Status.PASSED, None, Decision.ALLOW)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (f"{PREAMBLE}[2026-01-25T22:29:41.623Z] \u274c Error: Rate limit exceeded, please try after 3 minutes", 1),
        (f"{PREAMBLE}Rate limit exceeded, please try after 3 minutes", 0),
        (events(STARTED, {"type": "error", "errorType": "rate_limit", "metadata": {"waitTime": "3 minutes"}}), 0),
        (events(STARTED, {"type": "status", "status": "error", "message": f"{LIMIT}, try again in 3 minutes"}), 1),
    ],
)  # fmt: skip
def test_under_a_limit_it_is_limited_and_waits_for_as_long_as_the_vendor_says(project, text, status):
    outcome, decision = outcome_of(project, said(text, status))
    assert (outcome.status, outcome.skip, decision) == (Status.SKIPPED, SkipKind.LIMITED, Decision.WARN)
    assert outcome.evidence.startswith("limited: coderabbit says its rate limit is reached, next at ")
    usage = Quota(project.state_dir, "coderabbit", 2).usage()
    assert 175 < usage.until - usage.noted < 185
    again, _ = outcome_of(project, said(PLAIN))
    assert again.skip is SkipKind.LIMITED
    assert (project.root.parent / "bin/runs").read_text().count("run") == 1, "the second one did not run"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (said("", 0), "without saying that it has reviewed"),
        (said(f"{PREAMBLE}Error: not authenticated", 2), "not authenticated"),
        (said(events(STARTED, {"type": "error", "message": "review service unavailable"})), "service unavailable"),
        (said(events(STARTED, {"type": "complete", "status": "review_failed", "findings": 0, "message": "no"})), "no"),
        (said(events(STARTED, DONE)), "1 findings, and none of them could be read"),
        ("kill -9 $$", "ended with status"),
        ("exec sleep 60", "did not end within"),
    ],
)
def test_an_error_a_crash_and_a_timeout_are_no_answer_and_never_clean(project, script, reason):
    if "sleep" in script:
        config_of(project, (CONFIG % "true").replace("timeout: 20", "timeout: 1"))
    outcome, decision = outcome_of(project, script)
    assert (outcome.status, outcome.skip, decision) == (Status.SKIPPED, SkipKind.UNANSWERED, Decision.WARN)
    assert outcome.evidence.startswith("no answer: ")
    assert reason in outcome.evidence


def test_nothing_to_review_is_neither_clean_nor_told(project):
    outcome, decision = outcome_of(project, said(f"{PREAMBLE}No files to review"))
    assert (outcome.skip, decision) == (SkipKind.NOTHING_TO_DO, Decision.ALLOW)


def test_a_program_that_is_not_there_is_missing_and_uses_nothing_of_the_quota(project):
    outcome, decision = outcome_of(project)
    assert (outcome.status, outcome.skip, decision) == (Status.SKIPPED, SkipKind.MISSING, Decision.WARN)
    assert outcome.evidence == "missing: coderabbit was not found"
    assert Quota(project.state_dir, "coderabbit", 2).usage().runs == ()


def test_a_quota_that_is_used_up_is_named_and_nothing_runs(project):
    for _ in range(2):
        outcome_of(project, said(f"{PREAMBLE}Review completed"))
    outcome, decision = outcome_of(project, said(PLAIN))
    assert (outcome.status, outcome.skip, decision) == (Status.SKIPPED, SkipKind.LIMITED, Decision.WARN)
    assert outcome.evidence.startswith("limited: 2 of 2 runs used in the last hour, next at ")
    assert (project.root.parent / "bin/runs").read_text().count("run") == 2


def test_secrets_that_it_quotes_are_hidden(project):
    token = "ghp_" + chance(36)
    text = f"{RULER}\nFile: a.py\nLine: 1\nType: potential_issue\n\nComment:\nThe token {token} is in the code.\n"
    outcome, _ = outcome_of(project, said(text))
    assert token not in outcome.findings[0].message
    assert token not in outcome.output


SCRIPTS = [
    ("npm run lint", 'npm error Missing script: "lint"\nnpm error\nnpm error To see a list of scripts, run:'),
    ("npm run lint", "npm ERR! missing script: lint"),
    ("pnpm run lint", " ERR_PNPM_NO_SCRIPT  Missing script: lint"),
    ("pnpm lint", ' ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command "lint" not found'),
    ("yarn lint", 'error Command "lint" not found.'),
    ("yarn run lint", 'Usage Error: Couldn\'t find a script named "lint".'),
    ("bun run lint", 'error: Script not found "lint"'),
    ("make lint", "make: *** No rule to make target 'lint'.  Stop."),
    ("make", "make: *** No targets specified and no makefile found.  Stop."),
    ("just lint", "error: Justfile does not contain recipe `lint`"),
    ("mise run lint", "mise ERROR no task lint found"),
    ("tox -e lint", "ROOT: HandledError| provided environments not found in configuration file: 'lint'"),
    ("nox -s lint", "Error while collecting sessions: Sessions not found: lint"),
    ("cargo clippy", "error: no such command: `clippy`"),
    ("poetry run lint", "Command not found: lint"),
    ("python3 -m ruff check", "/usr/bin/python3: No module named ruff"),
]


@pytest.mark.parametrize(("command", "printed"), SCRIPTS)
def test_a_script_that_its_runner_does_not_know_is_missing(tmp_path, command, printed):
    assert missing_task(command, CommandResult(1, printed.encode()), tmp_path)
    assert not missing_task("pytest -q", CommandResult(1, printed.encode()), tmp_path), "another program prints that"
    assert not missing_task(command, CommandResult(1, printed.replace("lint", "x1").encode()), tmp_path) or (
        "lint" not in printed
    )
    assert not missing_task(command, CommandResult(0, printed.encode()), tmp_path)


def test_a_script_that_is_there_is_not_missing_whatever_it_prints(tmp_path):
    (tmp_path / "package.json").write_text('{"scripts": {"lint": "node lint.js"}}')
    assert not missing_task("npm run lint", CommandResult(1, b'npm error Missing script: "lint"'), tmp_path)


def test_in_a_review_it_is_skipped_and_elsewhere_it_fails_as_ever(project):
    (project.root / "Makefile").write_text("build:\n\ttrue\n")
    config_of(project, CONFIG % "make lint")
    outcome, decision = outcome_of(project, gate="lint")
    assert (outcome.skip, decision) == (SkipKind.MISSING, Decision.WARN)
    assert outcome.evidence == "missing: make knows no lint"
    runner = CommandRunner(project, dict(os.environ), 60.0, files=("a.py",))
    assert runner.run(Gate("lint", (), command="make lint")).status is Status.FAILED


def test_in_a_review_a_program_that_is_not_there_is_skipped(project):
    config_of(project, CONFIG % "no-such-linter .")
    outcome, _ = outcome_of(project, gate="lint")
    assert (outcome.status, outcome.skip) == (Status.SKIPPED, SkipKind.MISSING)
    runner = CommandRunner(project, dict(os.environ), 60.0, files=("a.py",))
    elsewhere = runner.run(Gate("lint", (), command="no-such-linter ."))
    assert (elsewhere.status, elsewhere.skip) == (Status.ERRORED, None)
