"""Claude Code's hooks: its payloads as events, verdicts as its answers. Its wire format stays in here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.agents.claude_code.client_record import client_of
from vetgate.agents.claude_code.touched_paths import touches
from vetgate.agents.tools import command_of, looks_like_a_write, moves_files, proposals
from vetgate.expression import expression
from vetgate.model import AN_AGENT, Decision, Event, EventKind, Message, Reply
from vetgate.source.edit import change_of, on_disk
from vetgate.tool_input import COMMANDS, EDITS, tool_named, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vetgate.model import Change, Touch, Verdict

NAME = "claude-code"

_EVENTS = {
    "SessionStart": EventKind.SESSION_START,
    "SessionEnd": EventKind.SESSION_END,
    "SubagentStart": EventKind.SUBAGENT_START,
    "SubagentStop": EventKind.SUBAGENT_STOP,
    "UserPromptSubmit": EventKind.PROMPT,
    "Stop": EventKind.STOP,
    "ConfigChange": EventKind.CONFIG_CHANGE,
}
_FAILURE = "PostToolUseFailure"
_TOOL_EVENTS = {
    "PreToolUse": (EventKind.BEFORE_EDIT, EventKind.BEFORE_COMMAND, EventKind.BEFORE_TOOL),
    "PostToolUse": (EventKind.AFTER_EDIT, EventKind.AFTER_COMMAND, EventKind.AFTER_TOOL),
    _FAILURE: (EventKind.AFTER_EDIT, EventKind.AFTER_COMMAND, EventKind.AFTER_TOOL),
}
_BEFORE = frozenset({EventKind.BEFORE_EDIT, EventKind.BEFORE_COMMAND, EventKind.BEFORE_TOOL})
_STOPS = frozenset({EventKind.STOP, EventKind.SUBAGENT_STOP, EventKind.CONFIG_CHANGE})
_APPROVED = {
    "hookEventName": "PreToolUse",
    "permissionDecision": "allow",
    "permissionDecisionReason": "vetgate found nothing",
}
_JOINS = ("systemMessage", "reason", "stopReason")
# The client shows 10,000 characters of added context and hides what is longer behind a preview.
_CONTEXT_LIMIT = 9_500
_EXIT = expression(r"Exit code (\d+)")


def edit_payload(path: str, content: str, cwd: str, session: str) -> bytes:
    """What the client sends before it writes a file."""
    event = {
        "session_id": session,
        "cwd": cwd,
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": path, "content": content},
    }
    return json.dumps(event).encode()


def parse(payload: bytes, cwd: str) -> Event:
    """Raises ValueError for what is no hook payload at all; unknown events and tools are events like others."""
    raw = json.loads(payload)
    if not isinstance(raw, dict) or not isinstance(raw.get("hook_event_name"), str):
        raise ValueError("the payload is not an object with a hook_event_name")  # noqa: TRY004 - as for bad JSON
    folder = Path(_text(raw, "cwd") or cwd)
    name = raw["hook_event_name"]
    tool = tool_named(raw.get("tool_name"))
    tool_input = raw.get("tool_input")
    given: Mapping[str, Any] = tool_input if isinstance(tool_input, dict) else {}
    kind, change = _EVENTS.get(name, EventKind.OTHER), None
    if name in _TOOL_EVENTS:
        kind, change = _of_tool(name, tool, given, folder)
    return Event(
        agent=NAME,
        kind=kind,
        session=_text(raw, "session_id"),
        cwd=folder,
        tool=tool,
        change=change,
        reads=_read(name, tool, given),
        touches=_touches(name, tool, given, folder),
        touched=tuple(_touched(raw.get("tool_response"))),
        command=command_of(tool, given) or _text(given, "command"),
        prompt=_text(raw, "prompt"),
        subagent=_text(raw, "agent_type"),
        subagent_id=str(raw.get("agent_id") or ""),
        client=client_of(_text(raw, "transcript_path")),
        call="" if kind is EventKind.AFTER_EDIT and name == _FAILURE else _text(raw, "tool_use_id"),
        unreadable=unreadable(tool, tool_input) if name == "PreToolUse" else "",
        status=_status(name, raw) if kind is EventKind.AFTER_COMMAND else None,
        took_ms=_number(raw, "duration_ms"),
        last_message=_text(raw, "last_assistant_message"),
        background=tuple(_background(raw)),
        held_before=bool(raw.get("stop_hook_active")),
        name=name,
    )


def _of_tool(name: str, tool: str, given: Mapping[str, Any], folder: Path) -> tuple[EventKind, Change | None]:
    edit, command, other = _TOOL_EVENTS[name]
    wanted = () if moves_files(tool, given) else proposals(given, tool)
    if tool not in EDITS and not (tool.startswith("mcp__") and (wanted or looks_like_a_write(given))):
        return command if tool in COMMANDS or command_of(tool, given) else other, None
    if name == "PreToolUse":
        return edit, change_of(wanted, folder)
    return edit, on_disk((each.path for each in wanted), folder)


def _touches(name: str, tool: str, given: Mapping[str, Any], folder: Path) -> tuple[Touch, ...]:
    """Commands are read as a shell reads them, and edits name what they write."""
    if name != "PreToolUse" or tool in COMMANDS or tool in EDITS:
        return ()
    return touches(tool, given, folder)


def _touched(response: object) -> Iterator[Path]:
    """What the client itself saw a command change, where it looks."""
    diff = response.get("bashEditDiff") if isinstance(response, dict) else None
    listed = diff.get("changedFiles") if isinstance(diff, dict) else None
    for path in listed if isinstance(listed, list) else ():
        if isinstance(path, str) and path.startswith("/"):
            yield Path(path)


def _read(name: str, tool: str, given: Mapping[str, Any]) -> Path | None:
    path = _text(given, "file_path") if name == "PostToolUse" and tool == "Read" else ""
    return Path(path) if path else None


def _status(name: str, raw: Mapping[str, Any]) -> int | None:
    """None where nobody knows: in the background, interrupted, or without a word about it."""
    if name == _FAILURE:
        told = _EXIT.match(str(raw.get("error", "")))
        return int(told[1]) if told and not raw.get("is_interrupt") else None
    response = raw.get("tool_response")
    if not isinstance(response, dict) or response.get("interrupted") or response.get("backgroundTaskId"):
        return None
    return 0


def _background(raw: Mapping[str, Any]) -> Iterator[str]:
    """What does not say its kind may be an agent; one that runs in the background is told of itself as well."""
    tasks = raw.get("background_tasks")
    for task in tasks if isinstance(tasks, list) else ():
        if not isinstance(task, dict):
            yield AN_AGENT
        elif not task.get("id") or task["id"] != raw.get("agent_id"):
            yield str(task.get("type") or AN_AGENT)


_WITHOUT_WORDS = "vetgate stopped this call. In a terminal: `vetgate log` says why"


def render(event: Event, verdict: Verdict) -> Reply:
    """All that is said of one event, in the one answer that it may have."""
    is_before = event.kind in _BEFORE
    if is_before and verdict.approve and verdict.decision is Decision.ALLOW:
        return Reply(0, _encoded({"hookSpecificOutput": _APPROVED}))
    answer: dict[str, Any] = {}
    messages = verdict.messages
    if is_before and verdict.decision > max((Decision.WARN, *(each.decision for each in messages))):
        messages = (*messages, Message(verdict.decision, _WITHOUT_WORDS))  # what nobody put into words is no pass
    for message in messages:
        answer = _joined(answer, _before(message) if is_before else _after(event, message))
    # All three ways at once: the JSON gives the clean reason, exit status and stderr survive what could spoil it.
    refusals = [message.text for message in messages if is_before and message.decision >= Decision.BLOCK]
    stderr = "".join(f"{text}\n" for text in refusals).encode("utf-8", "replace")
    return Reply(2 if refusals else 0, _encoded(answer) if answer else b"", stderr)


def _before(message: Message) -> dict[str, Any]:
    output: dict[str, Any] = {"hookEventName": "PreToolUse"}
    decision, text = message.decision, message.text
    if decision >= Decision.BLOCK:
        output |= {"permissionDecision": "deny", "permissionDecisionReason": text}
    elif decision is Decision.ASK:
        output |= {"permissionDecision": "ask", "permissionDecisionReason": text}
    elif text:
        output["additionalContext"] = text[:_CONTEXT_LIMIT]
    else:
        return {}  # no decision: the user's own permissions stay in force
    return {"hookSpecificOutput": output, **_to_person(message), **_halt(decision, text)}


def _after(event: Event, message: Message) -> dict[str, Any]:
    decision, text = message.decision, message.text
    refusal = {"decision": "block", "reason": text}
    if event.kind in _STOPS and decision >= Decision.BLOCK:
        return {**refusal, **_halt(decision, text)}
    if not text:
        return _to_person(message)
    if event.kind is EventKind.PROMPT and decision >= Decision.BLOCK:
        return {**refusal, **_to_person(message), **_halt(decision, text)}
    context = {"hookEventName": event.name, "additionalContext": text[:_CONTEXT_LIMIT]}
    return {"hookSpecificOutput": context, **_to_person(message), **_halt(decision, text)}


def _joined(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    both = {**first, **second}
    for key in _JOINS:
        both |= {key: "\n\n".join((first[key], second[key]))} if key in first and key in second else {}
    contexts = [each["hookSpecificOutput"]["additionalContext"] for each in (first, second) if _has_context(each)]
    if contexts:
        text = "\n\n".join(contexts)[:_CONTEXT_LIMIT]
        both["hookSpecificOutput"] = {**both["hookSpecificOutput"], "additionalContext": text}
    return both


def _has_context(answer: Mapping[str, Any]) -> bool:
    return "additionalContext" in answer.get("hookSpecificOutput", {})


def _to_person(message: Message) -> dict[str, Any]:
    return {"systemMessage": message.summary} if message.summary else {}


def _halt(decision: Decision, text: str) -> dict[str, Any]:
    return {"continue": False, "stopReason": text} if decision is Decision.HALT else {}


def _encoded(answer: Mapping[str, Any]) -> bytes:
    # ASCII: no encoding on the way can damage it, and lone surrogates stay valid JSON.
    return json.dumps(answer).encode("ascii") + b"\n"


def _number(source: Mapping[str, Any], key: str) -> float | None:
    found = source.get(key)
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None


def _text(source: Mapping[str, Any], key: str) -> str:
    found = source.get(key)
    return found if isinstance(found, str) else ""
