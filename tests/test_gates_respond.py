"""Gates with commands as an agent meets them: told, held back so many times, ended, or not asked at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time

import pytest

from fixtures import BAD, Session, wait_for_tick
from vetgate.source.git_tree import content

COUNT = "echo ran >> ../runs"
FAILS_ON_BAD = f"{COUNT}; if grep -q bad a.txt; then echo 'a.txt is bad'; exit 1; fi"
CHECKS = {"checks": ["complexity"]}


def with_a_file(folder):
    made = Session(folder)
    made.put("a.txt", "fine\n")
    return made


@pytest.fixture
def session(tmp_path):
    return with_a_file(tmp_path)


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
def test_why_it_is_held_back(session, gate, said):
    session.configure(gates={"g": gate}, on={"stop": ["g"]})
    session.start()
    session.put("a.txt", "x\n")
    assert session.stop()["reason"] == said


def test_a_failing_gate_holds_the_end_with_its_output_until_it_is_fixed(session):
    session.configure(gates={"test": {"command": FAILS_ON_BAD, "description": "All of it"}}, on={"stop": ["test"]})
    session.start()
    session.put("a.txt", "bad\n")
    said = session.stop()
    assert said["decision"] == "block"
    assert "Gate 'test' (All of it) failed with exit status 1" in said["reason"]
    assert "a.txt is bad" in said["reason"]
    session.put("a.txt", "good\n")
    assert session.stop(stop_hook_active=True) == {}
    assert session.count == 2


def test_a_session_that_changes_nothing_is_not_held_to_gates(session):
    session.configure(gates={"test": {"command": f"{COUNT}; exit 1"}}, on={"stop": ["test"]})
    session.start()
    assert session.stop() == {}
    assert session.count == 0


def test_an_edit_waits_until_the_first_content_of_the_session_is_known(session):
    session.configure(gates={"test": {"command": FAILS_ON_BAD}}, on={"stop": ["test"]})
    payload = {
        "session_id": session.id,
        "cwd": str(session.root),
        "hook_event_name": "SessionStart",
        "source": "startup",
    }
    session.app.answer("claude-code", json.dumps(payload).encode(), str(session.root), seconds=60)

    def edits():
        given = {"file_path": str(session.root / "a.txt"), "content": "bad\n"}
        payload = {
            "session_id": session.id,
            "cwd": str(session.root),
            "hook_event_name": "PreToolUse",
            "tool_name": "Write",
        }
        session.app.answer(
            "claude-code", json.dumps({**payload, "tool_input": given}).encode(), str(session.root), seconds=60
        )
        session.put("a.txt", "bad\n")

    agent = threading.Thread(target=edits)
    agent.start()
    agent.join(0.3)
    assert agent.is_alive()
    session.app.flush()
    agent.join(20)
    session.app.flush()
    assert session.stop()["decision"] == "block"


def test_what_passed_on_the_same_content_is_not_run_again(session):
    session.configure(gates={"test": {"command": COUNT}}, on={"stop": ["test"]})
    session.start()
    session.put("a.txt", "other\n")
    assert session.stop() == {}
    assert session.stop() == {}
    assert session.count == 1
    session.git("add", ".")
    session.git("commit", "-qm", "committing is no change of content")
    assert session.stop() == {}
    assert session.count == 1
    session.put("a.txt", "another\n")
    assert session.stop() == {}
    assert session.count == 2


def test_the_same_failure_holds_so_many_times_and_the_last_is_announced(session):
    session.configure(gates={"test": {"command": "exit 1", "rounds": 2}}, on={"stop": ["test"]})
    session.start()
    session.put("a.txt", "x\n")
    said = [session.stop(stop_hook_active=number > 0) for number in range(4)]
    assert [each.get("decision") for each in said] == ["block", "block", None, None]
    assert "last of 2 times" not in said[0]["reason"]
    assert "last of 2 times" in said[1]["reason"]
    assert "no longer holds it" in said[2]["systemMessage"]
    assert session.stop(stop_hook_active=False)["decision"] == "block", "the next turn is another row"


def test_the_next_turn_is_another_row_for_a_gate_that_another_calls(session):
    gates = {"check": {"command": "true", "on_pass": "test"}, "test": {"command": "exit 1", "rounds": 1}}
    session.configure(gates=gates, on={"stop": ["check"]})
    session.start()
    session.put("a.txt", "x\n")
    said = [session.stop(stop_hook_active=active).get("decision") for active in (False, True, False)]
    assert said == ["block", None, "block"]


def test_a_pass_in_between_ends_the_row_although_another_gate_has_something_to_say(session):
    gates = {"odd": {"command": "exit 1", "on_fail": "CONTINUE"}, "test": {"command": FAILS_ON_BAD, "rounds": 2}}
    session.configure(gates=gates, on={"stop": ["odd", "test"]})
    session.start()
    said = []
    for text in ("bad 1\n", "good\n", "bad 2\n", "bad 3\n"):
        session.put("a.txt", text)
        said.append(session.stop(stop_hook_active=bool(said)))
    assert [each.get("decision") for each in said] == ["block", None, "block", "block"]
    assert ["last of 2 times" in each.get("reason", "") for each in said] == [False, False, False, True]


def test_without_a_daemon_what_takes_too_long_is_ended_and_that_is_said(session):
    session.configure(gates={"test": {"command": "echo $$ > ../runs; exec sleep 600"}}, on={"stop": ["test"]})
    session.start()
    session.put("a.txt", "x\n")
    payload = {"session_id": session.id, "cwd": str(session.root), "hook_event_name": "Stop"}
    reply = session.app.answer("claude-code", json.dumps(payload).encode(), str(session.root), seconds=2)
    said = json.loads(reply.stdout)
    assert "decision" not in said
    assert "was ended with all its children; it may take longer only with the daemon" in said["systemMessage"]
    with pytest.raises(ProcessLookupError):
        os.kill(int(session.runs.read_text()), 0)


def test_nothing_is_said_while_something_runs_in_the_background(session):
    session.configure(gates={"test": {"command": "exit 1"}}, on={"stop": ["test"]})
    session.start()
    session.put("a.txt", "x\n")
    assert session.stop(background_tasks=[{"id": "1"}]) == {}
    assert session.stop(background_tasks=[])["decision"] == "block"


def test_stop_ends_the_run(session):
    session.configure(gates={"scan": {"command": "echo found; exit 1", "on_fail": "STOP"}}, on={"stop": ["scan"]})
    session.start()
    session.put("a.txt", "x\n")
    said = session.stop()
    assert said["continue"] is False
    assert "found" in said["stopReason"]


def test_a_failure_that_continues_is_passed_on_as_context_once(session):
    gates = {"check": {"command": "echo odd; exit 1", "on_fail": "CONTINUE"}}
    session.configure(gates=gates, on={"stop": ["check"], "after_edit": ["check"]})
    session.start()
    after = session.edited("a.txt", "x\n")
    assert "odd" in context(after)
    assert "decision" not in after
    said = session.stop()
    assert said == {"systemMessage": "vetgate: check failed"}
    assert context(session.stop()) == ""
    assert "odd" in context(session.said("UserPromptSubmit", prompt="go on"))
    assert context(session.said("UserPromptSubmit", prompt="go on")) == ""


def test_what_a_repair_put_right_does_not_keep_an_agent_going(session):
    gates = {
        "check": {"command": "test -e fixed", "on_fail": "repair"},
        "repair": {"command": "touch fixed"},
    }
    session.configure(gates=gates, on={"stop": ["check"]})
    session.start()
    session.edited("a.txt", "x\n")
    said = session.stop()
    assert "hookSpecificOutput" not in said
    assert "decision" not in said
    assert "check" in context(session.said("UserPromptSubmit", prompt="go on"))


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
def test_filters_take_exact_names_and_globs(session, filters, fields, runs):
    session.configure(gates={"g": {"command": COUNT}}, on={"after_edit": {**filters, "gates": ["g"]}})
    session.put("a.txt", "x\n")
    given = {"file_path": str(session.root / "a.txt"), "content": "x\n"}
    session.said("PostToolUse", tool_name="Write", tool_input=given, tool_response={}, **fields)
    assert session.count == int(runs)


def test_a_subagent_is_held_back_at_its_own_end(session):
    on = {"subagent_stop": {"agents": ["rust-engineer"], "gates": ["test"]}}
    session.configure(gates={"test": {"command": FAILS_ON_BAD}}, on=on)
    session.start()
    session.put("a.txt", "bad\n")
    assert session.said("SubagentStop", agent_id="1", agent_type="explorer") == {}
    said = session.said("SubagentStop", agent_id="2", agent_type="rust-engineer")
    assert said["decision"] == "block"
    assert "a.txt is bad" in said["reason"]
    assert session.stop() == {}


def test_an_edit_s_gate_gets_the_files_of_the_edit(session):
    session.configure(gates={"format": {"command": "echo seen {files}; exit 1"}}, on={"after_edit": ["format"]})
    assert "seen a b.txt" in context(session.edited("a b.txt", "x\n"))


def test_at_the_end_a_gate_gets_all_that_differs(session):
    session.configure(gates={"format": {"command": "echo seen {files}; exit 1"}}, on={"stop": ["format"]})
    session.start()
    session.put("new.txt", "x\n")
    session.put("a.txt", "y\n")
    assert "seen a.txt new.txt" in session.stop()["reason"]


def test_at_a_prompt_a_block_keeps_it_from_the_model_and_a_machine_s_prompt_asks_nobody(session):
    session.configure(gates={"ready": {"command": f"{COUNT}; echo not ready; exit 1"}}, on={"prompt": ["ready"]})
    said = session.said("UserPromptSubmit", prompt="do it")
    assert said["decision"] == "block"
    assert "not ready" in said["reason"]
    assert session.said("UserPromptSubmit", prompt="<task-notification>done</task-notification>") == {}
    assert session.count == 1


def test_at_the_start_of_a_session_the_output_is_context(session):
    session.configure(gates={"setup": {"command": "echo no dependencies; exit 1"}}, on={"session_start": ["setup"]})
    assert "no dependencies" in context(session.start())


def test_the_start_says_which_gates_stand_here(session):
    gates = {"test": {"command": "make test", "description": "All of it"}, "lint": {"command": "make lint"}}
    gates["hello"] = {"command": "deploy --password=hunter2xyz9Q"}
    listening = {"stop": ["test"], "after_edit": {"tools": ["Write"], "gates": ["lint"]}, "prompt": ["hello"]}
    session.configure(gates=gates, on=listening)
    said = context(session.start())
    assert "test (`make test`)" in said
    assert "lint (`make lint`)" in said
    assert "with every prompt: hello (`deploy --password=" in said
    assert "hunter2" not in said


def test_a_stranger_s_gates_run_nothing(session):
    text = {"version": 1, "gates": {"g": {"command": COUNT}}, "on": {"stop": ["g"], "after_edit": ["g"]}}
    session.put("vetgate.yaml", json.dumps(text))
    assert "gates.g.command is new" in context(session.start())
    session.edited("a.txt", "x\n")
    session.stop()
    assert session.count == 0


RUN_BEFORE_A_HOLD = {
    "what is listed after it is spared": (["g", "test"], 0),
    "what is listed before it has run": (["test", "g"], 1),
    "what is listed between two has run when the second holds": (["passes", "test", "g"], 1),
    "a nested list runs at once": ([["g", "test"]], 1),
    "what another one calls stands in its place": (["calls", "g"], 1),
    "and not in that of one after it": (["g", "calls"], 0),
}


@pytest.mark.parametrize(("listed", "runs"), RUN_BEFORE_A_HOLD.values(), ids=RUN_BEFORE_A_HOLD)
def test_the_gates_of_an_event_run_as_written_until_one_holds(session, listed, runs):
    gates = {
        "g": CHECKS,
        "passes": {"checks": ["naming"]},
        "calls": {"checks": ["naming"], "on_pass": "test"},
        "test": {"command": f"{COUNT}; echo no; exit 1"},
    }
    session.configure(gates=gates, on={"before_edit": [], "stop": listed})
    session.start()
    session.put("b.py", BAD)
    reason = session.stop_reason()
    assert "complexity/cyclomatic" in reason
    assert ("Gate 'test' failed" in reason) is bool(runs)
    assert session.count == runs


def test_what_tampers_spares_every_command(session):
    session.configure(gates={"test": {"command": COUNT}}, on={"stop": ["test", "code"]})
    session.start()
    (session.root / ".git" / "hooks" / "pre-commit").write_text("#!/bin/sh\nexit 0\n")
    session.put("a.txt", "x\n")
    assert session.stop()["decision"] == "block"
    assert session.count == 0


def test_a_command_that_is_not_there_is_told_and_holds_nobody(session):
    session.configure(gates={"g": {"command": "no-such-program-here"}}, on={"stop": ["g"]})
    session.start()
    session.put("a.txt", "x\n")
    said = session.stop()
    assert "decision" not in said
    assert "could not run" in said["systemMessage"]


def test_a_chain_and_a_group_in_a_project(session):
    gates = {
        "format": {"command": "echo format >> ../runs", "on_pass": "check", "on_fail": "STOP"},
        "check": {"command": "echo check >> ../runs"},
        "test": {"command": "echo test >> ../runs"},
    }
    session.configure(gates=gates, on={"stop": ["format", ["test"]]})
    session.start()
    session.put("a.txt", "x\n")
    assert session.stop() == {}
    assert session.runs.read_text().split() == ["format", "check", "test"]


def test_a_decision_is_written_down(session):
    session.configure(gates={"test": {"command": "exit 1"}}, on={"stop": ["test"]})
    session.start()
    session.put("a.txt", "x\n")
    session.stop()
    row = session.app.project(session.root).store.decisions(1)[0]
    assert row.stored["decision"] == "block"
    assert [(gate["gate"], gate["status"]) for gate in row.stored["gates"]] == [("test", "failed")]


# The name of a content.


def test_the_content_of_a_tree_has_the_name_that_a_commit_gives_it(session):
    session.put("new.txt", "n\n")
    before = sorted(path for path in (session.root / ".git").rglob("*"))
    named = content(session.root, 10)
    assert sorted(path for path in (session.root / ".git").rglob("*")) == before, "the repository is left alone"
    session.git("add", ".")
    session.git("commit", "-qm", "x")
    asked = subprocess.run(
        ["git", "rev-parse", "HEAD^{tree}"], cwd=session.root, check=True, capture_output=True, text=True
    )
    assert named.id == asked.stdout.strip()
    assert named.names == ("a.txt", "new.txt")
    assert content(session.root, 10).id == named.id
    (session.root / ".gitignore").write_text("*.log\n")
    with_ignore = content(session.root, 10).id
    session.put("x.log", "l\n")
    assert content(session.root, 10).id == with_ignore


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_what_git_is_told_not_to_look_at_counts_all_the_same(session, flag):
    session.git("add", ".")
    session.git("commit", "-qm", "x")
    before = content(session.root, 10)
    session.git("update-index", flag, "a.txt")
    assert content(session.root, 10).id == before.id
    session.put("a.txt", "other\n")
    hidden = content(session.root, 10).id
    session.git("update-index", flag.replace("--", "--no-"), "a.txt")
    assert hidden == content(session.root, 10).id != before.id


def test_without_git_there_is_no_name(tmp_path):
    assert content(tmp_path, 10) is None


def test_a_linked_work_tree_has_a_content_of_its_own(session, tmp_path):
    session.git("add", ".")
    session.git("commit", "-qm", "x")
    session.git("worktree", "add", "-q", str(tmp_path / "linked"))
    assert content(tmp_path / "linked", 10).id == content(session.root, 10).id
    (tmp_path / "linked" / "a.txt").write_text("other\n")
    assert content(tmp_path / "linked", 10).id != content(session.root, 10).id


def test_a_suite_that_runs_already_is_joined(session, tmp_path):
    """Two processes at once: the second waits for the first, and takes its word."""
    waits = f"{COUNT}; touch ../started; while [ ! -e ../go ]; do :; done"
    session.configure(gates={"test": {"command": waits}}, on={"stop": ["test"]})
    session.start()
    session.put("a.txt", "x\n")
    payload = json.dumps({"session_id": "t", "cwd": str(session.root), "hook_event_name": "Stop"})
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
    assert session.count == 1


def test_a_pass_over_the_files_of_one_edit_says_nothing_about_the_others(session):
    lint = {"command": f"{COUNT}; ! grep -H bad {{files}}"}
    session.configure(gates={"lint": lint}, on={"after_edit": ["lint"], "stop": ["lint"]})
    session.start()
    assert "a.txt:bad" in context(session.edited("a.txt", "bad\n"))
    assert context(session.edited("b.txt", "fine\n")) == ""
    assert "a.txt:bad" in session.stop()["reason"]
    assert session.count == 3


def test_a_run_over_the_files_of_the_environment_says_nothing_about_others(session):
    lint = {"command": f"{COUNT}; ! grep -H bad $VETGATE_FILES"}
    session.configure(gates={"lint": lint}, on={"after_edit": ["lint"], "stop": ["lint"]})
    session.start()
    session.edited("a.txt", "bad\n")
    assert context(session.edited("b.txt", "fine\n")) == ""
    assert "a.txt:bad" in session.stop()["reason"]


def test_of_two_edits_that_leave_the_same_content_each_is_looked_at(session):
    session.configure(gates={"lint": {"command": "! grep -H bad {files}"}}, on={"after_edit": ["lint"]})
    session.start()
    session.put("b.txt", "bad\n")
    assert context(session.edited("a.txt", "fine\n")) == ""
    assert "b.txt:bad" in context(session.edited("b.txt", "bad\n"))


def test_what_the_session_commits_has_changed_all_the_same(session):
    session.configure(gates={"lint": {"command": "echo seen {files}; exit 1"}}, on={"stop": ["lint"]})
    session.start()
    session.put("new.txt", "x\n")
    session.git("add", ".")
    later = {**os.environ, "GIT_COMMITTER_DATE": f"{int(time.time()) + 5} +0000"}
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *identity, "commit", "-qm", "mine"], cwd=session.root, check=True, env=later)
    assert session.stop()["reason"].endswith("seen new.txt")


def test_only_tests_that_what_changed_affects_are_run(session):
    for name in ("one", "two"):
        session.put(f"{name}.py", "def f():\n    return 1\n")
        session.put(f"test_{name}.py", f"from {name} import f\n\n\ndef test_it():\n    assert f() == 1\n")
    command = f"{sys.executable} -m pytest -q -p no:cacheprovider"
    session.configure(gates={"test": {"command": command, "scope": "changed"}}, on={"stop": ["test"]})
    session.start()
    session.put("two.py", "def f():\n    return 2\n")
    said = session.stop()["reason"]
    assert "1 failed, 0 passed, 0 skipped (pytest)" in said
    assert "- test_two.py:5 test_it" in said


def test_before_an_edit_a_gate_that_ends_the_run_also_denies(session):
    session.configure(gates={"code": {"on_fail": "STOP"}})
    session.start()
    tangled = "def f(a):\n" + "".join(f"{'    ' * n}if a > {n}:\n" for n in range(1, 13)) + "    " * 13 + "return 1\n"
    given = {"file_path": str(session.root / "b.py"), "content": tangled}
    event = {"session_id": "s", "cwd": str(session.root), "hook_event_name": "PreToolUse", "tool_name": "Write"}
    payload = json.dumps({**event, "tool_input": given}).encode()
    reply = session.app.answer("claude-code", payload, str(session.root), seconds=60)
    said = json.loads(reply.stdout)
    assert reply.status == 2
    assert said["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert said["continue"] is False


def test_what_was_written_beside_and_renamed_before_a_command_says_nothing_about_it(session):
    """As clients write: the name that is gone by the end was gone when the command began."""
    session.app.stays = True
    session.configure(gates={"test": {"command": "sh check.sh"}}, on={"stop": ["test"]})
    session.put("check.sh", f"{COUNT}\n")
    session.start()
    session.put("a.txt.tmp", "other\n")
    (session.root / "a.txt.tmp").rename(session.root / "a.txt")
    own = {"tool_name": "Bash", "tool_input": {"command": "sh check.sh"}, "tool_use_id": "t1"}
    wait_for_tick()
    session.said("PreToolUse", **own)
    session.said("PostToolUse", **own, tool_response={"stdout": ""}, duration_ms=1)
    assert session.stop() == {}
    assert session.count == 0
    session.app.project(session.root).tree.close()
