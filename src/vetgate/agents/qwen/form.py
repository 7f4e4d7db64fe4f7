"""Qwen Code's payloads in the shape that every tier reads, and its answers. Stdlib only: the last tier loads it alone.

Qwen Code 0.24.4 lets an edit pass on exit status 2 without text, on any other failure of the hook and on a timeout. A
refusal is exit status 2 with the reason on standard error, and the JSON beside it for the case that the status is lost.
"""

import json
from typing import Any

from vetgate.tool_input import renamed

GUARDS = ("PreToolUse",)
READS = ("read_file", "read_many_files", "list_directory", "glob", "grep_search", "search_file_content", "web_fetch")
TOOL = "tool_name"
_TOOLS = {
    "write_file": "Write",
    "edit": "Edit",
    "replace": "Edit",
    "notebook_edit": "NotebookEdit",
    "run_shell_command": "Bash",
    "read_file": "Read",
    "list_directory": "LS",
    "glob": "Glob",
    "search_file_content": "Grep",
    "grep_search": "Grep",
    "web_fetch": "WebFetch",
    "web_search": "WebSearch",
    "agent": "Agent",
}
_FIELDS = {"absolute_path": "file_path", "dir_path": "path", "include": "glob"}


def shaped(raw: dict[str, Any], name: str) -> dict[str, Any] | None:
    own = name or raw.get("hook_event_name")
    if own == "UserPromptSubmit" and not raw.get("prompt"):
        own = "ToolRound"  # it also says so after every round of tools, and nobody asked for anything
    # `stop_hook_active` is true at the first end of a turn already: as if it were held before, nothing is counted anew.
    return {**renamed(raw, _TOOLS, _FIELDS, "directory"), "hook_event_name": own, "stop_hook_active": own == "Stop"}


def denied(_event: dict[str, Any], reason: str) -> tuple[int, bytes, bytes]:
    text = reason.strip() or "vetgate stopped this call"
    nested = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": text}
    return 2, json.dumps({"hookSpecificOutput": nested}).encode("ascii"), f"{text}\n".encode("utf-8", "replace")


def passed(_event: dict[str, Any], text: str) -> tuple[int, bytes, bytes]:
    return 0, json.dumps({"systemMessage": text}).encode("ascii"), b""
