"""Gemini CLI's hooks: its payloads as events, verdicts as its answers; with `form.py` its wire format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from vetgate.agents.answers import BEFORE, answered, reply_with
from vetgate.agents.gemini import form
from vetgate.agents.gemini.known import CAPABILITIES, NAME
from vetgate.agents.hook_payload import event_of, loaded, session_in, shaped
from vetgate.model import EventKind, Reply

if TYPE_CHECKING:
    from vetgate.model import Event, EventSession, Verdict


def edit_payload(path: str, content: str, cwd: str, session: str) -> bytes:
    event = {
        "session_id": session,
        "cwd": cwd,
        "hook_event_name": "BeforeTool",
        "tool_name": "write_file",
        "tool_input": {"file_path": path, "content": content},
    }
    return json.dumps(event).encode()


def session_of(payload: bytes, event: str = "") -> EventSession | None:
    try:
        return session_in(shaped(form.shaped(loaded(payload), event)))
    except (ValueError, RecursionError, MemoryError):
        return None


def parse(payload: bytes, cwd: str, event: str = "") -> Event:
    """Raises ValueError for what is no hook payload at all."""
    raw = loaded(payload)
    read = shaped(form.shaped(raw, event))
    name = event or str(raw.get("hook_event_name"))
    return event_of(read, NAME, cwd, name=name, starts_agent=read.get("tool_name") == "Agent")


def render(event: Event, verdict: Verdict) -> Reply:
    said = answered(event, verdict, CAPABILITIES)
    if event.kind in BEFORE and said.refusal:
        return Reply(*form.denied({}, said.refusal))
    answer: dict[str, Any] = {"decision": "deny", "reason": said.refusal} if said.refusal else {}
    if said.context and event.kind not in {EventKind.STOP, EventKind.SESSION_END}:
        answer["hookSpecificOutput"] = {"hookEventName": event.name, "additionalContext": said.context}
    if said.summary:
        answer["systemMessage"] = said.summary
    return reply_with(answer)
