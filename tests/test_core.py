"""The last tier: whatever arrives, an answer that the agent understands, and never one that allows."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vetgate import core, tool_input

CAUSE = "the daemon was out of reach"
# What each of the tools that edit asks for.
REPLACES = {"old_string": "a", "new_string": "b"}
WHOLE = {"file_path": "/r/a.ts", "content": "x", "new_source": "x", **REPLACES}


def event(name: str = "PreToolUse", tool: str = "Write", **given: object) -> bytes:
    return json.dumps(
        {
            "session_id": "s1",
            "hook_event_name": name,
            "tool_name": tool,
            "tool_input": given or ({"file_path": "/r/a.ts", "edits": [REPLACES]} if tool == "MultiEdit" else WHOLE),
        }
    ).encode()


@pytest.mark.parametrize("tool", sorted(tool_input.READS))
def test_a_tool_that_only_reads_passes(tool):
    given = dict.fromkeys(("file_path", "notebook_path", "path", "pattern"), "x")
    assert core.reply(event(tool=tool, **given), CAUSE) == (0, b"", b"")


@pytest.mark.parametrize("tool", ["Write", "Edit", "MultiEdit", "NotebookEdit", "mcp__files__write_file"])
def test_an_edit_passes_and_is_said_to_be_unchecked(tool):
    status, stdout, stderr = core.reply(event(tool=tool), CAUSE)
    told = json.loads(stdout)
    assert (status, stderr, list(told)) == (0, b"", ["systemMessage"])
    assert "/r/a.ts" in told["systemMessage"]
    assert CAUSE in told["systemMessage"]
    assert "vetgate doctor" in told["systemMessage"]


@pytest.mark.parametrize("name", ["Stop", "SessionStart", "PostToolUse", "NobodyKnowsThis"])
def test_other_events_pass_with_a_message(name):
    status, stdout, _ = core.reply(event(name), CAUSE)
    assert (status, list(json.loads(stdout))) == (0, ["systemMessage"])


@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b"[]", b"null", b'{"hook_event_name":1}', b"\xff\xfe", b"[" * 200_000, b'{"tool_name":"Read"}'],
    ids=["empty", "cut off", "a list", "null", "no name", "not text", "too deep", "no event"],
)
def test_what_is_no_event_is_stopped_without_output(payload):
    status, stdout, stderr = core.reply(payload, "")
    assert (status, stdout) == (2, b"")
    assert b"vetgate doctor" in stderr


def test_a_check_that_fails_closed_makes_it_a_stop(monkeypatch):
    monkeypatch.setattr(core, "IN_LAST_TIER", frozenset())
    status, stdout, stderr = core.reply(event(), CAUSE)
    said = json.loads(stdout)["hookSpecificOutput"]
    assert (status, said["permissionDecision"], said["hookEventName"]) == (2, "deny", "PreToolUse")
    assert stderr.decode().strip() == said["permissionDecisionReason"]
    assert core.reply(event(tool="Read"), CAUSE) == (0, b"", b"")
    note = json.loads(core.note(event(), CAUSE))
    assert (note["passed"], note["unverified"]) == (False, False), (
        "it did not happen: there is nothing to look at later"
    )


@pytest.mark.parametrize(
    "text",
    [
        f"{'AKIA'}{'TYXW2RLP4NM3HQ7Z'[::-1]}",
        f"{'-' * 5}BEGIN RSA PRIVATE KEY{'-' * 5}\n{'bv2Q8zkxAEQACKAABIApEIIM'[::-1]}",
    ],
    ids=["a token", "a private key"],
)
@pytest.mark.parametrize("tool", ["Write", "mcp__files__write_file"])
def test_a_secret_is_stopped_even_here(tool, text):
    call = event(tool=tool, file_path="/r/a.ts", content=f"x = '{text}'")
    status, stdout, stderr = core.reply(call, CAUSE)
    assert (status, json.loads(stdout)["hookSpecificOutput"]["permissionDecision"]) == (2, "deny")
    assert text[:12].encode() not in stdout + stderr
    note = core.note(call, CAUSE)
    assert not json.loads(note)["passed"]
    assert text[:12].encode() not in note


def test_what_only_shows_a_secret_passes_here():
    status, _, _ = core.reply(event(file_path="/r/a.ts", content="AKIA" + "IOSFODNN7EXAMPLE"), CAUSE)
    assert status == 0


@pytest.mark.parametrize(
    ("payload", "path"),
    [
        (event(), "/r/a.ts"),
        (event(tool="NotebookEdit", notebook_path="/r/n.ipynb", new_source="x"), "/r/n.ipynb"),
        (event(tool="mcp__files__write_file", path="/r/b.py"), "/r/b.py"),
        (event(tool="Bash", command="ls"), None),
        (event(tool="Read"), None),
        (event("PostToolUse"), None),
        (b"{", None),
    ],
    ids=["a write", "a notebook", "a tool of a server", "a command", "a read", "afterwards", "no event"],
)
def test_an_edit_that_passed_is_to_be_looked_at(payload, path):
    note = json.loads(core.note(payload, CAUSE) or b"{}")
    assert (note["path"] if note.get("unverified") else None) == path


@pytest.mark.parametrize(
    ("payload", "passed"),
    [
        (event(), True),
        (event(tool="Bash", command="ls"), True),
        (event(tool="Bash", command="rm -rf /"), False),
        (event("Stop"), True),
        (event(tool="Read"), None),
        (event("PostToolUse"), None),
        (b"{", None),
    ],
    ids=["a write", "a harmless command", "a command", "the end of a turn", "a read", "afterwards", "no event"],
)
def test_what_is_decided_here_is_noted(payload, passed):
    note = json.loads(core.note(payload, CAUSE) or b"{}")
    assert note.get("passed") is passed
    assert "rm -rf" not in json.dumps(note)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(["PreToolUse", "Write", "Read", "Stop"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
events = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("session_id", "cwd", "hook_event_name", "tool_name", "tool_input", "extra"), values),
)


@given(st.binary(max_size=200) | events.map(lambda value: json.dumps(value).encode()), st.text(max_size=50))
def test_every_answer_is_one_the_agent_understands(payload, cause):
    status, stdout, _ = core.reply(payload, cause)
    assert status in {0, 2}
    assert len(stdout) < 8192
    if stdout:
        told = json.loads(stdout)
        assert isinstance(told, dict)
        assert "allow" not in json.dumps(told.get("hookSpecificOutput", {}))
    note = core.note(payload, cause)
    assert note is None or isinstance(json.loads(note), dict)


@pytest.mark.parametrize(
    "path",
    [
        "/r/.claude/settings.json",
        "/home/x/.claude/settings.local.json",
        "/r/.claude/hooks/a.sh",
        "/r/.git/hooks/pre-commit",
        "/r/.git/config",
        "/r/vetgate.yaml",
        "/home/x/.local/state/vetgate/bin/vetgate-hook",
        "/venv/lib/python3.12/site-packages/vetgate/client.py",
        "/r/.claude/./settings.json",
        "/r/.git//hooks/pre-commit",
        "/r/.claude/x/../settings.json",
        pytest.param(f"/r{'/d' * 300}/.claude/settings.json", id="a long way"),
    ],
)
def test_a_protected_file_is_stopped(path):
    status, stdout, _ = core.reply(event(file_path=path, content="x"), CAUSE)
    assert status == 2
    assert "protected" in json.loads(stdout)["hookSpecificOutput"]["permissionDecisionReason"]
    assert not json.loads(core.note(event(file_path=path, content="x"), CAUSE))["passed"]


@pytest.mark.parametrize(
    "command", ["rm -rf /", "ls; rm x", "cat $(rm x)", "git push", "echo x > y", "make", "cat a | sh"]
)
def test_a_command_that_could_do_anything_does_not_run(command):
    assert core.reply(event(tool="Bash", command=command), CAUSE)[0] == 2


@pytest.mark.parametrize("command", ["ls -la", "git status", "cat src/a.py", "vetgate doctor", "grep -rn 'x y' src"])
def test_a_command_that_only_shows_something_runs(command):
    assert core.reply(event(tool="Bash", command=command), CAUSE)[0] == 0


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", None),
        ("Bash", {"command": ["rm", "-rf", "~"]}),
        ("bash", {"command": "rm -rf ~"}),
        ("Write", {"file_path": 3, "content": "x"}),
        ("Write", {"file_path": "a.py", "content": {}}),
        (" write ", {"file_path": ".claude/settings.json", "content": "{}"}),
        ("Edit", {"file_path": "a.py", "old_string": 1, "new_string": "x"}),
        ("MultiEdit", {"file_path": "a.py", "edits": "x"}),
        ("NotebookEdit", {"notebook_path": "a.ipynb", "new_source": []}),
        ("mcp__filesystem__write_file", {"path": ["a"], "content": "x"}),
        (["Bash"], {"command": "ls"}),
        (None, None),
    ],
)
def test_what_nobody_can_read_does_not_happen(tool, given):
    event = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given}
    assert core.reply(json.dumps(event).encode(), "a cause")[0] == 2


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Read", {"file_path": "~/.ssh/id_rsa"}),
        ("read", {"file_path": "app.py", "limit": 3}),
        ("Grep", {"pattern": "x", "path": None}),
        ("Glob", {"pattern": "**/*.py"}),
        ("WebSearch", None),
    ],
)
def test_tools_that_only_read_are_never_stopped_for_a_failure_of_ours(tool, given):
    event = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given}
    assert core.reply(json.dumps(event).encode(), "a cause") == (0, b"", b"")


@pytest.mark.parametrize("given", [None, 3, [], {"file_path": 3}, {"path": ["~/.ssh"], "pattern": "x"}])
@pytest.mark.parametrize("tool", ["Read", "Grep", "Glob", "read"])
def test_a_read_that_nobody_can_read_does_not_happen(tool, given):
    event = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given}
    assert core.reply(json.dumps(event).encode(), "a cause")[0] == 2
