"""Qwen Code's hooks: its payloads as events, verdicts as its answers; with `form.py` its wire format."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from vetgate.agents.answers import BEFORE, answered, reply_with
from vetgate.agents.hook_payload import event_of, session_by, shaped, tool_payload
from vetgate.agents.qwen import form
from vetgate.agents.qwen.known import CAPABILITIES, NAME
from vetgate.model import EventKind, Reply

if TYPE_CHECKING:
    from vetgate.model import Event, Verdict


def edit_payload(path: str, content: str, cwd: str, session: str) -> bytes:
    return tool_payload("PreToolUse", "write_file", {"file_path": path, "content": content}, cwd, session)


session_of = partial(session_by, form.shaped)


def parse(payload: bytes, cwd: str, event: str = "") -> Event:
    """Raises ValueError for what is no hook payload at all."""
    raw = shaped(form.shaped, payload, event)
    return event_of(raw, NAME, cwd, starts_agent=raw.get("tool_name") == "Agent")


def render(event: Event, verdict: Verdict) -> Reply:
    """Where nobody is there to be asked it takes a question for a refusal."""
    said = answered(event, verdict, CAPABILITIES)
    if event.kind in BEFORE and said.refusal:
        return Reply(*form.denied({}, said.refusal))
    nested: dict[str, Any] = {}
    if said.question:
        nested = {"permissionDecision": "ask", "permissionDecisionReason": said.question}
    elif said.context and event.kind not in {EventKind.STOP, EventKind.SESSION_END}:
        nested = {"additionalContext": said.context}
    answer: dict[str, Any] = {"decision": "block", "reason": said.refusal} if said.refusal else {}
    answer |= {"hookSpecificOutput": {"hookEventName": event.name, **nested}} if nested else {}
    answer |= {"systemMessage": said.summary} if said.summary else {}
    return reply_with(answer)
