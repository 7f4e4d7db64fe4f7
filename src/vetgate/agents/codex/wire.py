"""Codex's hooks: its payloads as events, verdicts as its answers. Its wire format stays in here and in `form.py`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from vetgate.agents.answers import BEFORE, answered, reply_with
from vetgate.agents.codex import form
from vetgate.agents.codex.known import CAPABILITIES, NAME
from vetgate.agents.hook_payload import event_of, session_by, shaped, tool_payload
from vetgate.model import EventKind, Reply

if TYPE_CHECKING:
    from vetgate.model import Event, Verdict

_STARTS_AGENT = "spawn_agent"
# What it puts into a file of its own above some 2,500 tokens.
_CONTEXT_LIMIT = 9_000


def edit_payload(path: str, content: str, cwd: str, session: str) -> bytes:
    lines = "".join(f"+{line}\n" for line in content.splitlines())
    patch = f"*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n"
    return tool_payload("PreToolUse", "apply_patch", {"command": patch}, cwd, session)


session_of = partial(session_by, form.shaped)


def parse(payload: bytes, cwd: str, event: str = "") -> Event:
    """Raises ValueError for what is no hook payload at all."""
    raw = shaped(form.shaped, payload, event)
    return event_of(raw, NAME, cwd, starts_agent=str(raw.get("tool_name")).endswith(_STARTS_AGENT))


def render(event: Event, verdict: Verdict) -> Reply:
    """Only fields that it was seen to take: any other makes it drop the answer, and let the call pass."""
    said = answered(event, verdict, CAPABILITIES)
    if event.kind in BEFORE and said.refusal:
        return Reply(*form.denied({}, said.refusal))
    answer: dict[str, Any] = {}
    if said.refusal:
        answer = {"decision": "block", "reason": said.refusal}
    elif said.context and event.kind not in {EventKind.STOP, EventKind.SUBAGENT_STOP, EventKind.SESSION_END}:
        answer = {
            "hookSpecificOutput": {"hookEventName": event.name, "additionalContext": said.context[:_CONTEXT_LIMIT]}
        }
    elif said.summary:
        answer = {"systemMessage": said.summary}
    return reply_with(answer)
