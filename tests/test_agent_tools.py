"""The tools that each agent gives its model: what they write is judged, whatever else a call is given beside it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from agent_rules import lets_pass, reason_of
from fixtures import BAD, GOOD
from secret_samples import chance
from vetgate import core
from vetgate.agents import agent
from vetgate.app import App
from vetgate.model import EventKind

# What the real programs listed on 2026-11-19, in the versions that docs/agents.md names, and what each tool is to us.
TOOLS = json.loads((Path(__file__).parent / "data" / "agent_tools.json").read_text("utf-8"))
GUARDS = {"codex": "PreToolUse", "copilot": "preToolUse", "gemini": "BeforeTool", "opencode": "tool.execute.before"}
GUARDS |= {"qwen": "PreToolUse"}
KINDS = {"writes": EventKind.BEFORE_EDIT, "runs": EventKind.BEFORE_COMMAND}


def payload(name, tool, given, root="/r"):
    if name == "copilot":
        return json.dumps({"sessionId": "s", "cwd": str(root), "toolName": tool, "toolArgs": given}).encode()
    event = {"hook_event_name": GUARDS[name], "session_id": "s", "cwd": str(root), "tool_name": tool}
    return json.dumps(event | {"tool_input": given}).encode()


GIVEN = {
    "apply_patch": {"command": "*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch\n"},
    "notebook_edit": {"notebook_path": "/r/a.ipynb", "cell_id": "a", "new_source": "x"},
}
ANY = {
    **dict.fromkeys(("path", "filePath", "file_path"), "/r/a.py"),
    **dict.fromkeys(("content", "file_text", "new_str", "new_string", "newString"), "x"),
    **dict.fromkeys(("old_str", "old_string", "oldString"), ""),
    "command": "ls",
}
LISTED = [(name, tool, what) for name, tools in TOOLS.items() for tool, what in tools.items()]


@pytest.mark.parametrize(("name", "tool", "what"), LISTED, ids=lambda value: value)
def test_a_tool_is_read_as_what_it_does(name, tool, what):
    read = agent(name).session_wire.parse(payload(name, tool, GIVEN.get(tool, ANY)), "/r", GUARDS[name])
    assert read.kind is KINDS.get(what, EventKind.BEFORE_TOOL)
    assert read.only_reads is (what == "reads")
    assert read.starts_agent is (what == "starts an agent")


SECRET = "AKIA" + chance(16, "ABCDEFGHJKLMNPQRSTUVWXYZ234567")
WRITES = {
    "codex": None,
    "copilot": ("create", {"path": "bad.py", "file_text": BAD}, ("file_path", "content")),
    "gemini": ("write_file", {"file_path": "bad.py", "content": BAD}, ("absolute_path", "text")),
    "opencode": ("write", {"filePath": "bad.py", "content": BAD}, ("file_path", "contents")),
    "qwen": ("write_file", {"file_path": "bad.py", "content": BAD}, ("absolute_path", "file_text")),
}
# Real programs drop what their tool does not take: each of these made us look elsewhere, or at nothing.
IGNORED = {
    "a preview": {"dryRun": True, "dry_run": True},
    "a part of the file": {"line": 3, "section": "x", "symbol": "x"},
    "a replacement": {"old_string": "", "new_string": "x"},
    "parts": {"edits": [{"old_string": "", "new_string": "x"}]},
    "other files": {"files": [{"path": "good.py", "content": "x"}]},
}
HIDING = [(name, what) for name in WRITES if WRITES[name] for what in (*IGNORED, "another path", "another content")]


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    return root


def answered(name, tool, given, root):
    app = App(root.parent / "state")
    reply = app.answer(name, payload(name, tool, given, root), str(root), environment={}, called=GUARDS[name])
    return reply.status, reply.stdout.decode(), reply.stderr.decode()


@pytest.mark.parametrize(("name", "what"), HIDING)
def test_nothing_beside_what_a_tool_takes_hides_what_it_writes(name, what, project):
    tool, given, (path, content) = WRITES[name]
    beside = {"another path": {path: "good.txt"}, "another content": {content: "x"}} | IGNORED
    answer = answered(name, tool, given | beside[what], project)
    assert not lets_pass(name, GUARDS[name], *answer)
    told = "only one of them counts" if what.startswith("another") else "complexity/cyclomatic"
    assert told in reason_of(name, answer[1], answer[2])
    assert not lets_pass(name, GUARDS[name], *_of_the_last_tier(name, tool, given | beside[what] | _secret(given)))


def _secret(given):
    return {key: f"key = '{SECRET}'\n" for key in given if given[key] == BAD}


def _of_the_last_tier(name, tool, given):
    status, stdout, stderr = core.reply(payload(name, tool, given), "late", agent=name, name=GUARDS[name])
    return status, stdout.decode(), stderr.decode()


EDITS = {
    "copilot": ("edit", {"path": "a.py", "old_str": GOOD, "new_str": BAD}),
    "opencode": ("edit", {"filePath": "a.py", "oldString": GOOD, "newString": BAD}),
    "gemini": ("replace", {"file_path": "a.py", "instruction": "i", "old_string": GOOD, "new_string": BAD}),
    "qwen": ("edit", {"file_path": "a.py", "old_string": GOOD, "new_string": BAD}),
}


@pytest.mark.parametrize("more", [{"edits": [{"old_string": "a", "new_string": "a"}]}, {"content": "x", "line": 1}])
@pytest.mark.parametrize("name", EDITS)
def test_nor_what_it_replaces(name, more, project):
    (project / "a.py").write_text(GOOD)
    tool, given = EDITS[name]
    assert not lets_pass(name, GUARDS[name], *answered(name, tool, given | more, project))


def test_every_place_is_replaced_where_that_is_asked_for(project):
    (project / "a.py").write_text("one\none\n")
    given = {"file_path": "a.py", "instruction": "i", "old_string": "one", "new_string": "two", "allow_multiple": True}
    event = agent("gemini").session_wire.parse(payload("gemini", "replace", given, project), str(project))
    assert [file.after for file in event.change.files] == ["two\ntwo\n"]


def test_a_cell_of_a_notebook_is_judged_before_it_is_written(project):
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": None, "source": ["x"]}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (project / "a.ipynb").write_text(json.dumps(notebook))
    given = {"notebook_path": str(project / "a.ipynb"), "cell_id": "a", "new_source": f"key = '{SECRET}'"}
    answer = answered("qwen", "notebook_edit", given, project)
    assert "secrets/" in reason_of("qwen", *answer[1:])


@pytest.mark.parametrize("tool", ["grep", "rg", "glob"])
@pytest.mark.parametrize("several", [True, False])
def test_credentials_that_a_search_names_are_seen(tool, several, project):
    place = str(project.parent / ".codex" / "auth.json")
    given = {"pattern": "*", "path": ".", "paths": ["src", place] if several else place}
    read = agent("copilot").session_wire.parse(payload("copilot", tool, given), "/r", GUARDS["copilot"])
    assert place in [each.path for each in read.touches]
    if tool != "glob":
        assert not lets_pass("copilot", "preToolUse", *answered("copilot", tool, given, project))


def test_the_to_do_list_of_a_session_is_no_database_of_anybody(project):
    given = {"description": "d", "query": "DROP TABLE old_todos"}
    assert lets_pass("copilot", "preToolUse", *answered("copilot", "sql", given, project))


@pytest.mark.parametrize("name", ["gemini", "qwen"])
def test_credentials_among_many_files_are_seen(name, project):
    (project / ".env").write_text("A=1\n")
    given = {"include": [".env", "**/*.md"]}
    assert not lets_pass(name, GUARDS[name], *answered(name, "read_many_files", given, project))
    assert lets_pass(name, GUARDS[name], *answered(name, "read_many_files", {"include": ["**/*.md"]}, project))


@pytest.mark.parametrize("more", [{"command": "insert", "insert_line": 1, "new_str": BAD}, {"command": "create"}])
def test_an_editor_of_other_versions_is_read_or_refused(more, project):
    given = {"path": str(project / "a.py"), "file_text": BAD, **more}
    answer = answered("copilot", "str_replace_editor", given, project)
    assert not lets_pass("copilot", "preToolUse", *answer)


def test_a_long_word_of_a_push_is_read_in_one_go():
    """In a process of its own: nothing can interrupt an expression that goes over a word again and again."""
    given = "{'args': ['-' + 'f' * 300_000 + '1']}"
    code = f"from vetgate.agents.tools import command_of; print(command_of('mcp__git__push', {given}))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert "--force" not in ran.stdout
