"""Copilot CLI's hooks: its payloads as events, verdicts as its answers; with `form.py` its wire format."""

from __future__ import annotations

import json
import os
from functools import partial
from typing import TYPE_CHECKING, Any

from vetgate.agents.answers import BEFORE, answered, reply_with
from vetgate.agents.copilot import form
from vetgate.agents.copilot.known import CAPABILITIES, NAME, config_dir
from vetgate.agents.hook_payload import event_of, session_by, shaped
from vetgate.model import EventKind, Reply

if TYPE_CHECKING:
    from vetgate.model import Event, Verdict

_ENDS = frozenset({EventKind.STOP, EventKind.SUBAGENT_STOP, EventKind.SESSION_END})
_NESTED = "nested "  # before the name of an event that came by the settings of another agent


def edit_payload(path: str, content: str, cwd: str, session: str) -> bytes:
    args = {"path": path, "file_text": content}
    return json.dumps({"sessionId": session, "cwd": cwd, "toolName": "create", "toolArgs": args}).encode()


session_of = partial(session_by, form.shaped)


def parse(payload: bytes, cwd: str, event: str = "") -> Event:
    """Raises ValueError for what is no hook payload at all."""
    raw = shaped(form.shaped, payload, event)
    raw["transcript_path"] = raw.get("transcript_path") or _log_of(str(raw.get("session_id") or ""))
    name = f"{_NESTED if raw['form'] == 'nested' else ''}{raw['hook_event_name']}"
    return event_of(raw, NAME, cwd, name=name, starts_agent=raw.get("tool_name") == "Agent")


def _log_of(session: str) -> str:
    """Most of its events do not say where it is."""
    if not session or "/" in session:
        return ""
    return str(config_dir(os.environ) / "session-state" / session / "events.jsonl")


def render(event: Event, verdict: Verdict) -> Reply:
    """Where nobody is there to be asked it takes a question for a refusal."""
    said = answered(event, verdict, CAPABILITIES)
    is_nested = event.name.startswith(_NESTED)
    if event.kind in BEFORE and said.refusal:
        return Reply(*form.denied({"form": "nested" if is_nested else "flat"}, said.refusal))
    if said.refusal:
        return reply_with({"decision": "block", "reason": said.refusal})
    answer: dict[str, Any] = {}
    if said.question:
        answer = {"permissionDecision": "ask", "permissionDecisionReason": said.question}
    elif said.context and event.kind not in _ENDS:
        answer = {"additionalContext": said.context}
    if is_nested and answer:
        return reply_with({"hookSpecificOutput": {"hookEventName": event.name.removeprefix(_NESTED), **answer}})
    return reply_with(answer)
