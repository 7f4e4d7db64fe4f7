"""What our plugin in OpenCode sends, as events, and verdicts as what it is told."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from vetgate.agents.answers import BEFORE, answered, reply_with
from vetgate.agents.hook_payload import event_of, session_by, shaped, tool_payload
from vetgate.agents.opencode import form
from vetgate.agents.opencode.known import CAPABILITIES, NAME
from vetgate.model import Reply

if TYPE_CHECKING:
    from vetgate.model import Event, Verdict


def edit_payload(path: str, content: str, cwd: str, session: str) -> bytes:
    return tool_payload("tool.execute.before", "write", {"filePath": path, "content": content}, cwd, session)


session_of = partial(session_by, form.shaped)


def parse(payload: bytes, cwd: str, event: str = "") -> Event:
    """Raises ValueError for what is nothing that the plugin sends."""
    raw = shaped(form.shaped, payload, event)
    return event_of(raw, NAME, cwd, starts_agent=raw.get("tool_name") == "Agent")


def render(event: Event, verdict: Verdict) -> Reply:
    said = answered(event, verdict, CAPABILITIES)
    if event.kind in BEFORE and said.refusal:
        return Reply(*form.denied({}, said.refusal))
    if said.refusal:
        return reply_with({"decision": "block", "reason": said.refusal})
    return reply_with({"context": said.context} if said.context else {})
