"""The slash commands that init wrote, typed in the real client: what the model gets to read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from vetgate.agents.command_files import COMMAND_NAMES

from .gate import PERSON, VETGATE
from .model_server import Model, Say, Use
from .session import Options

if TYPE_CHECKING:
    from .gate import Gate

TYPED = "/review --scope changed app.py"


def test_typed_review_gives_the_model_our_command_and_the_context(gate: Gate) -> None:
    (gate.project / "app.py").write_text("x = 1\n")
    session = gate.session(Model({TYPED.partition(" ")[0]: [Say("The plan.")]}), prompt=TYPED)
    (hook,) = session.hooks("UserPromptSubmit")
    context = json.loads(hook["stdout"])["hookSpecificOutput"]["additionalContext"]
    head, facts = context.splitlines()
    known = json.loads(facts)
    assert (known["scope"], known["files"], known["paths"]) == ("changed", ["app.py"], ["app.py"])
    read = json.dumps([request.body for request in session.model.requests])
    assert head in read
    assert json.dumps(facts)[1:-1] in read
    assert "Proceed with the review? (yes/no)" in read
    assert "<command-name>/review</command-name>" in read
    assert session.outcome["result"] == "The plan."


def test_the_client_lists_the_agents_and_leaves_its_own_review_within_reach(gate: Gate) -> None:
    prompt = "Check the quality."
    told = "Run loop 1 now."
    start = Use("Task", {"subagent_type": "quality-checker", "description": "loop 1", "prompt": told})
    session = gate.session(Model({told: [Say("Loop 1 passed.")], prompt: [start, Say("Done.")]}), prompt=prompt)
    begun = next(event for event in session.events if event.get("subtype") == "init")
    assert {*COMMAND_NAMES, "vetgate-code-review", "code-review"} <= set(begun["slash_commands"])
    assert {"quality-checker", "git-agent"} <= set(begun["agents"])
    of_subagent = [request for request in session.model.requests if request.conversation == told]
    assert of_subagent
    assert "Never report a result that the command did not print." in json.dumps(of_subagent[0].body)


ASKS = {"check": ("src/app.py", "check"), "confirm": ("", "confirm"), "commit": ("Add a route", "commit")}
ASKS |= {"push": ("origin", "push")}


@pytest.mark.parametrize("name", ASKS)
def test_a_typed_command_lets_the_tool_of_that_name_be_called_without_a_question(gate: Gate, name: str) -> None:
    told = gate.vetgate("init", "--yes", program=PERSON)
    assert told.returncode == 0, told.stderr
    words, tool = ASKS[name]
    call = Use(f"mcp__vetgate__{tool}", {})
    session = gate.session(Model({f"/{name}": [call, Say("Told.")]}), prompt=f"/{name} {words}".strip())
    read = json.dumps([request.body for request in session.model.requests])
    assert f"<command-name>/{name}</command-name>" in read
    assert f"Call the tool `mcp__vetgate__{tool}`" in read
    assert words in read
    answer = session.model.result(0).text
    assert "permission" not in answer.lower()
    assert session.outcome["result"] == "Told."


def test_typed_vetgate_shows_the_state_of_the_gate(gate: Gate) -> None:
    """Its command runs without a question, and says what a person would read."""
    status = Use("Bash", {"command": "vetgate status", "description": "status"})
    options = Options(environment={**gate.environment, "PATH": f"{VETGATE.parent}:/usr/bin:/bin"})
    session = gate.session(Model({"/vetgate": [status, Say("It is on.")]}), options, prompt="/vetgate")
    read = json.dumps([request.body for request in session.model.requests])
    assert "<command-name>/vetgate</command-name>" in read
    answer = session.model.result(0)
    assert not answer.is_error, answer.text
    assert "vetgate on" in answer.text
