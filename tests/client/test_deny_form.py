"""What the client makes of a hook's output: the ground our wire form stands on, for this client version.

The hooks here are small shell scripts of our own, not vetgate. A client that changes one of these rows fails the
build before it opens somebody's gate.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from .model_server import Model, Say, Use
from .session import ClientSession, Machine, run

if TYPE_CHECKING:
    from pathlib import Path

REASON = "parse() has cyclomatic complexity 14, limit 10"
ERROR = "PreToolUse:Write hook error: "


def before_tool(**decision: str) -> str:
    return json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}})


DENY = before_tool(permissionDecision="deny", permissionDecisionReason=REASON)
ASK = before_tool(permissionDecision="ask", permissionDecisionReason=REASON)


@dataclass(frozen=True)
class ScriptedHook:
    """A shell script that reads its payload and then says and exits what it was told to."""

    event: str = "PreToolUse"
    stdout: str = ""
    stderr: str = ""
    status: int = 0
    body: str = ""
    entry: tuple[tuple[str, Any], ...] = ()

    def register(self, home: Machine) -> Path:
        script = home.path / "fake-hook"
        for stream, text in (("out", self.stdout), ("err", self.stderr)):
            (home.path / stream).write_text(text)
        out, err = (shlex.quote(str(home.path / stream)) for stream in ("out", "err"))
        script.write_text(f"#!/bin/sh\ncat >/dev/null\n{self.body}\ncat {out}\ncat {err} >&2\nexit {self.status}\n")
        script.chmod(0o755)
        entry = {"type": "command", "command": str(script), "timeout": 10, **dict(self.entry)}
        home.user_settings.write_text(json.dumps({"hooks": {self.event: [{"matcher": "*", "hooks": [entry]}]}}))
        return script


def write_under(hook: ScriptedHook, home: Machine) -> tuple[ClientSession, Path, str]:
    """A session whose model writes one file: the session, the file, the hook's path."""
    script = hook.register(home)
    target = home.project / "parse.py"
    write = Use("Write", {"file_path": str(target), "content": "value = 1\n"})
    session = run(home, Model({"Please write it.": [write, Say("Over.")]}))
    assert session.status == 0, session.stderr
    assert session.hooks(hook.event), "the hook did not run"
    return session, target, str(script)


def test_deny_json_with_exit_2_shows_the_model_the_reason_and_nothing_else(home: Machine) -> None:
    session, target, _ = write_under(ScriptedHook(stdout=DENY, stderr=REASON, status=2), home)
    result = session.model.result(0)
    assert result.is_error
    assert result.text == ERROR + REASON
    assert not target.exists()


@pytest.mark.parametrize(
    "stdout",
    [
        pytest.param(DENY[:40], id="the JSON is cut off"),
        pytest.param("a library says hello\n" + DENY, id="a line comes before the JSON"),
        pytest.param(DENY + "\nand goodbye", id="a line comes after the JSON"),
        pytest.param("{" + "noise " * 200_000 + "}", id="a megabyte of something else"),
        pytest.param(before_tool(permissionDecision="allow"), id="the JSON says allow"),
        pytest.param("", id="there is no JSON at all"),
    ],
)
def test_exit_2_blocks_whatever_stdout_became(stdout: str, home: Machine) -> None:
    session, target, _ = write_under(ScriptedHook(stdout=stdout, stderr=REASON, status=2), home)
    result = session.model.result(0)
    assert result.is_error
    assert REASON in result.text
    assert not target.exists()


def test_exit_2_without_json_leaks_the_command_line_which_is_why_we_send_json(home: Machine) -> None:
    session, _, script = write_under(ScriptedHook(stderr=REASON, status=2), home)
    assert session.model.result(0).text == f"{ERROR}[{script}]: {REASON}"


def test_ask_is_a_refusal_without_a_person(home: Machine) -> None:
    session, target, _ = write_under(ScriptedHook(stdout=ASK), home)
    result = session.model.result(0)
    assert result.is_error
    assert REASON in result.text
    assert not target.exists()


def test_silence_lets_the_write_through(home: Machine) -> None:
    session, target, _ = write_under(ScriptedHook(), home)
    assert not session.model.result(0).is_error
    assert target.read_text() == "value = 1\n"


BROKEN = [
    pytest.param({"status": 1}, id="exits 1"),
    pytest.param({"body": "kill -9 $$"}, id="is killed"),
    pytest.param({"body": "sleep 20", "entry": (("timeout", 0.5),)}, id="is too slow"),
    pytest.param({"body": "exec /no/such/program"}, id="does not exist"),
]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_hook_that_breaks_lets_the_write_through_by_default(broken: dict[str, Any], home: Machine) -> None:
    _, target, _ = write_under(ScriptedHook(**broken), home)
    assert target.exists()


@pytest.mark.parametrize("broken", BROKEN)
def test_a_hook_that_breaks_blocks_when_registered_so(broken: dict[str, Any], home: Machine) -> None:
    entry = (*broken.get("entry", ()), ("onFailure", "block"))
    session, target, _ = write_under(ScriptedHook(**{**broken, "entry": entry}), home)
    assert session.model.result(0).is_error
    assert not target.exists()


def test_context_after_a_tool_reaches_the_model_without_the_command_line(home: Machine) -> None:
    output = json.dumps({"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": REASON}})
    session, target, script = write_under(ScriptedHook("PostToolUse", stdout=output), home)
    assert target.exists()
    assert REASON in session.model.requests[-1].text
    assert script not in session.model.requests[-1].text


def test_a_stop_that_is_blocked_gives_the_model_another_turn(home: Machine) -> None:
    once = 'test -e "$HOME/stopped" && exit 0\n: > "$HOME/stopped"'
    output = json.dumps({"decision": "block", "reason": REASON})
    session, _, _ = write_under(ScriptedHook("Stop", stdout=output, body=once), home)
    last = session.model.requests[-1]
    assert last.turn == 2
    assert f"Stop hook feedback:\\n{REASON}" in last.text


def test_the_only_endpoint_contacted_is_the_model(home: Machine) -> None:
    session, _, _ = write_under(ScriptedHook(), home)
    assert {request.path for request in session.model.requests} == {"/v1/messages"}
    assert {request.conversation for request in session.model.requests} == {"Please write it."}
