"""Every agent but the first: what was recorded of it is read as what it was, and our answers do what they should."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from agent_rules import GUARDS, OTHERS, lets_pass, reason_of
from fixtures import BAD, GOOD
from secret_samples import chance
from vetgate import client, core, launcher
from vetgate.agents import agent
from vetgate.agents.installation import launcher_script
from vetgate.app import App
from vetgate.model import Decision, EventKind, Message, Verdict

DATA = Path(__file__).parent / "data"
PAYLOADS = [json.loads(line) for line in (DATA / "agent_payloads.jsonl").read_text("utf-8").splitlines()]
ANSWERS = [json.loads(line) for line in (DATA / "agent_answers.jsonl").read_text("utf-8").splitlines()]
CAUSE = "the checks took too long"


def _named(row):
    return f"{row['agent']} {row['case']} {row['is']['kind']} {row['is'].get('tool', '')}"


@pytest.mark.parametrize("row", PAYLOADS, ids=_named)
def test_what_an_agent_sent_is_read_as_what_it_was(row):
    event = agent(row["agent"]).session_wire.parse(json.dumps(row["payload"]).encode(), "/W/project", row["event"])
    change = event.change
    files = [each.path for each in (*change.files, *change.unchecked)] if change else []
    read = {"kind": str(event.kind), "tool": event.tool, "files": files, "command": event.command}
    assert {key: value for key, value in (read | {"subagent": event.subagent_id}).items() if value} == row["is"]
    assert event.session
    assert not event.unreadable


@pytest.mark.parametrize("row", ANSWERS, ids=lambda row: f"{row['agent']} {row['case']}")
def test_the_rules_say_what_the_real_agent_did(row):
    answer = row["answer"]
    stdout = answer.get("stdout", "")
    stdout = stdout if isinstance(stdout, str) else json.dumps(stdout)
    status = None if "signal" in answer else answer.get("exit", 0)
    if row["case"] == "pre-ask" and row["agent"] == "gemini":
        assert not row["made"], "it hung"
        return
    assert lets_pass(row["agent"], row["event"], status, stdout, answer.get("stderr", "")) == row["made"]


def rendered(name, decision, *messages, payload=None):
    wire = agent(name).session_wire
    event = wire.parse(payload or wire.edit_payload("/r/a.py", GOOD, "/r", "s"), "/r", "" if payload else GUARDS[name])
    reply = wire.render(event, Verdict(decision, messages=messages))
    return reply.status, reply.stdout.decode(), reply.stderr.decode()


@pytest.mark.parametrize("decision", [Decision.ASK, Decision.BLOCK, Decision.HALT])
@pytest.mark.parametrize("text", ["security/sql-concatenation: use a parameter", ""])
@pytest.mark.parametrize("name", OTHERS)
def test_what_is_refused_does_not_happen_and_the_model_hears_why(name, text, decision):
    status, stdout, stderr = rendered(name, decision, Message(decision, text))
    assert not lets_pass(name, GUARDS[name], status, stdout, stderr)
    told = reason_of(name, stdout, stderr) or json.loads(stdout or "{}").get("hookSpecificOutput", {}).get(
        "permissionDecisionReason", ""
    )
    assert text in told
    assert told.strip()


@pytest.mark.parametrize("name", OTHERS)
def test_what_nobody_put_into_words_is_no_pass(name):
    assert not lets_pass(name, GUARDS[name], *rendered(name, Decision.BLOCK))


@pytest.mark.parametrize("name", [each for each in OTHERS if not agent(each).capabilities.asks])
def test_where_nobody_can_be_asked_it_is_refused_and_the_agent_is_shown_no_code(name):
    asked = Message(Decision.ASK, "it loses work", "vetgate: rm; to let exactly this run once: vetgate allow abcd")
    _, stdout, stderr = rendered(name, Decision.ASK, asked)
    assert "it loses work" in reason_of(name, stdout, stderr)
    assert "abcd" not in reason_of(name, stdout, stderr)
    assert '"ask"' not in stdout


@pytest.mark.parametrize("messages", [(), (Message(Decision.WARN, "naming/short: `a` says little"),)])
@pytest.mark.parametrize("name", OTHERS)
def test_what_passes_passes(name, messages):
    decision = max((each.decision for each in messages), default=Decision.ALLOW)
    assert lets_pass(name, GUARDS[name], *rendered(name, decision, *messages))


ENDS = {
    "codex": ({"hook_event_name": "Stop", "session_id": "s"}, {"decision": "block", "reason": "R"}),
    "copilot": ({"sessionId": "s", "stopReason": "end_turn"}, {"decision": "block", "reason": "R"}),
    "cursor": ({"hook_event_name": "stop", "conversation_id": "s"}, {"followup_message": "R"}),
    "gemini": ({"hook_event_name": "AfterAgent", "session_id": "s"}, {"decision": "deny", "reason": "R"}),
    "opencode": ({"hook_event_name": "session.idle", "session_id": "s"}, {"decision": "block", "reason": "R"}),
    "qwen": ({"hook_event_name": "Stop", "session_id": "s"}, {"decision": "block", "reason": "R"}),
}


@pytest.mark.parametrize("name", OTHERS)
def test_the_end_of_a_turn_is_held_in_its_own_words(name):
    payload, expected = ENDS[name]
    message = Message(Decision.BLOCK, "R")
    status, stdout, _ = rendered(name, Decision.BLOCK, message, payload=json.dumps(payload).encode())
    assert (status, json.loads(stdout)) == (0, expected)
    status, stdout, _ = rendered(name, Decision.HALT, message, payload=json.dumps(payload).encode())
    assert "R" not in str(json.loads(stdout or "{}").get("reason", "")), "then the turn ends"


def _nested(event, **more):
    return {"hookSpecificOutput": {"hookEventName": event, **more}}


# Each as it was recorded to reach the model; that of Cursor by its documents, that of OpenCode by our plugin.
TOLD = {
    "codex": ("PostToolUse", _nested("PostToolUse", additionalContext="R")),
    "copilot": ("postToolUse", {"additionalContext": "R"}),
    "cursor": ("postToolUse", {"additional_context": "R"}),
    "gemini": ("AfterTool", _nested("AfterTool", additionalContext="R")),
    "opencode": ("tool.execute.after", {"context": "R"}),
    "qwen": ("PostToolUse", _nested("PostToolUse", additionalContext="R")),
}
BEGUN = {
    "codex": ("SessionStart", _nested("SessionStart", additionalContext="R")),
    "copilot": ("sessionStart", {"additionalContext": "R"}),
    "cursor": ("sessionStart", {"additional_context": "R"}),
    "gemini": ("SessionStart", _nested("SessionStart", additionalContext="R")),
}
STOPPED = {
    "codex": ("UserPromptSubmit", {"decision": "block", "reason": "R"}),
    "copilot": ("userPromptSubmitted", {"decision": "block", "reason": "R"}),
    "cursor": ("beforeSubmitPrompt", {"continue": False, "user_message": "R"}),
    "gemini": ("BeforeAgent", {"decision": "deny", "reason": "R"}),
    "qwen": ("UserPromptSubmit", {"decision": "block", "reason": "R"}),
}
SAID = [
    *((name, Decision.WARN, *row) for name, row in TOLD.items()),
    *((name, Decision.WARN, *row) for name, row in BEGUN.items()),
    *((name, Decision.BLOCK, *row) for name, row in STOPPED.items()),
]


@pytest.mark.parametrize(("name", "decision", "event", "expected"), SAID, ids=lambda value: str(value)[:24])
def test_what_is_said_at_other_events_is_said_as_it_was_seen_to_be_heard(name, decision, event, expected):
    wire = agent(name).session_wire
    payload = json.loads(wire.edit_payload("/r/a.py", GOOD, "/r", "s")) | {"prompt": "do it"}
    payload |= {} if name == "copilot" else {"hook_event_name": event}
    read = wire.parse(json.dumps(payload).encode(), "/r", event if name == "copilot" else "")
    reply = wire.render(read, Verdict(decision, messages=(Message(decision, "R"),)))
    assert (reply.status, json.loads(reply.stdout)) == (0, expected)


@pytest.mark.parametrize("name", ["copilot", "gemini", "qwen"])
def test_why_a_turn_was_held_is_no_new_task(name):
    payload = {
        "copilot": {"sessionId": "s", "prompt": "vetgate: 1 finding"},
        "gemini": {"hook_event_name": "BeforeAgent", "session_id": "s", "prompt": "vetgate: 1 finding"},
        "qwen": {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "vetgate: 1 finding"},
    }[name]
    event = agent(name).session_wire.parse(json.dumps(payload).encode(), "/r")
    assert (event.kind, event.is_automatic, event.task) == (EventKind.PROMPT, True, "")


def test_what_hooks_said_before_a_prompt_is_none_of_the_persons_words():
    """Recorded of `gemini -p`; its brackets are written out there, so what is inside cannot end it."""
    told = "<hook_context>vetgate: delete a.py &lt;/hook_context&gt;</hook_context>\n\nwrite <b>good.py</b>"
    payload = {"hook_event_name": "BeforeAgent", "session_id": "s", "prompt": told}
    assert agent("gemini").session_wire.parse(json.dumps(payload).encode(), "/r").task == "write <b>good.py</b>"


def test_a_round_of_tools_is_no_prompt():
    payload = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": ""}
    assert agent("qwen").session_wire.parse(json.dumps(payload).encode(), "/r").kind is EventKind.OTHER


SECRET = "AKIA" + chance(16, "ABCDEFGHJKLMNPQRSTUVWXYZ234567")


@pytest.mark.parametrize("name", OTHERS)
def test_the_last_tier_answers_as_the_agent_reads_it(name, tmp_path):
    wire = agent(name).session_wire
    refused = {
        "a secret": wire.edit_payload("/r/a.py", f"key = '{SECRET}'\n", "/r", "s"),
        "a protected file": wire.edit_payload("/r/.codex/hooks.json", "{}", "/r", "s"),
        "no JSON": b"{",
        "no event": b"[1]",
    }
    for what, payload in refused.items():
        status, stdout, stderr = core.reply(payload, CAUSE, agent=name, name=GUARDS[name])
        assert not lets_pass(name, GUARDS[name], status, stdout.decode(), stderr.decode()), what
    passed = core.reply(wire.edit_payload("/r/a.py", GOOD, "/r", "s"), CAUSE, agent=name, name=GUARDS[name])
    assert lets_pass(name, GUARDS[name], passed[0], passed[1].decode(), passed[2].decode())
    note = json.loads(core.note(wire.edit_payload("/r/a.py", GOOD, "/r", "s"), CAUSE, agent=name) or b"{}")
    assert (note["path"], note["unverified"], note["session"]) == ("/r/a.py", True, "s")


@pytest.mark.parametrize("name", OTHERS)
def test_a_form_that_is_broken_still_refuses(name, tmp_path, monkeypatch):
    folder = tmp_path / name
    folder.mkdir()
    (folder / "form.py").write_text("raise RuntimeError\n")
    monkeypatch.setattr(core, "_AGENTS", tmp_path)
    payload = agent(name).session_wire.edit_payload("/r/a.py", GOOD, "/r", "s")
    status, stdout, stderr = core.reply(payload.replace(b"{", b"", 1), CAUSE, agent=name, name=GUARDS[name])
    assert not lets_pass(name, GUARDS[name], status, stdout.decode(), stderr.decode())


def _launched(name, where, payload, event):
    path = where / "vetgate-hook"
    script = launcher_script(name, where / "state", None).decode()
    path.write_text(script.replace(launcher.sys.executable, "/nowhere/python"))
    path.chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", str(path), "--event", event],
        input=payload,
        cwd=where,
        env={"PATH": os.environ["PATH"], "HOME": str(where)},
        capture_output=True,
        timeout=20,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("name", OTHERS)
def test_without_an_interpreter_the_launcher_refuses_in_the_agents_own_form(name, tmp_path):
    (tmp_path / "vetgate.yaml").write_text("version: 1\n")
    payload = agent(name).session_wire.edit_payload(str(tmp_path / "a.py"), GOOD, str(tmp_path), "s")
    payload = json.dumps(json.loads(payload), separators=(",", ":")).encode()
    answer = _launched(name, tmp_path, payload, GUARDS[name])
    assert not lets_pass(name, GUARDS[name], *answer)
    assert "no longer at" in reason_of(name, answer[1], answer[2])
    (tmp_path / "vetgate.yaml").unlink()
    (tmp_path / ".git").mkdir()
    assert lets_pass(name, GUARDS[name], *_launched(name, tmp_path, payload, GUARDS[name])), "it never stood here"


@pytest.mark.parametrize("name", OTHERS)
def test_without_an_interpreter_reads_and_turns_go_on(name, tmp_path):
    (tmp_path / "vetgate.yaml").write_text("version: 1\n")
    form = core.form_of(name)
    payload = json.dumps({form.TOOL: form.READS[0], "cwd": str(tmp_path)}, separators=(",", ":")).encode()
    assert lets_pass(name, GUARDS[name], *_launched(name, tmp_path, payload, GUARDS[name]))
    status, stdout, _ = _launched(name, tmp_path, b"{}", "a.turn.ends")
    assert status == 0
    assert "block" not in stdout


class Borrowed:
    """The settings of the first agent, run by another one that says so by a variable."""

    WRITE = json.dumps(
        {
            "hook_event_name": "PreToolUse",
            "session_id": "s",
            "cwd": "/r",
            "tool_name": "Write",
            "tool_input": {"path": "/r/a.py", "file_text": GOOD},
        }
    ).encode()


def test_whose_settings_are_borrowed_is_known_by_a_variable(monkeypatch):
    monkeypatch.delenv("COPILOT_CLI", raising=False)
    assert client.asking({}) == "claude-code"
    monkeypatch.setenv("COPILOT_CLI", "1")
    assert client.asking({}) == "copilot"
    assert client.asking({"agent": "codex"}) == "codex", "nobody else is guessed"


def test_a_borrowed_call_is_refused_with_the_reason_and_status_0():
    status, stdout, _ = rendered("copilot", Decision.BLOCK, Message(Decision.BLOCK, "R"), payload=Borrowed.WRITE)
    assert status == 0
    decision = json.loads(stdout)["hookSpecificOutput"]
    assert (decision["permissionDecision"], decision["permissionDecisionReason"]) == ("deny", "R")
    answer = core.reply(Borrowed.WRITE.replace(GOOD.encode("unicode_escape")[:3], b"x"), CAUSE, agent="copilot")
    assert answer[0] == 0


def test_without_an_interpreter_a_borrowed_call_is_refused_with_the_reason(tmp_path):
    (tmp_path / "vetgate.yaml").write_text("version: 1\n")
    path = tmp_path / "vetgate-hook"
    path.write_text(launcher.script(tmp_path, None, python="/nowhere/python"))
    environment = {"PATH": os.environ["PATH"], "COPILOT_CLI": "1"}
    payload = Borrowed.WRITE.replace(b": ", b":").replace(b'"/r"', json.dumps(str(tmp_path)).encode())
    done = subprocess.run(
        ["/bin/sh", str(path)], input=payload, cwd=tmp_path, env=environment, capture_output=True, check=False
    )
    assert not lets_pass("copilot", "PreToolUse", done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "no longer at" in done.stdout.decode()


def test_what_the_own_hook_answers_is_not_judged_twice(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    app = App(tmp_path / "state")
    bad = json.loads(Borrowed.WRITE) | {"cwd": str(root)}
    bad["tool_input"] = {"path": str(root / "a.py"), "file_text": BAD}
    payload = json.dumps(bad).encode()
    assert b"deny" in app.answer("copilot", payload, str(root), environment={}).stdout
    hooks = tmp_path / ".copilot" / "hooks"
    hooks.mkdir(parents=True)
    (hooks / "vetgate.json").write_text('{"hooks": {"preToolUse": [{"bash": "/x/vetgate-hook"}]}}')
    assert app.answer("copilot", payload, str(root), environment={}).stdout == b""
    inside = json.dumps(bad | {"permission_mode": "default"}).encode()
    assert b"deny" in app.answer("copilot", inside, str(root), environment={}).stdout, (
        "the first agent, run inside of it"
    )


def test_who_stamps_its_payloads_is_known_by_that(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    call = {
        "hook_event_name": "PreToolUse",
        "conversation_id": "s",
        "cursor_version": "3",
        "workspace_roots": [str(root)],
    }
    call |= {"tool_name": "Write", "tool_input": {"file_path": str(root / "a.py"), "content": BAD}}
    reply = App(tmp_path / "state").answer("claude-code", json.dumps(call).encode(), str(root), environment={})
    assert reply.status == 2
    assert json.loads(reply.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


OWN_HOOKS = {".cursor/hooks.json": "preToolUse", ".copilot/hooks/vetgate.json": "preToolUse"}
RUN = {"command": "rm -rf ~/work"}
NAMED_INSIDE = {
    "the stamp of another agent": (
        "claude-code",
        "",
        {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash"},
        {"tool_input": RUN | {"description": "cursor_version", "cursor_version": "3"}},
    ),
    "another agent's event": (
        "cursor",
        "",
        {"hook_event_name": "preToolUse", "conversation_id": "s", "cursor_version": "3", "tool_name": "Shell"},
        {"tool_input": RUN | {"description": "PreToolUse", "hook_event_name": "Stop"}},
    ),
    "another agent's field": (
        "copilot",
        "",
        {"sessionId": "s", "toolName": "bash"},
        {"toolArgs": RUN | {"description": "hook_event_name", "hook_event_name": "PreToolUse"}},
    ),
    "by a registration that names its event": (
        "copilot",
        "preToolUse",
        {"sessionId": "s", "toolName": "bash", "hook_event_name": "preToolUse"},
        {"toolArgs": RUN},
    ),
}


@pytest.mark.parametrize("row", NAMED_INSIDE.values(), ids=NAMED_INSIDE.keys())
def test_nobody_stands_back_for_a_word_in_what_a_tool_is_given(row, tmp_path, monkeypatch):
    name, event, fields, given = row
    monkeypatch.setenv("HOME", str(tmp_path))
    for path, registered in OWN_HOOKS.items():
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(json.dumps({"hooks": {registered: [{"command": "/x/vetgate-hook"}]}}))
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    payload = json.dumps(fields | given | {"cwd": str(root)}).encode()
    reply = App(tmp_path / "state").answer(name, payload, str(root), environment={}, called=event)
    assert b"deny" in reply.stdout


PLACES = {
    "cursor": ({"hook_event_name": "preToolUse", "conversation_id": "s", "tool_name": "Shell"}, "working_directory"),
    "gemini": ({"hook_event_name": "BeforeTool", "session_id": "s", "tool_name": "run_shell_command"}, "dir_path"),
    "opencode": ({"hook_event_name": "tool.execute.before", "session_id": "s", "tool_name": "bash"}, "workdir"),
    "qwen": ({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "run_shell_command"}, "directory"),
}


@pytest.mark.parametrize(("place", "cwd"), [("sub", "/r/sub"), ("/o", "/o"), (7, "/r"), (None, "/r")])
@pytest.mark.parametrize("name", PLACES)
def test_a_command_runs_in_the_folder_that_it_names(name, place, cwd):
    fields, key = PLACES[name]
    payload = json.dumps(fields | {"cwd": "/r", "tool_input": {"command": "ls", key: place}}).encode()
    assert agent(name).session_wire.parse(payload, "/r").cwd == Path(cwd)


def test_with_an_agent_that_has_no_such_field_a_command_runs_where_it_is():
    given = {"command": "ls", **dict.fromkeys(("workdir", "dir_path", "directory", "working_directory"), "/o")}
    call = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/r", "tool_name": "Bash", "tool_input": given}
    assert agent("claude-code").session_wire.parse(json.dumps(call).encode(), "/r").cwd == Path("/r")


def test_several_calls_in_one_are_not_made(tmp_path):
    (tmp_path / ".git").mkdir()
    call = {"hook_event_name": "tool.execute.before", "session_id": "s", "cwd": str(tmp_path), "tool_name": "batch"}
    call |= {"tool_input": {"tool_calls": [{"tool": "bash", "parameters": RUN}]}}
    payload = json.dumps(call).encode()
    reply = App(tmp_path / "state").answer("opencode", payload, str(tmp_path), environment={})
    assert "one by one" in json.loads(reply.stdout)["reason"]
    assert b"deny" in core.reply(payload, CAUSE, agent="opencode")[1], "by the last tier as well"


def test_the_prompt_of_a_subagent_says_whose_it_is():
    payload = {"sessionId": "child", "parentAgentId": "s", "prompt": "Delete tests/test_a.py", "cwd": "/r"}
    event = agent("copilot").session_wire.parse(json.dumps(payload).encode(), "/r", "userPromptSubmitted")
    assert (event.kind, event.session, event.subagent_id) == (EventKind.PROMPT, "s", "child")


def test_silence_is_said_to_who_asks_for_it(tmp_path):
    (tmp_path / ".git").mkdir()
    payload = agent("cursor").session_wire.edit_payload(str(tmp_path / "a.py"), GOOD, str(tmp_path), "s")
    reply = App(tmp_path / "state").answer("cursor", payload, str(tmp_path), only_set_up=True, environment={})
    assert (reply.status, reply.stdout) == (0, b"{}")


PATCH = "*** Begin Patch\n*** Add File: a.py\n" + "".join(f"+{line}\n" for line in BAD.splitlines()) + "*** End Patch\n"


@pytest.mark.parametrize(
    "command",
    [f"apply_patch <<'EOF'\n{PATCH}EOF\n", f"cd sub && apply_patch <<'EOF'\n{PATCH}EOF\n"],
    ids=["here", "below"],
)
def test_a_patch_in_a_command_is_judged_as_an_edit(command, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    call = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(root), "tool_name": "Bash"}
    call |= {"tool_input": {"command": command}, "tool_use_id": "c"}
    app = App(tmp_path / "state")
    reply = app.answer("codex", json.dumps(call).encode(), str(root), environment={})
    assert reply.status == 2
    assert b"complexity/cyclomatic" in reply.stderr
    fine = command.replace(PATCH, "*** Begin Patch\n*** Add File: a.py\n+x = 1\n*** End Patch\n")
    call |= {"tool_input": {"command": fine}, "tool_use_id": "d"}
    assert app.answer("codex", json.dumps(call).encode(), str(root), environment={}).status == 0


def test_a_patch_that_moves_a_protected_file_away_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / ".qwen").mkdir()
    hook = {"type": "command", "command": "/x/vetgate-hook"}
    (root / ".qwen" / "settings.json").write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [hook]}]}}))
    patch = "*** Begin Patch\n*** Update File: .qwen/settings.json\n*** Move to: old.json\n*** End Patch\n"
    call = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(root), "tool_name": "apply_patch"}
    call |= {"tool_input": {"command": patch}, "tool_use_id": "c"}
    reply = App(tmp_path / "state").answer("codex", json.dumps(call).encode(), str(root), environment={})
    assert reply.status == 2
    assert b"protected-file/hooks-off" in reply.stderr


def test_a_patch_that_nobody_can_read_does_not_happen(tmp_path):
    (tmp_path / ".git").mkdir()
    call = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(tmp_path), "tool_name": "apply_patch"}
    call |= {"tool_input": {"command": "*** Begin Patch\n*** Update File: a.py\n@@\nno sign\n*** End Patch\n"}}
    reply = App(tmp_path / "state").answer("codex", json.dumps(call).encode(), str(tmp_path), environment={})
    assert reply.status == 2
    assert b"cannot be read" in reply.stderr
