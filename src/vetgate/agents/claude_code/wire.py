"""Claude Code's hooks: its payloads as events, verdicts as its answers. Its wire format stays in here."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.agents.answers import BEFORE, WITHOUT_WORDS, encoded, line
from vetgate.agents.claude_code.known import NAME
from vetgate.agents.hook_payload import FAILURE, event_of, session_by, shaped, text_in, tool_payload
from vetgate.expression import expression
from vetgate.model import Decision, EventKind, Message, Reply
from vetgate.tool_input import tool_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from vetgate.model import Event, Verdict

_STOPS = frozenset({EventKind.STOP, EventKind.SUBAGENT_STOP, EventKind.CONFIG_CHANGE})
_APPROVED = {
    "hookEventName": "PreToolUse",
    "permissionDecision": "allow",
    "permissionDecisionReason": "vetgate found nothing",
}
_JOINS = ("systemMessage", "reason", "stopReason")
# The client shows 10,000 characters of added context and hides what is longer behind a preview.
_CONTEXT_LIMIT = 9_500
# What the client writes in a person's place begins so, and that something has ended in the background so.
_WRITTEN_BY_CLIENT, _NOTIFICATION = "<", "<task-notification>"
# Among the kinds of what runs in the background: whoever may still write. A server that was started never ends.
_AN_AGENT = "agent"
# Older clients call it Task.
STARTS_AGENT = frozenset({"Agent", "Task"})
# Modes of permissions in which the client asks nobody.
_ASKS_NOBODY = frozenset({"bypassPermissions", "dontAsk"})
_EXIT = expression(r"Exit code (\d+)")


def edit_payload(path: str, content: str, cwd: str, session: str) -> bytes:
    """What the client sends before it writes a file."""
    return tool_payload("PreToolUse", "Write", {"file_path": path, "content": content}, cwd, session)


def _form(raw: dict[str, Any], _event: str) -> dict[str, Any]:
    """Its payloads have that form, and say the event themselves."""
    return raw


session_of = partial(session_by, _form)


def parse(payload: bytes, cwd: str, event: str = "") -> Event:  # noqa: ARG001 - its payloads say it themselves
    """Raises ValueError for what is no hook payload at all; unknown events and tools are events like others."""
    raw = shaped(_form, payload)
    more = _OF_EVENT.get(raw["hook_event_name"])
    return event_of(
        raw,
        NAME,
        cwd,
        is_attended=raw.get("permission_mode") not in _ASKS_NOBODY,
        **(more(raw) if more else {}),
    )


def _prompted(raw: Mapping[str, Any]) -> dict[str, Any]:
    prompt = text_in(raw, "prompt").strip()
    is_by_client = prompt.startswith(_WRITTEN_BY_CLIENT)
    return {"task": "" if is_by_client else prompt, "is_automatic": prompt.startswith(_NOTIFICATION)}


def _called(raw: Mapping[str, Any]) -> dict[str, Any]:
    if tool_named(raw.get("tool_name")) in STARTS_AGENT:
        return {"starts_agent": True}
    return {"schedules": text_in(raw.get("tool_input"), "prompt")}


def _ran(raw: Mapping[str, Any]) -> dict[str, Any]:
    took = raw.get("duration_ms")
    return {
        "starts_agent": tool_named(raw.get("tool_name")) in STARTS_AGENT,
        "touched": tuple(_touched(raw.get("tool_response"))),
        "status": _status(raw),
        "took_ms": took if isinstance(took, int | float) and not isinstance(took, bool) else None,
    }


def _ended(raw: Mapping[str, Any]) -> dict[str, Any]:
    background = set(_background(raw))
    return {"background": bool(background), "waits_for_agent": any(_AN_AGENT in kind for kind in background)}


_OF_EVENT: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "UserPromptSubmit": _prompted,
    "PreToolUse": _called,
    "PostToolUse": _ran,
    FAILURE: _ran,
    "Stop": _ended,
    "SubagentStop": _ended,
}


def _touched(response: object) -> Iterator[Path]:
    """What the client itself saw a command change, where it looks."""
    diff = response.get("bashEditDiff") if isinstance(response, dict) else None
    listed = diff.get("changedFiles") if isinstance(diff, dict) else None
    for path in listed if isinstance(listed, list) else ():
        if isinstance(path, str) and path.startswith("/"):
            yield Path(path)


def _status(raw: Mapping[str, Any]) -> int | None:
    """None where nobody knows: in the background, interrupted, or without a word about it."""
    if raw["hook_event_name"] == FAILURE:
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
            yield _AN_AGENT
        elif not task.get("id") or task["id"] != raw.get("agent_id"):
            yield str(task.get("type") or _AN_AGENT)


def render(event: Event, verdict: Verdict) -> Reply:
    """All that is said of one event, in the one answer that it may have."""
    is_before = event.kind in BEFORE
    if is_before and verdict.approve and verdict.decision is Decision.ALLOW:
        return Reply(0, encoded({"hookSpecificOutput": _APPROVED}))
    answer: dict[str, Any] = {}
    messages = verdict.messages
    if is_before and verdict.decision > max((Decision.WARN, *(each.decision for each in messages))):
        messages = (*messages, Message(verdict.decision, WITHOUT_WORDS))  # what nobody put into words is no pass
    for message in messages:
        answer = _joined(answer, _before(message) if is_before else _after(event, message))
    # All three ways at once: the JSON gives the clean reason, exit status and stderr survive what could spoil it.
    refusals = [message.text for message in messages if is_before and message.decision >= Decision.BLOCK]
    return Reply(2 if refusals else 0, encoded(answer) if answer else b"", b"".join(map(line, refusals)))


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
        return {**refusal, **_to_person(message), **_halt(decision, text)}
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
    outputs = [each["hookSpecificOutput"] for each in (first, second) if "hookSpecificOutput" in each]
    if outputs:
        both["hookSpecificOutput"] = _joined_output(outputs)
    return both


def _joined_output(outputs: list[dict[str, Any]]) -> dict[str, Any]:
    """All contexts, and the strongest decision wherever it stands: a word to the model must not take its place."""
    contexts = [each["additionalContext"] for each in outputs if "additionalContext" in each]
    deciding = [each for each in outputs if "permissionDecision" in each]
    both = {key: value for each in outputs for key, value in each.items()}
    both |= max(deciding, key=lambda each: each["permissionDecision"] == "deny") if deciding else {}
    return both | ({"additionalContext": "\n\n".join(contexts)[:_CONTEXT_LIMIT]} if contexts else {})


def _to_person(message: Message) -> dict[str, Any]:
    return {"systemMessage": message.summary} if message.summary else {}


def _halt(decision: Decision, text: str) -> dict[str, Any]:
    return {"continue": False, "stopReason": text} if decision is Decision.HALT else {}
