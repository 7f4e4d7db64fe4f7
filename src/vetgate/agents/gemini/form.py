"""Gemini CLI's payloads in the shape that every tier reads, and its answers. Stdlib only: the last tier loads it alone.

Gemini CLI 0.61.0 lets an edit pass on exit status 1, on a signal, on a timeout, on a line before the JSON, and on a
refusal in the words of other agents; on `ask` it hangs. A refusal is its own JSON, with exit status 2 and the reason on
standard error for the case that somebody spoils the JSON.
"""

import json
from typing import Any

from vetgate.tool_input import renamed

GUARDS = ("BeforeTool",)
READS = ("read_file", "read_many_files", "list_directory", "glob", "search_file_content", "grep_search", "web_fetch")
TOOL = "tool_name"
_EVENTS = {
    "BeforeTool": "PreToolUse",
    "AfterTool": "PostToolUse",
    "BeforeAgent": "UserPromptSubmit",
    "AfterAgent": "Stop",
}
_TOOLS = {
    "write_file": "Write",
    "replace": "Edit",
    "run_shell_command": "Bash",
    "read_file": "Read",
    "list_directory": "LS",
    "glob": "Glob",
    "search_file_content": "Grep",
    "grep_search": "Grep",
    "web_fetch": "WebFetch",
    "google_web_search": "WebSearch",
    "invoke_agent": "Agent",
}
_FIELDS = {
    "allow_multiple": "replace_all",
    "absolute_path": "file_path",
    "dir_path": "path",
    "include": "glob",
    "include_pattern": "glob",
}
# What hooks say at the start of a headless session stands before the person's words, without a `<` or `>` of its own.
_CONTEXT, _CONTEXT_END = "<hook_context>", "</hook_context>"


def shaped(raw: dict[str, Any], name: str) -> dict[str, Any] | None:
    own = name or raw.get("hook_event_name")
    named = {"hook_event_name": _EVENTS.get(str(own), own), "own_event": str(own)}
    event = {**renamed(raw, _TOOLS, _FIELDS, "dir_path"), **named}
    server = raw.get("mcp_context")
    if isinstance(server, dict):
        event["tool_name"] = f"mcp__{server.get('server_name')}__{server.get('tool_name')}"
    response = raw.get("tool_response")
    if own == "AfterTool" and isinstance(response, dict) and response.get("error"):
        event["hook_event_name"] = "PostToolUseFailure"
    event["last_assistant_message"] = raw.get("prompt_response")
    if isinstance(raw.get("prompt"), str):
        event["prompt"] = asked(raw["prompt"])
    return event


def asked(prompt: str) -> str:
    """The person's own words."""
    if not prompt.startswith(_CONTEXT):
        return prompt
    return prompt.partition(_CONTEXT_END)[2].lstrip("\n")


def denied(_event: dict[str, Any], reason: str) -> tuple[int, bytes, bytes]:
    text = reason.strip() or "vetgate stopped this call"
    answer = json.dumps({"decision": "deny", "reason": text})
    return 2, answer.encode("ascii"), f"{text}\n".encode("utf-8", "replace")


def passed(_event: dict[str, Any], text: str) -> tuple[int, bytes, bytes]:
    return 0, json.dumps({"systemMessage": text}).encode("ascii"), b""
