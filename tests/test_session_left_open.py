"""What the last session left open is told at the start of the next one, of whatever agent."""

from __future__ import annotations

import json

import pytest

from fixtures import BAD, GOOD


@pytest.fixture
def say(session):
    session.git("init", "-q")

    def said(name, number, event, **more):
        payload = {"hook_event_name": event, "session_id": f"s{number}", "cwd": str(session.root), **more}
        reply = session.app.answer(name, json.dumps(payload).encode(), str(session.root), seconds=60, environment={})
        session.app.flush()
        return reply.stdout.decode()

    return said


def write_by_command(say, session, name, number, text):
    session.put("README.md", "x\n")
    call = {"tool_name": "bash" if name == "opencode" else "Bash", "tool_input": {"command": "sh make.sh"}}
    before, after = (
        ("tool.execute.before", "tool.execute.after") if name == "opencode" else ("PreToolUse", "PostToolUse")
    )
    say(name, number, before, **call)
    session.put("side.py", text)
    say(name, number, after, **call)


@pytest.mark.parametrize("name", ["opencode", "codex"])
def test_what_a_turn_was_held_for_when_it_ended_is_told_once_more(name, say, session):
    start, end = ("session.created", "session.idle") if name == "opencode" else ("SessionStart", "Stop")
    say(name, 1, start)
    write_by_command(say, session, name, 1, BAD)
    assert '"block"' in say(name, 1, end), "opencode run has ended by now"
    assert "complexity/cyclomatic at side.py:1" in say(name, 2, start)
    assert "side.py" not in say(name, 1, start), "the session that is held knows it"
    write_by_command(say, session, name, 2, GOOD)
    assert "side.py" not in say(name, 2, start), "compacted: it has been told, and has worked since"
    assert '"block"' not in say(name, 2, end)
    assert "side.py" not in say(name, 3, start), "the last session is another one by now"
