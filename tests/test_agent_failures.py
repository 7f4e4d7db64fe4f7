"""What each agent lets pass when its hook fails, as it was recorded of the real programs: our answer is none of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from agent_rules import OTHERS, lets_pass, reason_of
from fixtures import GOOD
from vetgate import core
from vetgate.agents import agent
from vetgate.agents.installation import launcher_script

if TYPE_CHECKING:
    from pathlib import Path

GUARDS = {"codex": "PreToolUse", "copilot": "preToolUse", "cursor": "preToolUse", "gemini": "BeforeTool"}
GUARDS |= {"opencode": "tool.execute.before", "qwen": "PreToolUse"}
SHELLS = {"codex": "Bash", "copilot": "bash", "cursor": "Shell", "gemini": "run_shell_command", "opencode": "bash"}
SHELLS |= {"qwen": "run_shell_command"}
# The rows of the tables "the hook does … the edit is made", as failures of the program that our launcher starts.
FAILURES = {
    "it ends with 1": "exit 1",
    "it ends with 1 and says something": "echo broken >&2; exit 1",
    "it ends with another status": "exit 3",
    "it is not found": "exit 127",
    "it cannot be run": "exit 126",
    "it is killed": "kill -9 $$",
    "it reads memory that is not there": "kill -SEGV $$",
    "it read the event and died": "cat >/dev/null; kill -9 $$",
    "it said a line and died": "echo a line; exit 1",
    "it said half an answer and died": """printf '{"hookSp'; exit 1""",
    "it said that all is well and died": "echo '{}'; exit 1",
}


def _launcher(name: str, where: Path, body: str) -> Path:
    broken = where / "python"
    broken.write_text(f"#!/bin/sh\n{body}\n")
    broken.chmod(0o755)
    script = where / "vetgate-hook"
    script.write_text(launcher_script(name, where / "state", None).decode().replace(sys.executable, str(broken)))
    return script


def _ran(script: Path, where: Path, payload: bytes, *words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        ["/bin/sh", str(script), *words],
        input=payload,
        cwd=where,
        env={"PATH": os.environ["PATH"], "HOME": str(where), "VETGATE_DAEMON": "off"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def _edit(name: str, where: Path) -> bytes:
    payload = agent(name).session_wire.edit_payload(str(where / "a.py"), GOOD, str(where), "s")
    return json.dumps(json.loads(payload), separators=(",", ":")).encode()


@pytest.mark.parametrize("body", FAILURES.values(), ids=FAILURES)
@pytest.mark.parametrize("name", OTHERS)
def test_an_edit_does_not_pass_when_our_program_fails(name, body, tmp_path):
    script = _launcher(name, tmp_path, body)
    answer = _ran(script, tmp_path, _edit(name, tmp_path), "--event", GUARDS[name])
    assert not lets_pass(name, GUARDS[name], *answer)
    if "echo a line" not in body and "printf" not in body and "echo '{}'" not in body:
        assert "vetgate: the hook could not run" in reason_of(name, answer[1], answer[2])


@pytest.mark.parametrize("name", OTHERS)
def test_a_turn_is_not_held_for_ever_when_our_program_fails(name, tmp_path):
    script = _launcher(name, tmp_path, "exit 1")
    status, stdout, _ = _ran(script, tmp_path, b"{}", "--event", "an.end")
    assert status == 0
    assert "block" not in stdout
    assert "deny" not in stdout


def _command(name: str, where: Path) -> bytes:
    if name == "copilot":
        call = {"sessionId": "s", "toolName": "bash", "toolArgs": {"command": "make all", "description": "d"}}
    else:
        call = {"hook_event_name": GUARDS[name], "session_id": "s", "tool_name": SHELLS[name]}
        call |= {"conversation_id": "s", "tool_input": {"command": "make all"}}
    return json.dumps(call | {"cwd": str(where)}).encode()


@pytest.mark.parametrize("name", OTHERS)
def test_a_command_that_is_not_judged_in_time_does_not_run(name, tmp_path):
    """With the real client: nothing can be judged before its own interpreter has started."""
    (tmp_path / "vetgate.yaml").write_text("version: 1\n")
    script = tmp_path / "vetgate-hook"
    script.write_bytes(launcher_script(name, tmp_path / "state", None))
    answer = _ran(script, tmp_path, _command(name, tmp_path), "--event", GUARDS[name], "--deadline", "0.001")
    assert not lets_pass(name, GUARDS[name], *answer)
    assert reason_of(name, answer[1], answer[2]).strip()


@pytest.mark.parametrize("name", OTHERS)
def test_nor_one_whose_checks_crashed(name, tmp_path):
    status, stdout, stderr = core.reply(_command(name, tmp_path), "the checks crashed", agent=name, name=GUARDS[name])
    answer = status, stdout.decode(), stderr.decode()
    assert not lets_pass(name, GUARDS[name], *answer)
    assert "the checks crashed" in reason_of(name, answer[1], answer[2])
