"""The agent's own runs as evidence, and its word that the tests pass."""

from __future__ import annotations

import time

import pytest

from test_gates_respond import COUNT, with_a_file
from vetgate.gates.command_kinds import kind_of
from vetgate.gates.evidence import DELAY, claims_tests_pass
from vetgate.source.shell.own_status import own_commands


@pytest.fixture
def session(tmp_path):
    return with_a_file(tmp_path)


OWN = {
    "alone": ("make test", True, ["make test"]),
    "in a folder": ("cd src && make test", True, ["make test"]),
    "after another": ("make lint && make test", True, ["make lint", "make test"]),
    "with its output in a file": ("make test > out.txt 2>&1", True, ["make test"]),
    "in a pipe": ("make test | tail", True, []),
    "whatever it says": ("make test || true", True, []),
    "before another": ("make test; true", True, []),
    "in the background": ("make test &", True, []),
    "turned around": ("! make test", True, []),
    "two lines": ("make test\ntrue", True, []),
    "a subshell": ("(make test)", True, []),
    "a condition": ("if make test; then true; fi", True, []),
    "other programs first": ("PATH=/tmp make test", True, []),
    "a variable": ("make $WHAT", True, []),
    "what another says": ("make $(echo test)", True, []),
    "several, one failed": ("make lint && make test", False, []),
    "one, failed": ("cd x && make test", False, ["make test"]),
    "unreadable": ("make 'test", True, []),
    "never reached": ("exit 0 && make test", True, []),
    "another in its place": ("exec true && make test", True, []),
    "other programs from here on": ("export PATH=/tmp && make test", True, []),
    "another under its name": ("hash -p /bin/true make && make test", True, []),
    "a status of its own making": ("trap 'exit 0' EXIT && make test", True, []),
    "a folder that nobody knows": ("cd - && make test", True, []),
    "a folder from a stack": ("pushd x && make test", True, []),
    "a script in this shell": (". ./x && make test", True, []),
    "the project's own programs": ("source .venv/bin/activate && make test", True, ["make test"]),
    "nothing": ("", True, []),
}


@pytest.mark.parametrize(("text", "passed", "expected"), OWN.values(), ids=OWN)
def test_whose_exit_status_it_is(text, passed, expected):
    assert [" ".join(own.words) for own in own_commands(text, passed=passed)] == expected


PLACES = {
    "cd a && make test": ["a"],
    "cd a && cd b && make test": ["a/b"],
    "cd /a && cd . && make test": ["/a/."],
    "cd a && make lint && cd ../b && make test": ["a", "a/../b"],
    "make lint && cd /a && make test": ["", "/a"],
    "cd ~ && make test": ["~"],
}


@pytest.mark.parametrize(("text", "places"), PLACES.items())
def test_in_which_folder_it_ran(text, places):
    assert [own.cwd for own in own_commands(text, passed=True)] == places


KINDS = {
    "pytest -q": "test",
    "python -m pytest tests": "test",
    "/p/.venv/bin/pytest": "test",
    "uv run pytest": "test",
    "npm test": "test",
    "npm run test:unit": "test",
    "pnpm lint": "lint",
    "npx jest": "test",
    "go test ./...": "test",
    "cargo test": "test",
    "make test": "test",
    "mise run test": "test",
    "ruff check .": "lint",
    "npx tsc --noEmit": "types",
    "cargo build": "build",
    "pytest --version": "",
    "pytest --collect-only -q": "",
    "npm install": "",
    "git commit -m test": "",
    "ls": "",
    "": "",
}


@pytest.mark.parametrize(("command", "kind"), KINDS.items())
def test_what_a_command_is_for(command, kind):
    assert kind_of(command.split()) == kind


def test_what_the_agent_ran_itself_is_not_run_again(session):
    session.configure(gates={"test": {"command": "sh check.sh"}}, on={"stop": ["test"]})
    session.put("check.sh", COUNT)
    session.start()
    session.put("a.txt", "x\n")
    aged(session)
    session.ran("sh check.sh")
    assert session.stop() == {}
    assert session.count == 0


NO_EVIDENCE = {
    "a pipe": ("sh check.sh | tail", {}),
    "whatever it says": ("sh check.sh || true", {}),
    "in the background": ("sh check.sh", {"backgroundTaskId": "b1"}),
    "interrupted": ("sh check.sh", {"interrupted": True}),
    "another folder": ("cd sub && sh check.sh", {}),
    "another folder later": ("true && cd / && sh check.sh", {}),
    "the home of nobody": ("cd ~nobody-of-this-name && sh check.sh", {}),
    "other words": ("sh check.sh --fast", {}),
}


