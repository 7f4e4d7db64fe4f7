"""The rest of a session: what the model hears at its start, what a clean edit is not given, how a turn ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .model_server import Model, Say, Use
from .samples import PLAIN, TANGLED
from .session import Options

if TYPE_CHECKING:
    from .gate import Gate

PROMPT = "Please write the routing."


def write(gate: Gate, content: str) -> Use:
    return Use("Write", {"file_path": str(gate.project / "routing.py"), "content": content})


def test_the_model_is_told_at_the_start_which_gates_stand(gate: Gate) -> None:
    session = gate.session(Model({PROMPT: [Say("Hello.")]}))
    (start,) = session.hooks("SessionStart")
    assert start["exit_code"] == 0, start["stderr"]
    context = json.loads(start["stdout"])["hookSpecificOutput"]["additionalContext"]
    assert "vetgate" in context
    assert context.splitlines()[0] in session.model.requests[0].text


def test_a_clean_edit_gets_no_decision_so_the_users_own_permissions_hold(gate: Gate) -> None:
    session = gate.session(Model({PROMPT: [write(gate, PLAIN), Say("Oh.")]}), Options(mode="default"))
    (before,) = session.hooks("PreToolUse")
    assert (before["exit_code"], before["stdout"]) == (0, "")
    assert session.model.result(0).is_error
    assert [denial["tool_name"] for denial in session.outcome["permission_denials"]] == ["Write"]
    assert not (gate.project / "routing.py").exists()


def test_a_turn_ends_at_once_when_nothing_is_open(gate: Gate) -> None:
    session = gate.session(Model({PROMPT: [write(gate, TANGLED), write(gate, PLAIN), Say("Done.")]}))
    (stop,) = session.hooks("Stop")
    assert (stop["exit_code"], stop["stdout"]) == (0, "")
    assert [request.turn for request in session.model.requests] == [0, 1, 2]
    assert session.outcome["result"] == "Done."


def test_no_hook_of_a_whole_session_fails(gate: Gate) -> None:
    session = gate.session(Model({PROMPT: [write(gate, PLAIN), Say("Done.")]}))
    ends = [event for event in session.events if event.get("subtype") == "hook_response"]
    assert {end["hook_name"].partition(":")[0] for end in ends} >= {"SessionStart", "PreToolUse", "PostToolUse", "Stop"}
    assert [(end["hook_name"], end["outcome"], end["stderr"]) for end in ends if end["outcome"] != "success"] == []
