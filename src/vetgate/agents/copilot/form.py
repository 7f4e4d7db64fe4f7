"""Copilot CLI's payloads in the shape that every tier reads, and its answers. Stdlib only: the last tier loads it so.

Its own payloads do not name their event, so the registration does. Copilot also runs what stands in the settings of
another agent, with the events and tools of that one but fields of its own, and reads another form of answer there.
Copilot 1.0.102 stops a call when its hook fails, and lets it pass on a timeout and on a refusal in the wrong form, such
as one behind another line. So a refusal is JSON with exit status 2, in both forms where the one that was asked for is
not known. In the other agent's form it drops the reason on exit status 2: there the status is 0.
"""

import json
from typing import Any

GUARDS = ("preToolUse",)
READS = ("view", "grep", "rg", "glob", "web_fetch", "web_search", "read_bash", "list_bash")
TOOL = "toolName"
EVENTS = {
    "sessionStart": "SessionStart",
    "sessionEnd": "SessionEnd",
    "userPromptSubmitted": "UserPromptSubmit",
    "preToolUse": "PreToolUse",
    "postToolUse": "PostToolUse",
    "postToolUseFailure": "PostToolUseFailure",
    "agentStop": "Stop",
    "subagentStart": "SubagentStart",
    "subagentStop": "SubagentStop",
}
# Where nobody says the event its fields do, the first of these that is there.
_BY_FIELD = (
    *(
        ("toolResult", "postToolUse"),
        ("error", "postToolUseFailure"),
        ("toolName", "preToolUse"),
        ("stopReason", "agentStop"),
    ),
    *(("prompt", "userPromptSubmitted"), ("source", "sessionStart"), ("reason", "sessionEnd")),
)
_TOOLS = {
    "create": "Write",
    "edit": "Edit",
    "str_replace": "Edit",
    "bash": "Bash",
    "powershell": "PowerShell",
    "view": "Read",
    "grep": "Grep",
    "rg": "Grep",
    "glob": "Glob",
    "task": "Agent",
    "web_fetch": "WebFetch",
    "web_search": "WebSearch",
    "apply_patch": "ApplyPatch",
}
# Its databases are its own: the to-do list of the session, and what earlier ones did.
_OWN = frozenset(
    {
        *("report_intent", "update_todo", "ask_user", "skill", "store_memory", "read_bash", "stop_bash", "list_bash"),
        *("sql", "session_store_sql", "read_agent", "write_agent", "list_agents", "fetch_copilot_cli_documentation"),
    }
)


def shaped(raw: dict[str, Any], name: str) -> dict[str, Any] | None:
    """With `form`: how an answer has to look."""
    named = raw.get("hook_event_name")
    if isinstance(named, str) and named not in EVENTS:
        return _borrowed(raw)
    own = name or named or raw.get("hookName") or next((event for field, event in _BY_FIELD if field in raw), "")
    tool, given = raw.get("toolName"), raw.get("toolArgs", raw.get("toolInput"))
    result = raw.get("toolResult")
    event: dict[str, Any] = {
        "hook_event_name": EVENTS.get(str(own), str(own)),
        "session_id": raw.get("parentAgentId") or raw.get("sessionId"),
        "cwd": raw.get("cwd"),
        "prompt": raw.get("prompt"),
        "transcript_path": raw.get("transcriptPath"),
        "agent_id": raw.get("agentId") or (raw.get("parentAgentId") and raw.get("sessionId")),
        "agent_type": raw.get("agentType"),
        "stop_hook_active": raw.get("stop_hook_active"),
        "form": "flat",
    }
    if own == "agentStop" and raw.get("agentId"):
        event["hook_event_name"] = "SubagentStop"
    if own == "postToolUse" and isinstance(result, dict) and result.get("resultType") not in {None, "success"}:
        event["hook_event_name"] = "PostToolUseFailure"
    if isinstance(tool, str):
        event |= _call(tool, given)
    return event


def _call(tool: str, given: Any) -> dict[str, Any]:
    if isinstance(given, str):
        given = _object(given)
    named = _TOOLS.get(tool)
    if tool == "str_replace_editor":  # of other versions; inserting is nothing that is read here, and refused
        what = given.get("command") if isinstance(given, dict) else None
        named = {"create": "Write", "view": "Read"}.get(str(what), "Edit")
    if named == "ApplyPatch" and isinstance(given, dict):
        text = next((given[key] for key in ("patch", "input", "patchText") if key in given), None)
        return {"tool_name": named, "tool_input": {**given, "patch": text}}
    if named == "Read" and isinstance(given, dict):
        given = {"file_path": given.get("path"), **given}
    if named is None and tool not in _OWN:
        named = f"mcp__{tool.replace('-', '__', 1)}"
    return {"tool_name": named or tool, "tool_input": given}


def _object(text: str) -> dict[str, Any]:
    """An object as text; a text that is none is the whole of what the tool was given."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {"patch": text}


def _borrowed(raw: dict[str, Any]) -> dict[str, Any]:
    event = {**raw, "form": "nested"}
    if isinstance(raw.get("tool_input"), str):
        event |= _call("apply_patch", raw["tool_input"])
    elif isinstance(raw.get("tool_input"), dict) and raw.get("tool_name") == "Read":
        event["tool_input"] = {"file_path": raw["tool_input"].get("path"), **raw["tool_input"]}
    return event


def denied(event: dict[str, Any], reason: str) -> tuple[int, bytes, bytes]:
    text = reason.strip() or "vetgate stopped this call"
    flat = {"permissionDecision": "deny", "permissionDecisionReason": text}
    nested = {"hookSpecificOutput": {"hookEventName": "PreToolUse", **flat}}
    forms = {"flat": flat, "nested": nested}
    answer = forms.get(event.get("form", ""), {**flat, **nested})
    status = 0 if answer is nested else 2
    return status, json.dumps(answer).encode("ascii"), f"{text}\n".encode("utf-8", "replace")


def passed(_event: dict[str, Any], text: str) -> tuple[int, bytes, bytes]:
    return 0, b"", f"{text}\n".encode("utf-8", "replace")
