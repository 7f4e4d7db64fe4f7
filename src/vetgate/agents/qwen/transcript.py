"""What Qwen Code keeps of a session (`chats/*.jsonl`): as a conversation, and as calls that can be judged again.

The lines form a tree by `parentUuid`: what a person went back before is no part of the conversation.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.agents.conversation import SeenText, Speaker
from vetgate.agents.hook_payload import text_in
from vetgate.agents.qwen import form
from vetgate.agents.session_log import (
    Entry,
    LogFormat,
    LoggedCall,
    LoggedResult,
    LoggedWords,
    Origin,
    object_at,
    objects,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_HELD = "vetgate: "


def transcripts(project: Path) -> tuple[Path, ...]:
    name = re.sub(r"[^a-zA-Z0-9]", "-", str(project))
    files = (Path.home() / ".qwen" / "projects").glob(f"{name}*/chats/*.jsonl")
    return _FORMAT.below(project, files)


def _entries(records: Iterable[dict[str, Any]]) -> list[Entry]:
    return [entry for record in _chain(list(records)) for entry in _of_record(record)]


def _chain(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The last line and those it answers; where the one above is not among them, whatever stands before."""
    places = {text_in(record, "uuid"): number for number, record in enumerate(records)}
    kept, number = [], len(records) - 1
    while number >= 0:
        kept.append(records[number])
        number = min(places.get(text_in(records[number], "parentUuid"), number - 1), number - 1)
    return kept[::-1]


def _of_record(record: Mapping[str, Any]) -> Iterator[Entry]:
    kind, at, cwd = record.get("type"), text_in(record, "timestamp"), text_in(record, "cwd")
    parts = objects(object_at(record, "message").get("parts"))
    text = "\n".join(text_in(each, "text") for each in parts if not each.get("thought")).strip()
    if kind == "user" and record.get("provenance", "real_user") == "real_user":
        if text and not text.startswith(_HELD):
            yield LoggedWords(Speaker.USER, text)
    elif kind == "assistant":
        if text:
            yield LoggedWords(Speaker.ASSISTANT, text)
        yield from (_called(object_at(each, "functionCall"), at, cwd) for each in parts if "functionCall" in each)
    elif kind == "tool_result":
        result = object_at(record, "toolCallResult")
        for each in parts:
            yield _answered(object_at(each, "functionResponse"), result)


def _called(call: Mapping[str, Any], at: str, cwd: str) -> LoggedCall:
    payload = {"hook_event_name": "PreToolUse", "cwd": cwd, "tool_name": text_in(call, "name")}
    raw = form.shaped({**payload, "tool_input": object_at(call, "args")}, "") or {}
    return LoggedCall(text_in(call, "id"), raw["tool_name"], raw["tool_input"], at, text_in(raw, "cwd"))


def _answered(response: Mapping[str, Any], result: Mapping[str, Any]) -> LoggedResult:
    said = object_at(response, "response")
    denied = result.get("errorType") == "execution_denied"
    return LoggedResult(
        text_in(response, "id"),
        text_in(said, "output") or text_in(said, "error"),
        failed=result.get("status") == "error" and result.get("errorType") != "shell_execute_error" and not denied,
        denied=denied,
        found=found_in(result.get("resultDisplay"), text_in(response, "name")),
    )


def found_in(display: object, tool: str) -> SeenText | None:
    """The file as an edit found it; an empty one that was written may not have been there."""
    path = text_in(display, "filePath")
    if not path or not isinstance(display, dict) or not isinstance(display.get("originalContent"), str):
        return None
    before = display["originalContent"]
    return SeenText(Path(path), before or (None if tool == "write_file" else ""))


_FORMAT = LogFormat(
    lambda first, _: Origin(text_in(first, "sessionId"), text_in(first, "cwd")),
    _entries,
    b'"type":"user"',
    frozenset({"Agent"}),
)
recent, calls = _FORMAT.recent, _FORMAT.calls
