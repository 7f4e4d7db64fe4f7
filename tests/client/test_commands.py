"""The slash commands that init wrote, typed in the real client: what the model gets to read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vetgate.agents.command_files import COMMAND_NAMES

from .model_server import Model, Say, Use

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
