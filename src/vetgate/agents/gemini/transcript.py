"""What Gemini CLI keeps of a session (`chats/session-*.jsonl`): as a conversation, and as calls to judge again.

A message is written anew when there is more to say of it; the last line counts. Lines with `$set` replace all of them,
lines with `$rewindTo` take them back.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.agents.conversation import SeenText, Speaker
from vetgate.agents.gemini import form
from vetgate.agents.hook_payload import text_in
from vetgate.agents.hook_settings import object_in
from vetgate.agents.session_log import (
    Entry,
    LogFormat,
    LoggedCall,
    LoggedResult,
    LoggedWords,
    Origin,
    is_below,
    newest_last,
    object_at,
    objects,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_BLOCKED = "Tool execution blocked: "
_CLIENT = ("<session_context>", "<hook_context>", "vetgate: ")


def _folders() -> dict[str, str]:
    """Of each project the name of its folder."""
    try:
        text = (Path.home() / ".gemini" / "projects.json").read_text("utf-8")
    except (OSError, ValueError):
        return {}
    known = object_at(object_in(text), "projects")
    return {path: name for path, name in known.items() if isinstance(name, str)}


def transcripts(project: Path) -> tuple[Path, ...]:
    """Those of sessions in this folder and those below it, oldest first."""
    names = [name for path, name in _folders().items() if is_below(project, path)]
    chats = (Path.home() / ".gemini" / "tmp" / name / "chats" for name in names)
    return newest_last(file for folder in chats for file in folder.glob("**/*.jsonl"))


def _origin(first: Mapping[str, Any], file: Path) -> Origin:
    """The folder is in no line of the file; that which holds it is named for it."""
    names = {name: path for path, name in _folders().items()}
    cwd = next((names[each.name] for each in file.parents if each.name in names), "")
    return Origin(text_in(first, "sessionId"), cwd, first.get("kind", "main") != "main")


def _entries(records: Iterable[dict[str, Any]]) -> list[Entry]:
    kept: dict[str, dict[str, Any]] = {}
    for record in records:
        if "$rewindTo" in record:
            names = list(kept)
            start = names.index(first) if (first := text_in(record, "$rewindTo")) in kept else 0
            kept = {name: kept[name] for name in names[:start]}
        elif isinstance(object_at(record, "$set").get("messages"), list):
            kept = {text_in(each, "id"): each for each in objects(record["$set"]["messages"])}
        elif text_in(record, "id"):
            kept[record["id"]] = record
    return [entry for record in kept.values() for entry in _of_message(record)]


def _of_message(message: Mapping[str, Any]) -> Iterator[Entry]:
    content = message.get("content")
    text = content if isinstance(content, str) else "\n".join(text_in(each, "text") for each in objects(content))
    if message.get("type") == "user":
        words = form.asked(text).strip()
        if words and not words.startswith(_CLIENT):
            yield LoggedWords(Speaker.USER, words)
    elif message.get("type") == "gemini":
        if text.strip():
            yield LoggedWords(Speaker.ASSISTANT, text.strip())
        for call in objects(message.get("toolCalls")):
            yield _called(call)
            yield _answered(call)


def _called(call: Mapping[str, Any]) -> LoggedCall:
    payload = {"hook_event_name": "BeforeTool", "tool_name": text_in(call, "name")}
    raw = form.shaped({**payload, "tool_input": object_at(call, "args")}, "") or {}
    return LoggedCall(
        text_in(call, "id"), raw["tool_name"], raw["tool_input"], text_in(call, "timestamp"), text_in(raw, "cwd")
    )


def _answered(call: Mapping[str, Any]) -> LoggedResult:
    said = [object_at(object_at(each, "functionResponse"), "response") for each in objects(call.get("result"))]
    text = "\n".join(text_in(each, "output") or text_in(each, "error") for each in said)
    is_denied = text.startswith(_BLOCKED)
    display = object_at(call, "resultDisplay")
    return LoggedResult(
        text_in(call, "id"),
        text,
        failed=call.get("status") == "error" and not is_denied,
        denied=is_denied,
        found=_found(display),
    )


def _found(display: Mapping[str, Any]) -> SeenText | None:
    path, before = text_in(display, "filePath"), display.get("originalContent")
    if not path or not isinstance(before, str):
        return None
    return SeenText(Path(path), None if display.get("isNewFile") is True else before)


_FORMAT = LogFormat(_origin, _entries, b'"type":"user"', frozenset({"Agent"}))
recent, calls = _FORMAT.recent, _FORMAT.calls
