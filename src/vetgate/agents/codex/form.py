"""Codex's payloads in the shape that every tier reads, and its answers. Stdlib only: the last tier loads it alone.

Codex 0.166.0 lets an edit pass on a refusal without a reason, on exit status 2 without text on standard error, on any
field that it does not know, and on every failure of the hook. So a refusal is exit status 2 with a reason, and nothing
else is ever said on standard output but what it was seen to take.
"""

import json
from typing import Any

GUARDS = ("PreToolUse",)
READS = ("view_image", "tool_search")
TOOL = "tool_name"
_TOOLS = {"view_image": "Read", "tool_search": "ToolSearch"}


def shaped(raw: dict[str, Any], name: str) -> dict[str, Any] | None:
    event = {**raw, "hook_event_name": name or raw.get("hook_event_name")}
    tool, given = raw.get("tool_name"), raw.get("tool_input")
    if tool == "apply_patch":
        text = given.get("command") if isinstance(given, dict) else given
        event |= {"tool_name": "ApplyPatch", "tool_input": {"patch": text}}
    elif tool == "view_image" and isinstance(given, dict):
        event |= {"tool_name": "Read", "tool_input": {**given, "file_path": given.get("path")}}
    elif isinstance(tool, str):
        event["tool_name"] = _TOOLS.get(tool, tool)
    return event


def denied(_event: dict[str, Any], reason: str) -> tuple[int, bytes, bytes]:
    text = reason.strip() or "vetgate stopped this call"
    nested = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": text}
    return 2, json.dumps({"hookSpecificOutput": nested}).encode("ascii"), f"{text}\n".encode("utf-8", "replace")


def passed(_event: dict[str, Any], text: str) -> tuple[int, bytes, bytes]:
    return 0, json.dumps({"systemMessage": text}).encode("ascii"), b""
