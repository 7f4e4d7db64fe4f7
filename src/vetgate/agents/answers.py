"""What a verdict says, put together for agents that take one answer: what is refused, what is told, and for whom."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.model import Decision, EventKind, Reply

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.agents import Capabilities
    from vetgate.model import Event, Verdict

BEFORE = frozenset({EventKind.BEFORE_EDIT, EventKind.BEFORE_COMMAND, EventKind.BEFORE_TOOL})
_ENDS = frozenset({EventKind.STOP, EventKind.SUBAGENT_STOP})
WITHOUT_WORDS = "vetgate stopped this call. In a terminal: `vetgate log` says why"
_REFUSAL, _QUESTION, _CONTEXT = "refusal", "question", "context"
_HALTED = "Do not try again: tell the person, and wait for them."


class Answered(NamedTuple):
    """`refusal` is why it does not go on, never empty where it does not; `question` that a person is asked instead.

    `context` is for the agent, `summary` for the person.
    """

    refusal: str = ""
    question: str = ""
    context: str = ""
    summary: str = ""


def answered(event: Event, verdict: Verdict, capabilities: Capabilities) -> Answered:
    """Where nobody can be asked, a question is a refusal."""
    texts: dict[str, list[str]] = {_REFUSAL: [], _QUESTION: [], _CONTEXT: []}
    for message in verdict.messages:
        place = _place(event, message.decision, capabilities)
        # What the person alone is told may hold a code, and never reaches the agent in its place.
        if text := message.text or (WITHOUT_WORDS if place != _CONTEXT and message.summary else ""):
            texts[place].append(text)
    place = _place(event, verdict.decision, capabilities)
    if place != _CONTEXT and not texts[place]:
        texts[place].append(WITHOUT_WORDS)  # what nobody put into words is no pass
    if place == _REFUSAL and verdict.decision is Decision.HALT and event.kind in BEFORE:
        texts[_REFUSAL].append(_HALTED)
    summary = "\n".join(message.summary for message in verdict.messages if message.summary)
    refusal, question, context = ("\n\n".join(parts) for parts in texts.values())
    if event.kind in _ENDS and verdict.decision is Decision.HALT:  # then the turn ends, with a word
        return Answered(context="\n\n".join(filter(None, (refusal, context))), summary=summary or refusal)
    return Answered(refusal, question, context, summary)


def _place(event: Event, decision: Decision, capabilities: Capabilities) -> str:
    """What a decision is to this agent at this event."""
    if event.kind not in capabilities.held_on:
        return _CONTEXT
    if capabilities.holds(event.kind, decision):
        return _REFUSAL
    return _QUESTION if decision is Decision.ASK and event.kind in BEFORE else _CONTEXT


def encoded(answer: Mapping[str, Any]) -> bytes:
    """ASCII: no encoding on the way can damage it, and lone surrogates stay valid JSON."""
    return json.dumps(answer).encode("ascii") + b"\n"


def reply_with(answer: Mapping[str, Any]) -> Reply:
    """At most one object; nothing at all is the answer that lets everything go on."""
    return Reply(0, encoded(answer) if answer else b"")


def line(text: str) -> bytes:
    return f"{text}\n".encode("utf-8", "replace")
