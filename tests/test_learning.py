"""What the record says about rules, and what is proposed from it."""

from __future__ import annotations

import contextlib
import json
import time

import pytest

from fixtures import BAD, GOOD, Session
from vetgate.model import Override
from vetgate.service.statistics import learned, proposals
from vetgate.source.root import store_key
from vetgate.store import RecordedDecision, open_project_store

CYCLOMATIC = "complexity/cyclomatic"


def finding(rule, path, **more):
    told = {"id": rule, "path": path, "new": True, "advisory": False, "fingerprint": "0123456789abcdef"}
    return {**told, "gate": "code", **more}


def row(decision, path="a.py", *rules, session="s", overridden=""):
    body = {
        "decision": decision,
        "files": [path],
        "gates": [{"gate": "code", "status": "failed" if rules else "passed"}],
        "findings": [finding(rule, path) for rule in rules],
        "elapsed_ms": 4.0,
        "overridden": overridden,
    }
    return RecordedDecision("d1", 1.0, session, "before_edit", body)


def told_beside(decision):
    """A block for one rule, beside which another was told."""
    return RecordedDecision(
        "d1",
        1.0,
        "s",
        "before_edit",
        {
            "decision": decision,
            "files": ["a.py"],
            "findings": [finding("c/x", "a.py", blocks=True), finding("c/y", "a.py", blocks=False)],
        },
    )


def test_what_is_waived_is_not_fixed():
    allowed = RecordedDecision("d2", 2.0, "s", "before_edit", row("allow", "a.py").stored | {"findings": [ALLOWED]})
    (of_rule,) = learned([row("block", "a.py", "c/x"), waived("c/x", "a.py"), allowed]).rules
    assert (of_rule.blocked, of_rule.fixed, of_rule.waived) == (1, 0, 1)


@pytest.mark.parametrize(
    "more",
    [
        {"gates": [{"gate": "code", "status": "errored"}]},
        {"gates": [{"gate": "code", "status": "skipped"}]},
        {"gates": [{"gate": "test", "status": "passed"}]},
        {"gates": []},
        {"unchecked": [{"path": "a.py", "reason": "too large"}]},
    ],
    ids=["the check failed", "it was skipped", "another gate looked", "decided without the program", "beyond a limit"],
)
def test_what_nobody_looked_at_again_is_not_fixed(more):
    passed = RecordedDecision("d2", 2.0, "s", "before_edit", row("allow", "a.py").stored | more)
    (of_rule,) = learned([row("block", "a.py", "c/x"), passed]).rules
    assert (of_rule.blocked, of_rule.fixed) == (1, 0)
    (of_rule,) = learned([row("block", "a.py", "c/x"), passed, row("allow", "a.py")]).rules
    assert (of_rule.blocked, of_rule.fixed) == (1, 1)


def test_what_was_left_to_a_person_is_counted(session, call):
    store = session.app.project(session.root).store
    store.record(row("ask", "a.py", "c/x"))
    (of_rule,) = json.loads(call("stats", "--format", "json").out)["rules"]
    assert (of_rule["blocked"], of_rule["asked"]) == (1, 1)
    assert "asked" in call("stats").out


def test_what_was_only_told_beside_a_block_did_not_block():
    blocked, told = learned([told_beside("block")]).rules
    assert (blocked.rule, blocked.blocked, blocked.told) == ("c/x", 1, 0)
    assert (told.rule, told.blocked, told.told) == ("c/y", 0, 1)


def waived(what, glob, decision="waived"):
    return RecordedDecision("d2", 2.0, "", "waiver", {"decision": decision, "waiver": {"what": what, "glob": glob}})


def asking(rule):
    """A rule that leaves it to a person by itself."""
    return RecordedDecision(
        "d1", 1.0, "s", "before_command", {"decision": "ask", "findings": [finding(rule, "", asks=True)]}
    )


