"""Failures of our own: of which kind, what follows, what a person is told; and code that does not parse yet."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fixtures import BAD, GOOD, Session
from vetgate.cli.decision import line
from vetgate.config.load import defaults
from vetgate.engine.decide import FAILURES, fallback
from vetgate.failure import ADVICE, ANSWERS, FALLBACKS, advice
from vetgate.model import Decision, FailureKind, Outcome, Status, Unchecked, UncheckedKind
from vetgate.respond.correction import failure_notes

HALF = "def fine(a):\n    return (a +\n\n\ndef other(:\n"


@pytest.fixture
def session(tmp_path):
    session = Session(tmp_path)
    session.put("a.py", GOOD)
    session.commit()
    return session


def test_the_table_is_whole():
    assert FALLBACKS.keys() == ADVICE.keys() == defaults().on_failure.keys() == set(FailureKind)
    assert set(FALLBACKS.values()) <= set(ANSWERS)
    assert defaults().on_failure == FALLBACKS
    assert FAILURES.keys() == set(UncheckedKind)


@pytest.mark.parametrize(
    ("kind", "failure"),
    [
        (UncheckedKind.UNREADABLE, FailureKind.FILESYSTEM),
        (UncheckedKind.DANGLING_LINK, FailureKind.FILESYSTEM),
        (UncheckedKind.TOO_LARGE, FailureKind.TIMEOUT),
        (UncheckedKind.NOT_PARSED, FailureKind.TIMEOUT),
        (UncheckedKind.UNFINISHED, FailureKind.TIMEOUT),
        (UncheckedKind.NOT_CODE, FailureKind.PARSE),
        (UncheckedKind.OTHER, FailureKind.PARSE),
    ],
)
def test_what_is_not_checked_is_of_a_kind_whatever_its_words(kind, failure):
    reason = "the time cannot be read, larger than a link"
    unchecked = (Unchecked("a.py", kind, reason),)
    (said,) = failure_notes((), unchecked, {})
    assert said == f"Not checked by vetgate: a.py: {reason} ({failure}). {advice(failure)}"
    others = replace(defaults(), on_failure=dict.fromkeys(FALLBACKS, "deny") | {failure: "allow"})
    assert fallback(Outcome("code", Status.PASSED, unchecked=unchecked), others) is Decision.ALLOW


def test_an_edit_that_does_not_fit_is_no_failure_of_the_file():
    (said,) = failure_notes((), (Unchecked("a.py", UncheckedKind.MISFIT, "the edit does not fit the file: x"),), {})
    assert said.endswith("x. Read the file again, then make the edit fit it.")


@pytest.mark.parametrize("kernel", ["time R", "link", "larger than R"])
def test_what_a_notebook_calls_its_kernel_is_no_reason(session, kernel):
    notebook = {"cells": [], "metadata": {"kernelspec": {"language": kernel}}}
    _, decision, output = session.write("a.ipynb", json.dumps(notebook))
    assert decision == "deny"  # nobody has searched it for secrets
    assert f"a.ipynb: a notebook in {kernel.lower()} (parse). " in output["permissionDecisionReason"]


CRASHED = Outcome("code", Status.ERRORED, error="complexity: ValueError: x", failed_checks=("complexity",))
UNREAD = Outcome("code", Status.PASSED, unchecked=(Unchecked("a.py", UncheckedKind.UNREADABLE, "cannot be read: x"),))


@pytest.mark.parametrize(
    ("outcome", "category"), [(CRASHED, "analysis"), (UNREAD, "filesystem")], ids=["a crash", "a closed file"]
)
@pytest.mark.parametrize(
    ("answer", "decision"), [("allow", Decision.ALLOW), ("ask", Decision.ASK), ("deny", Decision.BLOCK)]
)
def test_what_follows_is_configured(outcome, category, answer, decision):
    assert fallback(outcome, replace(defaults(), on_failure={**FALLBACKS, category: answer})) is decision
    other = replace(defaults(), on_failure=dict.fromkeys(FALLBACKS, "deny") | {category: "allow"})
    assert fallback(outcome, other) is Decision.ALLOW


def crash(*_):
    raise RuntimeError("no")


@pytest.mark.parametrize(("answer", "decision"), [("allow", None), ("ask", "deny"), ("deny", "deny")])
def test_a_check_that_crashes(session, monkeypatch, answer, decision):
    session.trust(f"version: 1\non_failure: {{analysis: {answer}}}\n")
    broken = replace(session.app._analyzer.checks["complexity"], report=crash)
    monkeypatch.setitem(session.app._analyzer.checks, "complexity", broken)
    _, said = session.send("PreToolUse", tool_name="Write", tool_input={"file_path": "a.py", "content": GOOD + "\n"})
    output = said["hookSpecificOutput"]
    assert output.get("permissionDecision") == decision
    assert "complexity: RuntimeError" in str(output)
    assert "this is a bug of vetgate" in str(output)
    assert said["systemMessage"].startswith("Not checked by vetgate: gate code: complexity")


def test_a_check_that_fails_closed_cannot_be_opened(session, monkeypatch):
    session.trust("version: 1\non_failure: {analysis: allow}\n")
    broken = replace(session.app._analyzer.checks["secrets"], report=crash)
    monkeypatch.setitem(session.app._analyzer.checks, "secrets", broken)
    assert session.write("a.py", GOOD + "\n")[1] == "deny"


@pytest.mark.parametrize(("answer", "decision"), [("allow", None), ("ask", "deny"), ("deny", "deny")])
def test_a_broken_configuration(session, answer, decision):
    session.trust(f"version: 1\non_failure: {{config: {answer}}}\n")
    assert session.write("a.py", GOOD + "x = 1\n")[1] is None
    session.put("vetgate.yaml", "version: [\n")
    _, said, output = session.write("a.py", GOOD + "x = 2\n")
    assert said == decision
    assert decision is None or "fix vetgate.yaml" in output["permissionDecisionReason"]
    recorded = session.app.project(session.root).store.decisions(1)[0].stored["decision"]
    assert recorded == {None: "allow", "deny": "block"}[decision]


def test_half_written_code_is_told_once_and_not_punished(session):
    _, decision, output = session.write("a.py", HALF)
    assert decision is None
    assert "a.py does not parse from line" in output["additionalContext"]
    assert session.write("a.py", HALF + "\n")[2] == {}


def test_code_that_did_not_parse_before_is_not_told_again(session):
    session.put("b.py", HALF)
    assert session.edit("b.py", "fine", "good")[2] == {}


def test_what_else_is_wrong_with_half_written_code_still_counts(session):
    assert session.write("a.py", BAD + HALF)[1] == "deny"


@pytest.mark.parametrize(
    ("answer", "decision"), [("allow", None), ("ask", None), ("deny", "block")], ids=["allowed", "asked", "denied"]
)
def test_a_command_of_a_gate_that_cannot_be_run(session, answer, decision):
    gates = {"g": {"command": "no-such-program-here", "on_error": "open"}}
    session.configure(gates=gates, on={"stop": ["g"]}, on_failure={"test": answer})
    session.start()
    session.put("a.txt", "x\n")
    said = session.stop()
    assert said.get("decision") == decision
    if decision is None:
        assert said["systemMessage"].startswith("vetgate: g could not run (the command was not found")
        assert said["systemMessage"].endswith(advice(FailureKind.TEST))
    else:
        assert "Gate 'g' could not run: the command was not found" in said["reason"]
    assert "stop    gate g errored  " in line(session.app.project(session.root).store.decisions(1)[0])
