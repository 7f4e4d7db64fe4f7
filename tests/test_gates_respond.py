"""Gates with commands as an agent meets them: told, held back so many times, ended, or not asked at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from hashlib import sha256

import pytest

from vetgate.app import App
from vetgate.gates.agent_runs import DELAY
from vetgate.gates.command_kinds import kind_of
from vetgate.gates.evidence import claims_tests_pass
from vetgate.source.git_tree import content
from vetgate.source.shell.own_status import own_commands

COUNT = "echo ran >> ../runs"
FAILS_ON_BAD = f"{COUNT}; if grep -q bad a.txt; then echo 'a.txt is bad'; exit 1; fi"


class Desk:
    """A trusted project with gates, and a session in it."""

    def __init__(self, folder):
        self.root = folder / "project"
        self.root.mkdir()
        self.runs = folder / "runs"
        self.git("init", "-q")
        self.app = App(folder / "state")
        self.id = "s"
        self.calls = 0
        self.put("a.txt", "fine\n")

    def git(self, *words):
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        subprocess.run(["git", *identity, *words], cwd=self.root, check=True, capture_output=True)

    def put(self, name, text):
        (self.root / name).write_text(text)

    def trust(self, **content):
        text = json.dumps({"version": 1, **content})
        self.put("vetgate.yaml", text)
        self.app.project(self.root).store.set_trusted(sha256(text.encode()).hexdigest(), text)
        self.git("add", ".")
        self.git("commit", "-qm", "x")

    def send(self, event, **fields):
        self.calls += 1
        payload = {"session_id": self.id, "cwd": str(self.root), "hook_event_name": event, "n": self.calls, **fields}
        reply = self.app.answer("claude-code", json.dumps(payload).encode(), str(self.root), seconds=60)
        self.app.flush()
        assert reply.status == 0
        return json.loads(reply.stdout) if reply.stdout else {}

    def start(self):
        return self.send("SessionStart", source="startup")

    def stop(self, **fields):
        return self.send("Stop", **fields)

    def edited(self, name, text, tool="Write"):
        self.put(name, text)
        given = {"file_path": str(self.root / name), "content": text}
        return self.send("PostToolUse", tool_name=tool, tool_input=given, tool_response={})

    def ran(self, command, status=0, took=1, **response):
        event = "PostToolUse" if status == 0 else "PostToolUseFailure"
        fields = {"tool_response": {"stdout": "", **response}} if status == 0 else {"error": f"Exit code {status}\nno"}
        given = {"command": command}
        return self.send(event, tool_name="Bash", tool_input=given, duration_ms=took, **fields)

    @property
    def count(self):
        return len(self.runs.read_text().split()) if self.runs.exists() else 0


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


def context(said):
    return said.get("hookSpecificOutput", {}).get("additionalContext", "")


OPENINGS = {
    "a pass that blocks says so": (
        {"command": "true", "on_pass": "BLOCK"},
        "Gate 'g' passed: `true`. Here a pass is what holds you back.",
    ),
    "a signal is named": ({"command": "kill -9 $$"}, "Gate 'g' failed, ended by signal 9: `kill -9 $$`."),
}


@pytest.mark.parametrize(("gate", "said"), OPENINGS.values(), ids=OPENINGS)
def test_why_it_is_held_back(desk, gate, said):
    desk.trust(gates={"g": gate}, on={"stop": ["g"]})
    desk.start()
    desk.put("a.txt", "x\n")
    assert desk.stop()["reason"] == said


def test_a_failing_gate_holds_the_end_with_its_output_until_it_is_mended(desk):
    desk.trust(gates={"test": {"command": FAILS_ON_BAD, "description": "All of it"}}, on={"stop": ["test"]})
    desk.start()
    desk.put("a.txt", "bad\n")
    said = desk.stop()
    assert said["decision"] == "block"
    assert "Gate 'test' (All of it) failed with exit status 1" in said["reason"]
    assert "a.txt is bad" in said["reason"]
    desk.put("a.txt", "good\n")
    assert desk.stop(stop_hook_active=True) == {}
    assert desk.count == 2


def test_a_session_that_changes_nothing_is_not_held_to_gates(desk):
    desk.trust(gates={"test": {"command": f"{COUNT}; exit 1"}}, on={"stop": ["test"]})
    desk.start()
    assert desk.stop() == {}
    assert desk.count == 0


def test_an_edit_waits_until_the_first_content_of_the_session_is_known(desk):
    desk.trust(gates={"test": {"command": FAILS_ON_BAD}}, on={"stop": ["test"]})
    payload = {"session_id": desk.id, "cwd": str(desk.root), "hook_event_name": "SessionStart", "source": "startup"}
    desk.app.answer("claude-code", json.dumps(payload).encode(), str(desk.root), seconds=60)

    def edits():
        given = {"file_path": str(desk.root / "a.txt"), "content": "bad\n"}
        payload = {"session_id": desk.id, "cwd": str(desk.root), "hook_event_name": "PreToolUse", "tool_name": "Write"}
        desk.app.answer(
            "claude-code", json.dumps({**payload, "tool_input": given}).encode(), str(desk.root), seconds=60
        )
        desk.put("a.txt", "bad\n")

    agent = threading.Thread(target=edits)
    agent.start()
    agent.join(0.3)
    assert agent.is_alive()
    desk.app.flush()
    agent.join(20)
    desk.app.flush()
    assert desk.stop()["decision"] == "block"


def test_what_passed_on_the_same_content_is_not_run_again(desk):
    desk.trust(gates={"test": {"command": COUNT}}, on={"stop": ["test"]})
    desk.start()
    desk.put("a.txt", "other\n")
    assert desk.stop() == {}
    assert desk.stop() == {}
    assert desk.count == 1
    desk.git("add", ".")
    desk.git("commit", "-qm", "committing is no change of content")
    assert desk.stop() == {}
    assert desk.count == 1
    desk.put("a.txt", "another\n")
    assert desk.stop() == {}
    assert desk.count == 2


def test_the_same_failure_holds_so_many_times_and_the_last_is_announced(desk):
    desk.trust(gates={"test": {"command": "exit 1", "rounds": 2}}, on={"stop": ["test"]})
    desk.start()
    desk.put("a.txt", "x\n")
    said = [desk.stop(stop_hook_active=number > 0) for number in range(4)]
    assert [each.get("decision") for each in said] == ["block", "block", None, None]
    assert "last of 2 times" not in said[0]["reason"]
    assert "last of 2 times" in said[1]["reason"]
    assert "stands aside" in said[2]["systemMessage"]
    assert desk.stop(stop_hook_active=False)["decision"] == "block", "the next turn is another row"


def test_the_next_turn_is_another_row_for_a_gate_that_another_calls(desk):
    gates = {"check": {"command": "true", "on_pass": "test"}, "test": {"command": "exit 1", "rounds": 1}}
    desk.trust(gates=gates, on={"stop": ["check"]})
    desk.start()
    desk.put("a.txt", "x\n")
    said = [desk.stop(stop_hook_active=active).get("decision") for active in (False, True, False)]
    assert said == ["block", None, "block"]


def test_a_pass_in_between_ends_the_row_although_another_gate_has_something_to_say(desk):
    gates = {"odd": {"command": "exit 1", "on_fail": "CONTINUE"}, "test": {"command": FAILS_ON_BAD, "rounds": 2}}
    desk.trust(gates=gates, on={"stop": ["odd", "test"]})
    desk.start()
    said = []
    for text in ("bad 1\n", "good\n", "bad 2\n", "bad 3\n"):
        desk.put("a.txt", text)
        said.append(desk.stop(stop_hook_active=bool(said)))
    assert [each.get("decision") for each in said] == ["block", None, "block", "block"]
    assert ["last of 2 times" in each.get("reason", "") for each in said] == [False, False, False, True]


def test_without_a_daemon_what_takes_too_long_is_ended_and_that_is_said(desk):
    desk.trust(gates={"test": {"command": "echo $$ > ../runs; exec sleep 600"}}, on={"stop": ["test"]})
    desk.start()
    desk.put("a.txt", "x\n")
    payload = {"session_id": desk.id, "cwd": str(desk.root), "hook_event_name": "Stop"}
    reply = desk.app.answer("claude-code", json.dumps(payload).encode(), str(desk.root), seconds=2)
    said = json.loads(reply.stdout)
    assert "decision" not in said
    assert "was ended with all its children; it may take longer, which needs the daemon" in said["systemMessage"]
    with pytest.raises(ProcessLookupError):
        os.kill(int(desk.runs.read_text()), 0)


def test_nothing_is_said_while_something_runs_in_the_background(desk):
    desk.trust(gates={"test": {"command": "exit 1"}}, on={"stop": ["test"]})
    desk.start()
    desk.put("a.txt", "x\n")
    assert desk.stop(background_tasks=[{"id": "1"}]) == {}
    assert desk.stop(background_tasks=[])["decision"] == "block"


def test_stop_ends_the_run(desk):
    desk.trust(gates={"scan": {"command": "echo found; exit 1", "on_fail": "STOP"}}, on={"stop": ["scan"]})
    desk.start()
    desk.put("a.txt", "x\n")
    said = desk.stop()
    assert said["continue"] is False
    assert "found" in said["stopReason"]


def test_a_failure_that_continues_is_passed_on_as_context_once(desk):
    gates = {"check": {"command": "echo odd; exit 1", "on_fail": "CONTINUE"}}
    desk.trust(gates=gates, on={"stop": ["check"], "after_edit": ["check"]})
    desk.start()
    after = desk.edited("a.txt", "x\n")
    assert "odd" in context(after)
    assert "decision" not in after
    said = desk.stop()
    assert "odd" in context(said)
    assert "decision" not in said
    assert context(desk.stop()) == ""


FILTERS = {
    "the tool that is named": ({"tools": ["Edit", "Write"]}, {}, True),
    "another tool": ({"tools": ["Edit"]}, {}, False),
    "a glob": ({"tools": ["W*"]}, {}, True),
    "part of a name is no match": ({"tools": ["Writ"]}, {}, False),
    "the agent that is named": ({"agents": ["rust-engineer"]}, {"agent_type": "rust-engineer"}, True),
    "another agent": ({"agents": ["rust-engineer"]}, {"agent_type": "go-engineer"}, False),
    "an agent by a glob": ({"agents": ["*-engineer"]}, {"agent_type": "go-engineer"}, True),
    "the main agent is none of them": ({"agents": ["*-engineer"]}, {}, False),
}


@pytest.mark.parametrize(("filters", "fields", "runs"), FILTERS.values(), ids=FILTERS)
def test_filters_take_exact_names_and_globs(desk, filters, fields, runs):
    desk.trust(gates={"g": {"command": COUNT}}, on={"after_edit": {**filters, "gates": ["g"]}})
    desk.put("a.txt", "x\n")
    given = {"file_path": str(desk.root / "a.txt"), "content": "x\n"}
    desk.send("PostToolUse", tool_name="Write", tool_input=given, tool_response={}, **fields)
    assert desk.count == int(runs)


def test_a_subagent_is_held_back_at_its_own_end(desk):
    on = {"subagent_stop": {"agents": ["rust-engineer"], "gates": ["test"]}}
    desk.trust(gates={"test": {"command": FAILS_ON_BAD}}, on=on)
    desk.start()
    desk.put("a.txt", "bad\n")
    assert desk.send("SubagentStop", agent_id="1", agent_type="explorer") == {}
    said = desk.send("SubagentStop", agent_id="2", agent_type="rust-engineer")
    assert said["decision"] == "block"
    assert "a.txt is bad" in said["reason"]
    assert desk.stop() == {}


def test_an_edit_s_gate_gets_the_files_of_the_edit(desk):
    desk.trust(gates={"format": {"command": "echo seen {files}; exit 1"}}, on={"after_edit": ["format"]})
    assert "seen a b.txt" in context(desk.edited("a b.txt", "x\n"))


def test_at_the_end_a_gate_gets_all_that_differs(desk):
    desk.trust(gates={"format": {"command": "echo seen {files}; exit 1"}}, on={"stop": ["format"]})
    desk.start()
    desk.put("new.txt", "x\n")
    desk.put("a.txt", "y\n")
    assert "seen a.txt new.txt" in desk.stop()["reason"]


def test_at_a_prompt_a_block_keeps_it_from_the_model_and_a_machine_s_prompt_asks_nobody(desk):
    desk.trust(gates={"ready": {"command": f"{COUNT}; echo not ready; exit 1"}}, on={"prompt": ["ready"]})
    said = desk.send("UserPromptSubmit", prompt="do it")
    assert said["decision"] == "block"
    assert "not ready" in said["reason"]
    assert desk.send("UserPromptSubmit", prompt="<task-notification>done</task-notification>") == {}
    assert desk.count == 1


def test_at_the_start_of_a_session_the_output_is_context(desk):
    desk.trust(gates={"setup": {"command": "echo no dependencies; exit 1"}}, on={"session_start": ["setup"]})
    assert "no dependencies" in context(desk.start())


def test_the_start_says_which_gates_stand_here(desk):
    gates = {"test": {"command": "make test", "description": "All of it"}, "lint": {"command": "make lint"}}
    gates["hello"] = {"command": "deploy --password=hunter2xyz9Q"}
    listening = {"stop": ["test"], "after_edit": {"tools": ["Write"], "gates": ["lint"]}, "prompt": ["hello"]}
    desk.trust(gates=gates, on=listening)
    said = context(desk.start())
    assert "test (`make test`)" in said
    assert "lint (`make lint`)" in said
    assert "with every prompt: hello (`deploy --password=" in said
    assert "hunter2" not in said


def test_a_stranger_s_gates_run_nothing(desk):
    text = {"version": 1, "gates": {"g": {"command": COUNT}}, "on": {"stop": ["g"], "after_edit": ["g"]}}
    desk.put("vetgate.yaml", json.dumps(text))
    assert "gates.g.command is new" in context(desk.start())
    desk.edited("a.txt", "x\n")
    desk.stop()
    assert desk.count == 0


def test_the_checks_come_first_and_spare_the_commands(desk):
    desk.trust(gates={"g": {"command": COUNT}}, on={"stop": ["code", "g"]})
    desk.start()
    tangled = "def f(a):\n" + "".join(f"{'    ' * n}if a > {n}:\n" for n in range(1, 13)) + "    " * 13 + "return 1\n"
    desk.put("b.py", tangled)
    said = desk.stop()
    assert said["decision"] == "block"
    assert "complexity" in said["reason"]
    assert desk.count == 0


def test_a_command_that_is_not_there_is_told_and_holds_nobody(desk):
    desk.trust(gates={"g": {"command": "no-such-program-here"}}, on={"stop": ["g"]})
    desk.start()
    desk.put("a.txt", "x\n")
    said = desk.stop()
    assert "decision" not in said
    assert "could not run" in said["systemMessage"]


def test_a_chain_and_a_group_in_a_project(desk):
    gates = {
        "format": {"command": "echo format >> ../runs", "on_pass": "check", "on_fail": "STOP"},
        "check": {"command": "echo check >> ../runs"},
        "test": {"command": "echo test >> ../runs"},
    }
    desk.trust(gates=gates, on={"stop": ["format", ["test"]]})
    desk.start()
    desk.put("a.txt", "x\n")
    assert desk.stop() == {}
    assert desk.runs.read_text().split() == ["format", "check", "test"]


def test_a_decision_is_written_down(desk):
    desk.trust(gates={"test": {"command": "exit 1"}}, on={"stop": ["test"]})
    desk.start()
    desk.put("a.txt", "x\n")
    desk.stop()
    row = desk.app.project(desk.root).store.decisions(1)[0]
    assert row.body["decision"] == "block"
    assert [(gate["gate"], gate["status"]) for gate in row.body["gates"]] == [("test", "failed")]


# The agent's own runs as evidence.


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


def test_what_the_agent_ran_itself_is_not_run_again(desk):
    desk.trust(gates={"test": {"command": "sh check.sh"}}, on={"stop": ["test"]})
    desk.put("check.sh", COUNT)
    desk.start()
    desk.put("a.txt", "x\n")
    aged(desk)
    desk.ran("sh check.sh")
    assert desk.stop() == {}
    assert desk.count == 0


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
def test_what_says_nothing_about_the_gate_is_no_evidence(desk, command, response):
    desk.trust(gates={"test": {"command": "sh check.sh"}}, on={"stop": ["test"]})
    desk.put("check.sh", COUNT)
    desk.start()
    desk.put("a.txt", "x\n")
    aged(desk)
    desk.ran(command, **response)
    desk.stop()
    assert desk.count == 1


def test_a_run_during_which_files_changed_is_no_evidence(desk):
    desk.trust(gates={"test": {"command": "sh check.sh"}}, on={"stop": ["test"]})
    desk.put("check.sh", COUNT)
    desk.start()
    desk.put("a.txt", "x\n")
    desk.ran("sh check.sh", took=60_000)  # as the file's time shows, it was written while that ran
    desk.stop()
    assert desk.count == 1


def test_a_failure_of_the_agent_s_own_run_is_no_pass(desk):
    desk.trust(gates={"test": {"command": "sh check.sh"}}, on={"stop": ["test"]})
    desk.put("check.sh", COUNT)
    desk.start()
    desk.put("a.txt", "x\n")
    aged(desk)
    desk.ran("sh check.sh", status=1)
    desk.stop()
    assert desk.count == 1


def aged(desk):
    """Wait until the clock for files has moved on, so that what follows is later than what was written."""
    tree = desk.app.project(desk.root).tree
    while tree.changed(time.time_ns() - 2 * DELAY).paths:
        pass


def settled(file):
    """The clock of the file system is coarser than ours."""
    while time.time_ns() < file.stat().st_ctime_ns + 50_000_000:
        pass


@pytest.mark.parametrize(("meanwhile", "runs"), [(False, 0), (True, 1)], ids=["nothing changed", "a file changed"])
def test_a_command_that_was_seen_to_begin_is_followed_from_there(desk, meanwhile, runs):
    desk.app.project(desk.root).tree.watch()
    desk.trust(gates={"test": {"command": "sh check.sh"}}, on={"stop": ["test"]})
    desk.put("check.sh", COUNT)
    desk.start()
    desk.put("a.txt", "x\n")
    settled(desk.root / "a.txt")
    desk.send("PreToolUse", tool_name="Bash", tool_input={"command": "sh check.sh"}, tool_use_id="t1")
    if meanwhile:
        desk.put("a.txt", "y\n")
    given = {"tool_input": {"command": "sh check.sh"}, "tool_response": {"stdout": ""}, "duration_ms": 60_000}
    desk.send("PostToolUse", tool_name="Bash", tool_use_id="t1", **given)
    desk.stop()
    assert desk.count == runs


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


def test_a_claim_without_evidence_is_answered_once(desk):
    desk.trust(gates={"test": {"command": "sh check.sh"}})
    desk.put("check.sh", COUNT)
    desk.start()
    desk.put("a.txt", "x\n")
    said = desk.stop(last_assistant_message="Done. All tests pass.")
    assert said["decision"] == "block"
    assert "Run `sh check.sh`" in said["reason"]
    assert desk.stop(last_assistant_message="Done. All tests pass.") == {}


def test_a_claim_with_evidence_is_believed(desk):
    desk.trust(gates={"test": {"command": "make test"}})
    desk.start()
    desk.put("a.txt", "x\n")
    aged(desk)
    desk.ran("pytest tests/test_a.py")
    assert desk.stop(last_assistant_message="All tests pass.") == {}


def test_tests_that_passed_just_now_are_evidence_whatever_they_leave_behind(desk):
    desk.trust(gates={"test": {"command": f"{COUNT}; date +%N > left-behind"}}, on={"stop": ["test"]})
    desk.start()
    desk.put("a.txt", "x\n")
    assert desk.stop(last_assistant_message="All tests pass.") == {}
    assert desk.count == 1


# The name of a content.


def test_the_content_of_a_tree_has_the_name_that_a_commit_gives_it(desk):
    desk.put("new.txt", "n\n")
    before = sorted(path for path in (desk.root / ".git").rglob("*"))
    named = content(desk.root, 10)
    assert sorted(path for path in (desk.root / ".git").rglob("*")) == before, "the repository is left alone"
    desk.git("add", ".")
    desk.git("commit", "-qm", "x")
    asked = subprocess.run(
        ["git", "rev-parse", "HEAD^{tree}"], cwd=desk.root, check=True, capture_output=True, text=True
    )
    assert named.id == asked.stdout.strip()
    assert named.names == ("a.txt", "new.txt")
    assert content(desk.root, 10).id == named.id
    (desk.root / ".gitignore").write_text("*.log\n")
    with_ignore = content(desk.root, 10).id
    desk.put("x.log", "l\n")
    assert content(desk.root, 10).id == with_ignore


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_what_git_is_told_not_to_look_at_counts_all_the_same(desk, flag):
    desk.git("add", ".")
    desk.git("commit", "-qm", "x")
    before = content(desk.root, 10)
    desk.git("update-index", flag, "a.txt")
    assert content(desk.root, 10).id == before.id
    desk.put("a.txt", "other\n")
    hidden = content(desk.root, 10)
    desk.git("update-index", flag.replace("--", "--no-"), "a.txt")
    assert hidden == content(desk.root, 10) != before


def test_without_git_there_is_no_name(tmp_path):
    assert content(tmp_path, 10) is None


def test_a_linked_work_tree_has_a_content_of_its_own(desk, tmp_path):
    desk.git("add", ".")
    desk.git("commit", "-qm", "x")
    desk.git("worktree", "add", "-q", str(tmp_path / "linked"))
    assert content(tmp_path / "linked", 10) == content(desk.root, 10)
    (tmp_path / "linked" / "a.txt").write_text("other\n")
    assert content(tmp_path / "linked", 10).id != content(desk.root, 10).id


def test_a_suite_that_runs_already_is_joined(desk, tmp_path):
    """Two processes at once: the second waits for the first, and takes its word."""
    waits = f"{COUNT}; touch ../started; while [ ! -e ../go ]; do :; done"
    desk.trust(gates={"test": {"command": waits}}, on={"stop": ["test"]})
    desk.start()
    desk.put("a.txt", "x\n")
    payload = json.dumps({"session_id": "t", "cwd": str(desk.root), "hook_event_name": "Stop"})
    script = (
        "import sys; from pathlib import Path; from vetgate.app import App; "
        f"print(App(Path({str(tmp_path / 'state')!r})).answer('claude-code', sys.stdin.buffer.read(), '/', seconds=60))"
    )
    first, second = (
        subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ)
        for _ in range(2)
    )
    for process in (first, second):
        process.stdin.write(payload.encode())
        process.stdin.close()
    while not (tmp_path / "started").exists():
        pass
    locks = list((tmp_path / "state").rglob("gate-*.lock"))
    assert locks
    (tmp_path / "go").touch()
    for process in (first, second):
        assert b"stdout=b''" in process.stdout.read()
        process.wait(60)
        process.stdout.close()
    assert desk.count == 1


def test_a_pass_over_the_files_of_one_edit_says_nothing_about_the_others(desk):
    lint = {"command": f"{COUNT}; ! grep -H bad {{files}}"}
    desk.trust(gates={"lint": lint}, on={"after_edit": ["lint"], "stop": ["lint"]})
    desk.start()
    assert "a.txt:bad" in context(desk.edited("a.txt", "bad\n"))
    assert context(desk.edited("b.txt", "fine\n")) == ""
    assert "a.txt:bad" in desk.stop()["reason"]
    assert desk.count == 3


def test_a_run_over_the_files_of_the_environment_says_nothing_about_others(desk):
    lint = {"command": f"{COUNT}; ! grep -H bad $VETGATE_FILES"}
    desk.trust(gates={"lint": lint}, on={"after_edit": ["lint"], "stop": ["lint"]})
    desk.start()
    desk.edited("a.txt", "bad\n")
    assert context(desk.edited("b.txt", "fine\n")) == ""
    assert "a.txt:bad" in desk.stop()["reason"]


def test_of_two_edits_that_leave_the_same_content_each_is_looked_at(desk):
    desk.trust(gates={"lint": {"command": "! grep -H bad {files}"}}, on={"after_edit": ["lint"]})
    desk.start()
    desk.put("b.txt", "bad\n")
    assert context(desk.edited("a.txt", "fine\n")) == ""
    assert "b.txt:bad" in context(desk.edited("b.txt", "bad\n"))


def test_what_the_session_commits_has_changed_all_the_same(desk):
    desk.trust(gates={"lint": {"command": "echo seen {files}; exit 1"}}, on={"stop": ["lint"]})
    desk.start()
    desk.put("new.txt", "x\n")
    desk.git("add", ".")
    later = {**os.environ, "GIT_COMMITTER_DATE": f"{int(time.time()) + 5} +0000"}
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *identity, "commit", "-qm", "mine"], cwd=desk.root, check=True, env=later)
    assert desk.stop()["reason"].endswith("seen new.txt")


def test_only_tests_that_what_changed_affects_are_run(desk):
    for name in ("one", "two"):
        desk.put(f"{name}.py", "def f():\n    return 1\n")
        desk.put(f"test_{name}.py", f"from {name} import f\n\n\ndef test_it():\n    assert f() == 1\n")
    command = f"{sys.executable} -m pytest -q -p no:cacheprovider"
    desk.trust(gates={"test": {"command": command, "scope": "changed"}}, on={"stop": ["test"]})
    desk.start()
    desk.put("two.py", "def f():\n    return 2\n")
    said = desk.stop()["reason"]
    assert "1 failed, 0 passed, 0 skipped (pytest)" in said
    assert "- test_two.py:5 test_it" in said


def test_before_an_edit_a_gate_that_ends_the_run_also_denies(desk):
    desk.trust(gates={"code": {"on_fail": "STOP"}})
    desk.start()
    tangled = "def f(a):\n" + "".join(f"{'    ' * n}if a > {n}:\n" for n in range(1, 13)) + "    " * 13 + "return 1\n"
    given = {"file_path": str(desk.root / "b.py"), "content": tangled}
    event = {"session_id": "s", "cwd": str(desk.root), "hook_event_name": "PreToolUse", "tool_name": "Write"}
    payload = json.dumps({**event, "tool_input": given}).encode()
    reply = desk.app.answer("claude-code", payload, str(desk.root), seconds=60)
    said = json.loads(reply.stdout)
    assert reply.status == 2
    assert said["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert said["continue"] is False


def test_what_was_written_beside_and_renamed_before_a_command_says_nothing_about_it(desk):
    """As clients write: the name that is gone by the end was gone when the command began."""
    desk.app.stays = True
    desk.trust(gates={"test": {"command": "sh check.sh"}}, on={"stop": ["test"]})
    desk.put("check.sh", f"{COUNT}\n")
    desk.start()
    desk.put("a.txt.tmp", "other\n")
    (desk.root / "a.txt.tmp").rename(desk.root / "a.txt")
    own = {"tool_name": "Bash", "tool_input": {"command": "sh check.sh"}, "tool_use_id": "t1"}
    time.sleep(0.02)  # beyond the tick of the kernel's clock for files
    desk.send("PreToolUse", **own)
    desk.send("PostToolUse", **own, tool_response={"stdout": ""}, duration_ms=1)
    assert desk.stop() == {}
    assert desk.count == 0
    desk.app.project(desk.root).tree.close()
