"""What Copilot CLI keeps of a session (`events.jsonl`): as a conversation, and as calls that can be judged again."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from vetgate.agents.conversation import Speaker
from vetgate.agents.copilot import form
from vetgate.agents.copilot.known import config_dir
from vetgate.agents.hook_payload import text_in
from vetgate.agents.session_log import (
    Entry,
    LogFormat,
    LoggedCall,
    LoggedResult,
    LoggedWords,
    Origin,
    object_at,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_DENIED, _HELD = "Denied by preToolUse hook", "vetgate: "


def transcripts(project: Path) -> tuple[Path, ...]:
    files = (config_dir(os.environ) / "session-state").glob("*/events.jsonl")
    return _FORMAT.below(project, files)


def _origin(first: Mapping[str, Any], _file: Path) -> Origin:
    started = object_at(first, "data") if first.get("type") == "session.start" else {}
    return Origin(text_in(started, "sessionId"), text_in(object_at(started, "context"), "cwd"))


def _entries(records: Iterable[dict[str, Any]]) -> list[Entry]:
    kept: dict[str, dict[str, Any]] = {}
    for record in records:
        data = object_at(record, "data")
        if record.get("type") == "session.snapshot_rewind":
            kept = _without(kept, data)
        else:
            kept[text_in(record, "id")] = record
    return [entry for record in kept.values() for entry in _of_event(record)]


def _without(kept: Mapping[str, dict[str, Any]], data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    names, first = list(kept), text_in(data, "upToEventId")
    listed = data.get("eventIds")
    gone = listed if isinstance(listed, list) else names[names.index(first) if first in kept else 0 :]
    return {name: record for name, record in kept.items() if name not in gone}


def _of_event(event: Mapping[str, Any]) -> Iterator[Entry]:
    kind, data, at = event.get("type"), object_at(event, "data"), text_in(event, "timestamp")
    is_inside = bool(event.get("agentId"))  # of a subagent
    if kind == "user.message" and not is_inside:
        yield from _asked(data)
    elif kind == "assistant.message" and not is_inside and text_in(data, "content").strip():
        yield LoggedWords(Speaker.ASSISTANT, text_in(data, "content").strip())
    elif kind == "session.compaction_complete" and text_in(data, "summaryContent"):
        yield LoggedWords(Speaker.SUMMARY, text_in(data, "summaryContent"))
    elif kind == "tool.execution_start":
        payload = {"toolName": text_in(data, "toolName"), "toolArgs": data.get("arguments")}
        raw = form.shaped(payload, "preToolUse") or {}
        given = raw.get("tool_input")
        yield LoggedCall(
            text_in(data, "toolCallId"), text_in(raw, "tool_name"), given if isinstance(given, dict) else {}, at
        )
    elif kind == "tool.execution_complete":
        yield _answered(data)


def _asked(data: Mapping[str, Any]) -> Iterator[LoggedWords]:
    """What the client put in a person's place has a source."""
    text = text_in(data, "content").strip()
    is_by_client = data.get("source") or data.get("isAutopilotContinuation") or text.startswith(_HELD)
    if text and not is_by_client:
        yield LoggedWords(Speaker.USER, text)


def _answered(data: Mapping[str, Any]) -> LoggedResult:
    error = text_in(object_at(data, "error"), "message")
    is_denied = error.startswith(_DENIED) or object_at(data, "error").get("code") == "denied"
    return LoggedResult(
        text_in(data, "toolCallId"),
        error or text_in(object_at(data, "result"), "content"),
        failed=data.get("success") is False and not is_denied,
        denied=is_denied,
    )


_FORMAT = LogFormat(_origin, _entries, b'"user.message"', frozenset({"Agent"}))
recent, calls = _FORMAT.recent, _FORMAT.calls