ALLOWED = finding("c/x", "a.py", blocks=False) | {"new": False, "excuse": "waived by t: it is fine"}
YES = RecordedDecision("d3", 2.0, "s", "after_edit", {"decision": "allow", "files": ["a.py"], "answers": "d1"})


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([row("block", "a.py", "c/x")], (1, 0, 0, 0), id="blocked"),
        pytest.param([row("block", "a.py", "c/x"), row("allow", "a.py")], (1, 1, 0, 0), id="blocked and fixed"),
        pytest.param([row("block", "a.py", "c/x"), row("allow", "b.py")], (1, 0, 0, 0), id="another file is no fix"),
        pytest.param([row("block", "a.py", "c/x"), row("allow", session="t")], (1, 0, 0, 0), id="another session"),
        pytest.param([row("block", "a.py", "c/x")] * 2 + [row("allow")], (2, 2, 0, 0), id="two attempts, one fix"),
        pytest.param(
            [row("block", "a.py", "c/x"), row("allow", "a.py", "c/x", overridden=Override.PERSON)],
            (1, 0, 1, 0),
            id="allowed once",
        ),
        pytest.param([row("ask", "a.py", "c/x"), row("warn", "a.py", "c/x")], (1, 0, 0, 0), id="told and still there"),
        pytest.param([row("ask", "a.py", "c/x"), YES], (1, 0, 1, 0), id="left to a person who said yes"),
        pytest.param([row("ask", "a.py", "c/x"), YES, YES], (1, 0, 1, 0), id="a yes counts once"),
        pytest.param([row("ask", "a.py", "c/x"), YES, row("allow")], (1, 0, 1, 0), id="what a person wanted is no fix"),
        pytest.param(
            [row("ask", "a.py", "c/x"), row("block", "a.py", "c/x"), YES, row("allow")],
            (2, 1, 1, 0),
            id="yes, then fixed",
        ),
        pytest.param([row("ask", "a.py", "c/x"), row("allow")], (1, 1, 0, 0), id="left to a person, and fixed"),
        pytest.param([row("block", "a.py", "c/x"), waived("c/x", "a.py")], (1, 0, 0, 1), id="waived by rule"),
        pytest.param(
            [row("block", "a.py", "c/x"), waived("0123456789abcdef", "a.py")], (1, 0, 0, 1), id="by fingerprint"
        ),
        pytest.param([row("block", "a.py", "c/x"), waived("c/x", "a.py", "taken back")], (1, 0, 0, 0), id="taken back"),
    ],
)
def test_figures_of_a_rule(rows, expected):
    (of_rule,) = learned(rows).rules
    assert (of_rule.blocked, of_rule.fixed, of_rule.overridden, of_rule.waived) == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([row("block", "a.py", "c/x"), row("allow")] * 20, [], id="always fixed"),
        pytest.param([row("block", "a.py", "c/x")] * 4, [], id="too few to tell"),
        pytest.param([row("block", "a.py", "c/x")] * 12, ["rules: {c/x: warning}"], id="nobody heeds it"),
        pytest.param(
            [row("block", "a.py", "c/x"), row("allow", "a.py", "c/x", overridden=Override.PERSON)] * 6,
            ["rules: {c/x: warning}"],
            id="let through every time",
        ),
        pytest.param(
            [
                row("block", "", "unsafe-command/publishes"),
                row("allow", "", "unsafe-command/publishes", overridden=Override.PERSON),
            ]
            * 6,
            ["commands: {effects: {publishes: ask}}"],
            id="a command that is let through every time",
        ),
        pytest.param(
            [asking("unsafe-command/unreadable"), YES] * 6,
            ["commands: {effects: {unreadable: allow}}"],
            id="a command that people are asked about and always let through",
        ),
        pytest.param(
            [row("block", "a.py", "secrets/token")] * 12, [], id="a secret is never demoted for being ignored"
        ),
        pytest.param(
            [waived("c/x", f"src/old/{name}.py") for name in "abc"],
            ["vetgate waive c/x --path 'src/old/**' --reason … --until …"],
            id="waivers that repeat in a folder",
        ),
        pytest.param([waived("c/x", f"src/old/{name}.py") for name in "ab"], [], id="two are no habit"),
    ],
)
def test_proposals(rows, expected):
    assert [each.change for each in proposals(learned(rows))] == expected


@pytest.fixture
def session(tmp_path, home, monkeypatch):
    made = Session(tmp_path)
    monkeypatch.setenv("VETGATE_STATE_DIR", str(made.state))
    made.trust("version: 1\n")
    return made


def test_from_a_real_session(session, call):
    session.write("a.py", BAD)
    session.write("a.py", GOOD)
    session.tool("Bash", command="rm -rf ~")
    session.app.project(session.root).store.grant(session.code("rm -rf ~"), 1e12)
    session.tool("Bash", command="rm -rf ~")
    said = json.loads(call("stats", "--format", "json").out)
    rules = {each["rule"]: each for each in said["rules"]}
    assert said["decisions"] == {"block": 2, "allow": 2}
    assert (rules[CYCLOMATIC]["blocked"], rules[CYCLOMATIC]["fixed"]) == (1, 1)
    command = rules["unsafe-command/deletes-files"]
    assert (command["blocked"], command["overridden"]) == (1, 1)
    text = call("stats").out
    assert "4 decisions in 1 session:" in text
    assert CYCLOMATIC in text
    assert call("tune").out.startswith("nothing to propose")
    assert call("tune", "--format", "json").out == "[]\n"


def test_decisions_outside_sessions(session, call):
    with contextlib.closing(open_project_store(session.state, store_key(session.root))) as store:
        store.record(RecordedDecision("d0011223344", time.time(), "", "review", {"decision": "allow"}))
    assert call("stats").out.startswith("1 decision: 1 allow\n")


def test_where_nothing_happened(session, call):
    assert call("stats").out.startswith("no decisions")
    assert json.loads(call("stats", "--format", "json").out)["rules"] == []


def asked(session, tool, **given):
    """What the agent was answered, and the call's own name."""
    session.calls += 1
    fields = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{session.calls}"}
    _, said = session.send("PreToolUse", **fields)
    return said["hookSpecificOutput"]["permissionDecision"], fields


@pytest.mark.parametrize("allowed", [True, False], ids=["a person allowed it", "nobody did"])
def test_an_edit_that_was_left_to_a_person(session, call, allowed):
    session.trust("version: 1\nretries: {max: 1}\n")
    session.write("a.py", BAD)
    reply, decision, _ = session.write("a.py", BAD)
    assert decision == "deny"
    if allowed:
        session.allow(reply)
        assert session.write("a.py", BAD)[1] is None
        session.landed("a.py")
    rules = {each["rule"]: each for each in json.loads(call("stats", "--format", "json").out)["rules"]}
    assert rules[CYCLOMATIC]["overridden"] == int(allowed)
    if allowed:
        assert "a person allowed this once" in call("log", "--format", "json").out


@pytest.mark.parametrize("after", ["PostToolUse", "PostToolUseFailure"])
def test_a_command_that_was_left_to_a_person(session, call, after):
    session.trust("version: 1\ncommands: {effects: {deletes-files: ask}}\n")
    decision, fields = asked(session, "Bash", command="rm -rf ~")
    assert decision == "ask"
    session.send(after, **fields)
    rules = {each["rule"]: each for each in json.loads(call("stats", "--format", "json").out)["rules"]}
    command = rules["unsafe-command/deletes-files"]
    assert (command["blocked"], command["overridden"]) == (1, 1)
