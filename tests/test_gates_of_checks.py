"""Gates of checks in their sequence: what they call, what calls them, and what they know by themselves."""

from __future__ import annotations

import pytest

from fixtures import BAD, GOOD
from secret_samples import chance
from test_gates_respond import CHECKS, COUNT, FAILS_ON_BAD, context, with_a_file


@pytest.fixture
def session(tmp_path):
    return with_a_file(tmp_path)


def test_before_an_edit_a_gate_of_checks_calls_another_only_when_it_should(session):
    gates = {"quick": {"checks": ["secrets"], "on_pass": "slow"}, "slow": CHECKS}
    session.configure(gates=gates, on={"before_edit": ["quick"]})
    _, decision, output = session.write("a.py", BAD)
    assert decision == "deny"
    assert "complexity/cyclomatic" in output["permissionDecisionReason"]
    secret = f'password = "{chance(24)}"\n'
    _, decision, output = session.write("a.py", f"{secret}{BAD}")
    assert decision == "deny"
    assert "complexity" not in output["permissionDecisionReason"]


TESTED = "from m import f\n\n\ndef test_f():\n    assert f(1) == 1\n\n\n"
LOST_TEST = "def test_g():\n    assert f(2) == 2\n"
SHAPE, TESTS = CHECKS, {"checks": ["weakened-test"]}
SEVERAL = {
    "one after the other": {"shape": SHAPE, "tests": TESTS},
    "the other way round": {"tests": TESTS, "shape": SHAPE},
    "one that calls the other": {"tests": {**TESTS, "on_pass": "shape"}, "shape": SHAPE},
    "rules of one check": {
        "values": {"checks": ["complexity/length"]},
        "shape": {"checks": ["complexity/cyclomatic"]},
        "tests": TESTS,
    },
    "one that knows all of it": {"tests": TESTS, "code": {"checks": ["weakened-test", "complexity"]}},
}


@pytest.mark.parametrize("gates", SEVERAL.values(), ids=SEVERAL)
@pytest.mark.parametrize("changed", [False, True], ids=["at first", "under another configuration"])
def test_each_gate_knows_by_itself_what_stood_in_a_file(session, gates, changed):
    session.put("test_x.py", TESTED + LOST_TEST)
    session.put("m.py", BAD)
    names = [name for name in gates if gates[name].get("checks") != ["complexity"] or "on_pass" not in str(gates)]
    listed = {"gates": gates, "on": {"before_edit": names, "stop": names}}
    session.configure(**listed)
    session.start()
    if changed:
        for name, text in (("m.py", BAD + GOOD), ("test_x.py", f"{TESTED}{LOST_TEST}\n")):
            assert session.write(name, text)[1] is None
            session.put(name, text)
        session.configure(**listed, complexity={"nesting": 9})
    assert session.write("m.py", BAD.replace("a += 3", "a += 4"))[1] is None, "it was like that"
    _, decision, output = session.write("test_x.py", TESTED)
    assert decision == "deny"
    assert "weakened-test/removed-test" in output["permissionDecisionReason"]
    assert session.write("n.py", BAD.replace("busy", "other").replace("+=", "-="))[1] == "deny"
    session.edited("m.py", BAD.replace("a += 3", "a += 4"))
    assert session.stop_reason() == ""


def test_a_clean_edit_asks_once_what_the_session_has_seen_of_the_file(session, monkeypatch):
    session.put("m.py", GOOD)
    session.configure(gates={"shape": SHAPE}, on={"before_edit": ["shape"]})
    session.write("m.py", GOOD + BAD.replace("12", "1"))
    store, asked = type(session.app.project(session.root).store), []
    seen = store.seen
    monkeypatch.setattr(store, "seen", lambda *words: asked.append(words) or seen(*words))
    monkeypatch.setattr(session.app, "flush", list)
    assert session.write("m.py", f"{GOOD}\n")[1] is None
    assert len(asked) == 1


def test_a_pass_of_checks_may_be_what_holds(session):
    session.configure(gates={"g": {**CHECKS, "on_pass": "BLOCK"}}, on={"before_edit": ["g"]})
    _, decision, output = session.write("a.py", GOOD)
    assert decision == "deny"
    assert "the gate 'g' passed, and here a pass is what holds you back" in output["permissionDecisionReason"]


def test_where_credentials_are_only_told_of_the_gates_of_the_edit_stand(session):
    gates = {"commands": {"checks": ["unsafe-command"], "on_fail": "CONTINUE"}}
    session.configure(gates=gates, commands={"sensitive": ["a.py"]})
    _, decision, output = session.write("a.py", f'password = "{chance(24)}"\n')
    assert decision == "deny"
    assert "secrets/" in output["permissionDecisionReason"]
    assert "unsafe-command/" in output["permissionDecisionReason"]


def test_why_a_command_is_held_is_said_also_where_a_tool_names_files_beside_it(session):
    session.configure(gates={"commands": {"checks": ["unsafe-command"], "on_pass": "BLOCK"}})
    _, decision, output = session.tool("mcp__x__run", command="ls", path=str(session.root / "a.txt"))
    assert decision == "deny"
    assert "the gate 'commands' passed, and here a pass is what holds you back" in output["permissionDecisionReason"]


