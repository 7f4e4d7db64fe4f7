"""The last tier: what the agent is told when everything else is gone. Stdlib only, no configuration, no I/O."""

import json
from typing import Any

from vetgate.failure import CLOSED, FAILS, READS

# The checks of this build; a test compares it with the registry. Not looked up: the registry may be what broke.
CHECKS = ("complexity", "security", "hidden-text")

EDITS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
PATHS = ("file_path", "notebook_path", "path")
WAY_OUT = "In a terminal: vetgate doctor"
LONGEST = 300

Answer = tuple[int, bytes, bytes]  # exit status, stdout, stderr


def reply(payload: bytes, cause: str) -> Answer:
    event = _event_in(payload)
    if event is None:
        return 2, b"", _line(f"vetgate could not read the event: {cause or 'it is not a JSON object'}. {WAY_OUT}")
    tool = _text(event, "tool_name")
    if event["hook_event_name"] == "PreToolUse":
        return _before_tool(event, tool, cause)
    return 0, _object({"systemMessage": f"vetgate checked nothing here: {cause}. {WAY_OUT}"}), b""


def unverified(payload: bytes, cause: str) -> bytes | None:
    """What to remember about an edit that passes without having been checked."""
    event = _event_in(payload)
    if event is None or event["hook_event_name"] != "PreToolUse" or not _is_edit(event) or closed_checks():
        return None
    path = _path_of(event)
    return _object({"session": _text(event, "session_id"), "path": path, "cause": cause}) if path else None


def is_event(payload: bytes) -> bool:
    return _event_in(payload) is not None


def closed_checks() -> tuple[str, ...]:
    return tuple(check for check in CHECKS if FAILS.get(check) == CLOSED)


def _before_tool(event: dict[str, Any], tool: str, cause: str) -> Answer:
    if tool in READS:
        return 0, b"", b""
    what = _path_of(event) or tool or "this call"
    if closed := closed_checks():
        reason = f"vetgate could not check {what} ({', '.join(closed)}): {cause}. {WAY_OUT}"
        decision = {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
        return 2, _object({"hookSpecificOutput": decision}), _line(reason)
    rest = " It counts as unverified until it has been checked." if _is_edit(event) else ""
    return 0, _object({"systemMessage": f"vetgate could not check {what}: {cause}.{rest} {WAY_OUT}"}), b""


def _is_edit(event: dict[str, Any]) -> bool:
    tool = _text(event, "tool_name")
    return tool in EDITS or (tool.startswith("mcp__") and bool(_path_of(event)))


def _path_of(event: dict[str, Any]) -> str:
    given = event.get("tool_input")
    if not isinstance(given, dict):
        return ""
    return next((_text(given, name) for name in PATHS if _text(given, name)), "")


def _event_in(payload: bytes) -> dict[str, Any] | None:
    try:
        event = json.loads(payload)
    except (ValueError, RecursionError, MemoryError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("hook_event_name"), str) else None


def _text(source: dict[str, Any], name: str) -> str:
    value = source.get(name)
    return value[:LONGEST] if isinstance(value, str) else ""


def _object(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode("ascii")


def _line(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace") + b"\n"
