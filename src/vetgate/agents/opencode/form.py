"""What our plugin in OpenCode sends, in the shape that every tier reads, and what it is told. Stdlib only.

The plugin stops a call whenever it is not told in time and in JSON that the call may go on: that form is ours alone.
"""

import json
from typing import Any

from vetgate.tool_input import renamed

GUARDS = ("tool.execute.before",)
READS = ("read", "grep", "glob", "list", "webfetch", "websearch", "codesearch", "todoread", "todowrite", "question")
TOOL = "tool_name"
EVENTS = {
    "session.created": "SessionStart",
    "chat.message": "UserPromptSubmit",
    "tool.execute.before": "PreToolUse",
    "tool.execute.after": "PostToolUse",
    "session.idle": "Stop",
}
_TOOLS = {
    "write": "Write",
    "edit": "Edit",
    "bash": "Bash",
    "read": "Read",
    "grep": "Grep",
    "glob": "Glob",
    "webfetch": "WebFetch",
    "websearch": "WebSearch",
    "apply_patch": "ApplyPatch",
    "patch": "ApplyPatch",
    "task": "Agent",
    "batch": "Batch",
}
_FIELDS = {
    "filePath": "file_path",
    "oldString": "old_string",
    "newString": "new_string",
    "replaceAll": "replace_all",
    "patchText": "patch",
    "include": "glob",
}
_RESOURCES = ("list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource")
_OWN = frozenset({*_TOOLS, *READS, *_RESOURCES, "skill", "lsp", "invalid", "plan_enter", "plan_exit"})


def shaped(raw: dict[str, Any], name: str) -> dict[str, Any] | None:
    own = name or raw.get("hook_event_name")
    event = {**renamed(raw, _TOOLS, _FIELDS, "workdir"), "hook_event_name": EVENTS.get(str(own), own)}
    tool = raw.get("tool_name")
    if isinstance(tool, str) and tool not in _OWN:
        event["tool_name"] = f"mcp__{tool.replace('_', '__', 1)}"  # a server's name, and its tool's
    return event


def denied(_event: dict[str, Any], reason: str) -> tuple[int, bytes, bytes]:
    text = reason.strip() or "vetgate stopped this call"
    return 0, json.dumps({"decision": "deny", "reason": text}).encode("ascii"), b""


def passed(_event: dict[str, Any], text: str) -> tuple[int, bytes, bytes]:
    return 0, b"", f"{text}\n".encode("utf-8", "replace")