@pytest.mark.parametrize(("command", "response"), NO_EVIDENCE.values(), ids=NO_EVIDENCE)
def test_what_says_nothing_about_the_gate_is_no_evidence(session, command, response):
    session.configure(gates={"test": {"command": "sh check.sh"}}, on={"stop": ["test"]})
    session.put("check.sh", COUNT)
    session.start()
    session.put("a.txt", "x\n")
    aged(session)
    session.ran(command, **response)
    session.stop()
    assert session.count == 1


def test_a_run_during_which_files_changed_is_no_evidence(session):
    session.configure(gates={"test": {"command": "sh check.sh"}}, on={"stop": ["test"]})
    session.put("check.sh", COUNT)
    session.start()
    session.put("a.txt", "x\n")
    session.ran("sh check.sh", took=60_000)  # as the file's time shows, it was written while that ran
    session.stop()
    assert session.count == 1


def test_a_failure_of_the_agent_s_own_run_is_no_pass(session):
    session.configure(gates={"test": {"command": "sh check.sh"}}, on={"stop": ["test"]})
    session.put("check.sh", COUNT)
    session.start()
    session.put("a.txt", "x\n")
    aged(session)
    session.ran("sh check.sh", status=1)
    session.stop()
    assert session.count == 1


def aged(session):
    """Wait until the clock for files has moved on, so that what follows is later than what was written."""
    tree = session.app.project(session.root).tree
    while tree.changed(time.time_ns() - 2 * DELAY).paths:
        pass


def settled(file):
    """The clock of the file system is coarser than ours."""
    while time.time_ns() < file.stat().st_ctime_ns + 50_000_000:
        pass


@pytest.mark.parametrize(("meanwhile", "runs"), [(False, 0), (True, 1)], ids=["nothing changed", "a file changed"])
def test_a_command_that_was_seen_to_begin_is_followed_from_there(session, meanwhile, runs):
    session.app.project(session.root).tree.watch()
    session.configure(gates={"test": {"command": "sh check.sh"}}, on={"stop": ["test"]})
    session.put("check.sh", COUNT)
    session.start()
    session.put("a.txt", "x\n")
    settled(session.root / "a.txt")
    session.said("PreToolUse", tool_name="Bash", tool_input={"command": "sh check.sh"}, tool_use_id="t1")
    if meanwhile:
        session.put("a.txt", "y\n")
    given = {"tool_input": {"command": "sh check.sh"}, "tool_response": {"stdout": ""}, "duration_ms": 60_000}
    session.said("PostToolUse", tool_name="Bash", tool_use_id="t1", **given)
    session.stop()
    assert session.count == runs


CLAIMS = {
    "All tests pass now.": True,
    "The test suite passes.": True,
    "I fixed it. 12 tests passed.": True,
    "I ran the tests and everything is fine.": True,
    "Both unit tests are passing": True,
    "The tests should pass now.": False,
    "I could not run the tests.": False,
    "The tests don't pass yet.": False,
    "Two tests still fail, the other tests pass.": False,
    "Do you want me to make sure the tests pass?": False,
    "```\nall tests pass\n```": False,
    "I have added a test for that.": False,
    "This test passes a value to the function.": True,  # not worth a parser: it is asked once
    "": False,
}


@pytest.mark.parametrize(("message", "claims"), CLAIMS.items())
def test_what_counts_as_a_claim(message, claims):
    assert claims_tests_pass(message) is claims


def test_a_claim_without_evidence_is_answered_once(session):
    session.configure(gates={"test": {"command": "sh check.sh"}})
    session.put("check.sh", COUNT)
    session.start()
    session.put("a.txt", "x\n")
    said = session.stop(last_assistant_message="Done. All tests pass.")
    assert said["decision"] == "block"
    assert "Run `sh check.sh`" in said["reason"]
    assert session.stop(last_assistant_message="Done. All tests pass.") == {}


def test_a_claim_with_evidence_is_believed(session):
    session.configure(gates={"test": {"command": "make test"}})
    session.start()
    session.put("a.txt", "x\n")
    aged(session)
    session.ran("pytest tests/test_a.py")
    assert session.stop(last_assistant_message="All tests pass.") == {}


def test_tests_that_passed_just_now_are_evidence_whatever_they_leave_behind(session):
    session.configure(gates={"test": {"command": f"{COUNT}; date +%N > left-behind"}}, on={"stop": ["test"]})
    session.start()
    session.put("a.txt", "x\n")
    assert session.stop(last_assistant_message="All tests pass.") == {}
    assert session.count == 1
