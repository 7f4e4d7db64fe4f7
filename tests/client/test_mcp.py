"""The MCP server as `vetgate init` registers it, asked by the real client before the model writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .gate import PERSON
from .model_server import Model, Say, Use
from .samples import PLAIN, TANGLED
from .session import Options

if TYPE_CHECKING:
    from .gate import Gate

PROMPT = "Please write the routing."
CHECK = "mcp__vetgate__check"


def test_the_model_asks_before_it_writes_and_writes_what_passes(gate: Gate) -> None:
    told = gate.vetgate("init", "--yes", program=PERSON)
    assert told.returncode == 0, told.stderr
    target = gate.project / "routing.py"

    def check(content: str) -> Use:
        return Use(CHECK, {"paths": ["routing.py"], "content": content})

    replies = [
        check(TANGLED),
        check(PLAIN),
        Use("Write", {"file_path": str(target), "content": PLAIN}),
        Say("Done."),
    ]
    session = gate.session(Model({PROMPT: replies}), Options(arguments=("--allowedTools", CHECK)))
    begun = next(event for event in session.events if event.get("subtype") == "init")
    assert begun["mcp_servers"][0]["name"] == "vetgate"
    assert begun["mcp_servers"][0]["status"] != "failed", "it may still be starting"
    tangled, plain = (json.loads(session.model.result(number).text) for number in range(2))
    assert tangled["verdict"] == "block"
    assert {each["check"] for each in tangled["findings"]} == {"complexity"}
    assert plain["verdict"] == "allow"
    assert target.read_text() == PLAIN
    read = json.dumps([request.body for request in session.model.requests])
    assert "Ask before you write" in read
