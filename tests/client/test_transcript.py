"""The conversation of a real session, read back from what the real client wrote down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.agents import agent
from vetgate.agents.conversation import Preset, Speaker

from .model_server import Model, Say, Use
from .session import Options, run

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.agents.conversation import Conversation

    from .session import Machine

FIRST, SECOND, TASK = "Please look around here.", "Now add the total.", "Count the files, subagent."
AGAIN = Options(arguments=("--continue",))


def main_transcript(home: Machine) -> Path:
    (path,) = (path for path in home.transcripts() if path.parent.name != "subagents")
    return path


def conversation(path: Path, subagent: str = "") -> Conversation:
    return agent("claude-code").transcript.recent(path, Preset(users=20, assistants=20, tools=20), subagent)


def said(found: Conversation, *speakers: Speaker) -> list[str]:
    return [message.text for message in found.of(*speakers)]


def test_a_session_that_goes_on_and_is_compacted(home: Machine) -> None:
    look = Use("Bash", {"command": "echo seen", "description": "look"})
    fails = Use("Bash", {"command": "false", "description": "fail"})
    run(home, Model({FIRST: [look, fails, Say("All seen.")]}))
    run(home, Model({SECOND: []}), AGAIN)
    found = conversation(main_transcript(home))
    assert said(found, Speaker.USER) == [FIRST, SECOND]
    assert said(found, Speaker.ASSISTANT)[0] == "All seen."
    assert [(each.text, each.failed, each.is_command) for each in found.of(Speaker.RESULT)] == [
        ("seen", False, True),
        ("Exit code 1", True, True),
    ]
    assert (found.rewound, found.compacted) == (False, False)
    run(home, Model({"/compact": []}), AGAIN)
    found = conversation(main_transcript(home))
    assert found.compacted
    assert said(found, Speaker.USER) == [FIRST, SECOND, "/compact"]
    assert len(said(found, Speaker.SUMMARY)) == 1


def test_a_subagent_is_told_what_to_do_by_an_agent(home: Machine) -> None:
    start = Use("Agent", {"description": "count", "prompt": TASK, "subagent_type": "general-purpose"})
    look = Use("Bash", {"command": "echo three", "description": "look"})
    run(home, Model({FIRST: [start, Say("Wait for it.")], TASK: [look, Say("There are three.")]}))
    (inside,) = (path for path in home.transcripts() if path.parent.name == "subagents")
    main = main_transcript(home)
    found = conversation(main, inside.stem.removeprefix("agent-"))
    assert said(found, Speaker.USER) == [FIRST]
    assert said(found, Speaker.TASK) == [TASK]
    assert said(found, Speaker.RESULT, Speaker.ASSISTANT) == ["three", "There are three."]
    # What the client writes when a subagent ends is nobody's word.
    assert said(conversation(main), Speaker.USER) == [FIRST]
    assert "There are three." not in said(conversation(main), Speaker.ASSISTANT)