@pytest.mark.parametrize(("when", "text", "runs"), [("on_fail", BAD, 1), ("on_fail", GOOD, 0), ("on_pass", GOOD, 1)])
def test_checks_call_a_command(session, when, text, runs):
    gates = {"g": {**CHECKS, when: "test"}, "test": {"command": f"{COUNT}; echo no; exit 1"}}
    session.configure(gates=gates, on={"before_edit": [], "stop": ["g"]})
    session.start()
    session.put("b.py", text)
    said = session.stop()
    assert session.count == runs
    assert ("Gate 'test' failed with exit status 1" in said.get("reason", "")) is bool(runs)


def test_what_checks_found_passes_with_the_command_that_they_call(session):
    gates = {"g": {**CHECKS, "on_fail": "test"}, "test": {"command": COUNT}}
    session.configure(gates=gates, on={"before_edit": [], "stop": ["g"]})
    session.start()
    session.put("b.py", BAD)
    said = session.stop()
    assert "decision" not in said
    assert session.count == 1


def test_what_checks_found_is_open_until_the_command_that_they_call_has_passed(session):
    gates = {"g": {**CHECKS, "on_fail": "test"}, "test": {"command": FAILS_ON_BAD}}
    session.configure(gates=gates, on={"before_edit": [], "stop": ["g"]})
    session.start()
    session.put("a.txt", "bad\n")
    session.put("b.py", BAD)
    assert "decision" not in session.stop(background_tasks=[{"id": "1", "type": "shell", "status": "running"}])
    said = [session.stop(stop_hook_active=active).get("decision") for active in (False, True)]
    assert said == ["block", "block"]
    session.put("a.txt", "good\n")
    assert "decision" not in session.stop()
    session.put("a.txt", "bad\n")
    assert "decision" not in session.stop(), "it has passed"


def test_what_is_called_and_listed_runs_once(session):
    gates = {"g": {**CHECKS, "on_fail": "test"}, "test": {"command": f"{COUNT}; exit 1", "on_fail": "CONTINUE"}}
    session.configure(gates=gates, on={"before_edit": [], "stop": ["g", "test"]})
    session.start()
    session.put("b.py", BAD)
    session.stop()
    assert session.count == 1


UNHEARD = {"the list is for others": {"agents": ["x"]}, "no program is run": {}}


@pytest.mark.parametrize("filters", UNHEARD.values(), ids=UNHEARD)
def test_where_nobody_runs_what_checks_call_they_hold_by_themselves(session, filters):
    session.app.runs_programs = bool(filters)
    gates = {"g": {**CHECKS, "on_fail": "test"}, "test": {"command": COUNT}}
    session.configure(gates=gates, on={"before_edit": [], "stop": {**filters, "gates": ["g"]}})
    session.start()
    session.edited("b.py", BAD)
    assert "complexity/cyclomatic" in session.stop_reason()
    assert session.count == 0


def test_after_another_tool_than_that_of_the_list_checks_hold_by_themselves(session):
    gates = {"g": {**CHECKS, "on_fail": "test"}, "test": {"command": COUNT}}
    session.configure(gates=gates, on={"before_edit": [], "after_edit": {"tools": ["Edit"], "gates": ["g"]}})
    session.start()
    assert "must be corrected" in context(session.edited("b.py", BAD))
    assert session.count == 0


def test_what_a_change_does_to_the_rest_of_the_project_calls_too(session):
    session.put("m.py", "def f(a):\n    return a\n")
    session.put("n.py", "from m import f\n\n\ndef g():\n    return f(1)\n")
    gates = {"g": {"checks": ["contracts"], "on_fail": "test"}, "test": {"command": "exit 1"}}
    session.configure(gates=gates, on={"before_edit": [], "stop": ["g"]})
    session.start()
    session.edited("m.py", "def f(a, b):\n    return a + b\n")
    assert ["Gate 'test' failed" in session.stop_reason() for _ in range(2)] == [True, True]


def test_checks_that_a_command_calls_know_of_files_that_are_gone(session):
    session.put("test_x.py", "from m import f\n\n\ndef test_f():\n    assert f(1) == 1\n")
    gates = {"g": {"checks": ["weakened-test"]}, "test": {"command": "true", "on_pass": "g"}}
    session.configure(gates=gates, on={"before_edit": ["g"], "stop": ["test"], "after_command": []})
    session.start()
    (session.root / "test_x.py").unlink()
    assert "Gate 'g' failed: weakened-test." in session.stop_reason()


@pytest.mark.parametrize(("text", "holds"), [(BAD, True), (GOOD, False)], ids=["it is tangled", "it is fine"])
def test_a_command_calls_checks(session, text, holds):
    gates = {"test": {"command": "exit 1", "on_fail": "g"}, "g": {**CHECKS, "description": "The shape"}}
    session.configure(gates=gates, on={"before_edit": [], "stop": ["test"]})
    session.start()
    session.edited("b.py", text)
    said = session.stop()
    assert (said.get("decision") == "block") is holds
    if holds:
        assert "Gate 'g' (The shape) failed: complexity." in said["reason"]
        assert "- b.py:1 busy: " in said["reason"]
