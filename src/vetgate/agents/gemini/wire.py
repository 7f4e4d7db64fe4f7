"""Gemini CLI's hooks: its payloads as events, verdicts as its answers; with `form.py` its wire format."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from vetgate.agents.answers import BEFORE, answered, reply_with
from vetgate.agents.gemini import form
from vetgate.agents.gemini.known import CAPABILITIES, NAME
from vetgate.agents.hook_payload import event_of, session_by, shaped, tool_payload
from vetgate.model import EventKind, Reply

if TYPE_CHECKING:
    from vetgate.model import Event, Verdict


def edit_payload(path: str, content: str, cwd: str, session: str) -> bytes:
    return tool_payload("BeforeTool", "write_file", {"file_path": path, "content": content}, cwd, session)


session_of = partial(session_by, form.shaped)


def parse(payload: bytes, cwd: str, event: str = "") -> Event:
    """Raises ValueError for what is no hook payload at all."""
    raw = shaped(form.shaped, payload, event)
    return event_of(raw, NAME, cwd, name=raw["own_event"], starts_agent=raw.get("tool_name") == "Agent")


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
