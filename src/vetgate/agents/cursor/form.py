"""Cursor's payloads in the shape that every tier reads, and its answers. Stdlib only: the last tier loads it alone.

From its documents; nothing here was seen. Our entries ask it to fail closed, and then a hook that prints nothing counts
as failed: what passes is answered with an empty object. `ask` runs the command in one of its modes, so it is a refusal.
"""

import json
from typing import Any

from vetgate.tool_input import renamed

GUARDS = ("preToolUse",)
READS = ("Read", "Grep", "Glob", "LS", "SemanticSearch", "WebFetch", "WebSearch", "ReadLints")
TOOL = "tool_name"
SILENCE = b"{}"
EVENTS = {
    "sessionStart": "SessionStart",
    "sessionEnd": "SessionEnd",
    "beforeSubmitPrompt": "UserPromptSubmit",
    "preToolUse": "PreToolUse",
    "postToolUse": "PostToolUse",
    "postToolUseFailure": "PostToolUseFailure",
    "subagentStop": "SubagentStop",
    "stop": "Stop",
}
_TOOLS = {
    "Write": "Write",
    "StrReplace": "Edit",
    "Edit": "Edit",
    "MultiEdit": "MultiEdit",
    "Shell": "Bash",
    "Bash": "Bash",
    "Read": "Read",
    "Grep": "Grep",
    "Glob": "Glob",
    "LS": "LS",
    "Task": "Agent",
    "ApplyPatch": "ApplyPatch",
    "Delete": "mcp__files__delete_file",
}
_FIELDS = {"glob_pattern": "pattern", "target_directory": "path", "contents": "content"}


def shaped(raw: dict[str, Any], name: str) -> dict[str, Any] | None:
    own = str(name or raw.get("hook_event_name"))
    roots = raw.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else None
    placed = renamed({**raw, "cwd": raw.get("cwd") or first}, _TOOLS, _FIELDS, "working_directory")
    event = {
        **placed,
        "hook_event_name": EVENTS.get(own, own),
        "session_id": raw.get("conversation_id") or raw.get("session_id"),
        "stop_hook_active": bool(raw.get("loop_count")) or bool(raw.get("stop_hook_active")),
        "form": "own" if own in EVENTS else "borrowed",
    }
    tool, given = raw.get("tool_name"), event.get("tool_input")
    if isinstance(tool, str) and tool.startswith("MCP:"):
        event["tool_name"] = f"mcp__{tool.removeprefix('MCP:').strip().replace(':', '__')}"
    if event.get("tool_name") == "Read" and isinstance(given, dict):
        event["tool_input"] = {"file_path": given.get("path"), **given}
    return event


def denied(event: dict[str, Any], reason: str) -> tuple[int, bytes, bytes]:
    text = reason.strip() or "vetgate stopped this call"
    answer: dict[str, Any] = {"permission": "deny", "user_message": text, "agent_message": text}
    if event.get("form") == "borrowed":
        nested = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": text}
        return 2, json.dumps({"hookSpecificOutput": nested}).encode("ascii"), f"{text}\n".encode("utf-8", "replace")
    return 0, json.dumps(answer).encode("ascii"), f"{text}\n".encode("utf-8", "replace")


def passed(_event: dict[str, Any], text: str) -> tuple[int, bytes, bytes]:
    return 0, SILENCE, f"{text}\n".encode("utf-8", "replace")
