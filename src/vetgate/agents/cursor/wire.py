"""Cursor's hooks: its payloads as events, verdicts as its answers; with `form.py` its wire format."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from vetgate.agents.answers import BEFORE, answered, reply_with
from vetgate.agents.cursor import form
from vetgate.agents.cursor.known import CAPABILITIES, NAME
from vetgate.agents.hook_payload import event_of, session_by, shaped
from vetgate.model import EventKind, Reply

if TYPE_CHECKING:
    from vetgate.model import Event, Verdict

_BORROWED = "borrowed "  # before the name of an event that came by the settings of another agent
_TOLD = frozenset({EventKind.SESSION_START, EventKind.AFTER_EDIT, EventKind.AFTER_COMMAND, EventKind.AFTER_TOOL})


def edit_payload(path: str, content: str, cwd: str, session: str) -> bytes:
    event = {
        "conversation_id": session,
        "cwd": cwd,
        "hook_event_name": "preToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": path, "content": content},
        "workspace_roots": [cwd],
    }
    return json.dumps(event).encode()


session_of = partial(session_by, form.shaped)


def parse(payload: bytes, cwd: str, event: str = "") -> Event:
    """Raises ValueError for what is no hook payload at all."""
    raw = shaped(form.shaped, payload, event)
    name = f"{_BORROWED if raw['form'] == 'borrowed' else ''}{raw['hook_event_name']}"
    return event_of(raw, NAME, cwd, name=name, starts_agent=raw.get("tool_name") == "Agent")


def render(event: Event, verdict: Verdict) -> Reply:
    """What passes is said as well: it asked us to."""
    said = answered(event, verdict, CAPABILITIES)
    is_borrowed = event.name.startswith(_BORROWED)
    if event.kind in BEFORE and said.refusal:
        return Reply(*form.denied({"form": "borrowed" if is_borrowed else "own"}, said.refusal))
    answer: dict[str, Any] = {}
    if said.refusal and is_borrowed:
        answer = {"decision": "block", "reason": said.refusal}
    elif said.refusal and event.kind is EventKind.PROMPT:
        answer = {"continue": False, "user_message": said.refusal}
    elif said.refusal:
        answer = {"followup_message": said.refusal}
    elif said.context and event.kind in _TOLD and not is_borrowed:
        answer = {"additional_context": said.context}
    return reply_with(answer) if answer else Reply(0, form.SILENCE)
