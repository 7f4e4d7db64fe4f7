"""The latest part of a session that still runs: what was said, called and answered, as far as somebody asks for it."""

from __future__ import annotations

import enum
from dataclasses import dataclass


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
    at: str = ""


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
