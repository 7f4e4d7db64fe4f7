"""Sessions of an agent: the latest part of one that runs, as far as somebody asks for it, and the calls of one over."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.tool_input import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vetgate.source.edit import Proposal


class Speaker(enum.StrEnum):
    USER = "user"  # a person's own words, and nothing that the client wrote in their place
    ASSISTANT = "assistant"
    CALL = "call"  # of a tool
    RESULT = "result"  # of such a call
    TASK = "task"  # what another agent told this one to do
    SUMMARY = "summary"  # what the client kept of a part that it compacted; a model's words


@dataclass(frozen=True, slots=True)
class Preset:
    """How much of a conversation a judge sees: so many of the latest messages of each kind.

    `tools` counts calls, and their results apart. Longer texts are shown cut in their middle to `characters`.
    """

    users: int
    assistants: int = 0
    tools: int = 0
    characters: int = 2_000


@dataclass(frozen=True, slots=True)
class TranscriptMessage:
    """`call` joins a result to its call; `is_command`: that runs a command; `is_report`: what others did is told there.

    A result `failed` when the tool said so; one that was `denied` never ran.
    """

    speaker: Speaker
    text: str
    tool: str = ""
    call: str = ""
    failed: bool = False
    denied: bool = False
    is_command: bool = False
    is_report: bool = False


@dataclass(frozen=True, slots=True)
class Conversation:
    """Oldest first. `rewound`: a person went back, and what followed there is left out; `compacted`: see `Speaker`.

    `plan` is the latest plan of the agent that a person agreed to, where it is still near. Whoever shows a message cuts
    it to `characters`.
    """

    messages: tuple[TranscriptMessage, ...] = ()
    rewound: bool = False
    compacted: bool = False
    plan: str = ""
    characters: int = 2_000

    def of(self, *speakers: Speaker) -> tuple[TranscriptMessage, ...]:
        return tuple(message for message in self.messages if message.speaker in speakers)


NO_CONVERSATION = Conversation()


def latest(
    messages: Sequence[TranscriptMessage], preset: Preset, reports: frozenset[str] = frozenset()
) -> tuple[TranscriptMessage, ...]:
    """The latest of each kind; the latest summary always. A result has the tool of its call, and comes with it.

    `reports` are the tools whose results tell what others did.
    """
    left = {
        Speaker.USER: preset.users,
        Speaker.ASSISTANT: preset.assistants,
        Speaker.CALL: preset.tools,
        Speaker.RESULT: preset.tools,
        Speaker.TASK: preset.users,
        Speaker.SUMMARY: 1,
    }
    names = {each.call: each.tool for each in messages if each.speaker is Speaker.CALL}
    chosen: list[TranscriptMessage] = []
    answered: set[str] = set()  # calls whose results were chosen: what they are about says what may be shown of those
    for message in reversed(messages):
        is_answered = message.speaker is Speaker.CALL and message.call in answered
        if left[message.speaker] > 0 or is_answered:
            left[message.speaker] -= 1
            answered |= {message.call} if message.speaker is Speaker.RESULT else set()
            tool = message.tool or names.get(message.call, "")
            chosen.append(replace(message, tool=tool, is_command=tool in COMMANDS, is_report=tool in reports))
    return tuple(chosen[::-1])


@dataclass(frozen=True, slots=True)
class Hunk:
    """Some lines of a file as the client replaced them; `start` counts from 1."""

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeenText:
    """The text of a file as a call found it; None where there was none."""

    path: Path
    text: str | None


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One call of a tool: an edit, a command, or a look at a file, which only `found` something.

    `refused` is one that a hook or a person stopped. `hunks` are there when a person changed what was proposed.
    """

    id: str
    session: str
    at: str
    cwd: Path
    proposals: tuple[Proposal, ...] = ()
    command: str = ""
    found: SeenText | None = None
    refused: bool = False
    hunks: tuple[Hunk, ...] = ()
