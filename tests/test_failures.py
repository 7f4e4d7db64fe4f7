"""Failures of our own: of which kind, what follows, what a person is told; and code that does not parse yet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from test_app import BAD, GOOD, Session
from test_gates_respond import Desk
from vetgate.cli.log_line import line
from vetgate.config.load import defaults
from vetgate.engine.failing import advice, fallback, told
from vetgate.failure import ADVICE, ANSWERS, FALLBACKS, category_of
from vetgate.model import Decision, Outcome, Status, Unchecked

HALF = "def fine(a):\n    return (a +\n\n\ndef other(:\n"


@pytest.fixture
def session(tmp_path):
    session = Session(tmp_path)
    session.put("a.py", GOOD)
    session.commit()
    return session


def test_the_table_is_whole():
    assert FALLBACKS.keys() == ADVICE.keys() == defaults().on_failure.keys()
    assert set(FALLBACKS.values()) <= set(ANSWERS)
    assert defaults().on_failure == FALLBACKS


@pytest.mark.parametrize(
    ("reason", "category"),
    [
        ("lines 3-9: the time for this check ran out", "timeout"),
        ("time did not suffice to look for secrets in all of it", "timeout"),
        ("what stood in it before could not be looked at", "timeout"),
        ("2,400,000 bytes, and files above 1,000,000 bytes are not parsed", "timeout"),
        ("larger than 20 MiB", "timeout"),
        ("cannot be read: Permission denied", "filesystem"),
        ("a symbolic link", "filesystem"),
        ("its content is not in this clone", "filesystem"),
        ("binary", "parse"),
        ("not a readable notebook", "parse"),
        ("it holds NUL characters, so it is not source code", "parse"),
    ],
)
def test_what_is_not_checked_is_of_a_kind(reason, category):
    assert category_of(reason) == category
    (said,) = told((), (Unchecked("a.py", reason),))
    assert said.startswith(f"Not checked by vetgate: a.py: {reason} ({category}). ")
    assert said.endswith(advice(category))


CRASHED = Outcome("code", Status.ERRORED, error="complexity: ValueError: x", failed_checks=("complexity",))
UNREAD = Outcome("code", Status.PASSED, unchecked=(Unchecked("a.py", "cannot be read: x"),))


@pytest.mark.parametrize(
    ("outcome", "category"), [(CRASHED, "analysis"), (UNREAD, "filesystem")], ids=["a crash", "a closed file"]
)
@pytest.mark.parametrize(
    ("answer", "decision"), [("allow", Decision.ALLOW), ("ask", Decision.ASK), ("deny", Decision.BLOCK)]
)
def test_what_follows_is_configured(outcome, category, answer, decision):
    assert fallback([outcome], {**FALLBACKS, category: answer}) is decision
    other = dict.fromkeys(FALLBACKS, "deny") | {category: "allow"}
    assert fallback([outcome], other) is Decision.ALLOW


def crash(*_):
    raise RuntimeError("no")


@pytest.mark.parametrize(("answer", "decision"), [("allow", None), ("ask", "ask"), ("deny", "deny")])
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


@pytest.mark.parametrize(("answer", "decision"), [("allow", None), ("ask", "ask"), ("deny", "deny")])
def test_a_broken_configuration(session, answer, decision):
    session.trust(f"version: 1\non_failure: {{config: {answer}}}\n")
    assert session.write("a.py", GOOD + "x = 1\n")[1] is None
    session.put("vetgate.yaml", "version: [\n")
    _, said, output = session.write("a.py", GOOD + "x = 2\n")
    assert said == decision
    assert decision is None or "mend vetgate.yaml" in output["permissionDecisionReason"]
    recorded = session.app.project(session.root).store.decisions(1)[0].body["decision"]
    assert recorded == {None: "allow", "ask": "ask", "deny": "block"}[decision]


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
def test_a_command_of_a_gate_that_cannot_be_run(tmp_path, answer, decision):
    desk = Desk(tmp_path)
    gates = {"g": {"command": "no-such-program-here", "on_error": "open"}}
    desk.trust(gates=gates, on={"stop": ["g"]}, on_failure={"test": answer})
    desk.start()
    desk.put("a.txt", "x\n")
    said = desk.stop()
    assert said.get("decision") == decision
    if decision is None:
        assert said["systemMessage"].startswith("vetgate: g could not run (the command was not found")
        assert said["systemMessage"].endswith(advice("test"))
    else:
        assert "Gate 'g' could not run: the command was not found" in said["reason"]
    assert "stop    gate g errored  " in line(desk.app.project(desk.root).store.decisions(1)[0])
