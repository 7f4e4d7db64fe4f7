"""The last tier: what the agent is told when everything else is gone. Stdlib only, no configuration, no I/O."""

import json
import re
from hashlib import blake2b
from posixpath import normpath
from typing import Any

from vetgate.failure import FAILS, READS, fails_closed
from vetgate.secret_shapes import SHAPES
from vetgate.tool_input import COMMANDS, EDITS, PATHS, tool_named, unreadable

# Carried out here, with the little that needs nothing else: an edit without any of it is not held up.
CARRIED_OUT = frozenset({"secrets", "protected-file", "unsafe-command"})

DECIDED = frozenset({"PreToolUse", "Stop", "SubagentStop"})
WAY_OUT = "In a terminal: vetgate doctor"
LONGEST = 300
LONGEST_PATH = 4096  # no system takes more
_PRIVATE_KEY = r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\n|\s)*[A-Za-z0-9+/]{16}"
_SHOWN = re.compile(r"(?i)example|xxxx|your|placeholder|(.)\1{5}")

_PROTECTED = re.compile(
    r"(?i)(?:^|/)\.(?:claude/(?:settings[^/]*\.json$|hooks/)|git/(?:hooks/|config$)|codex/|gemini/settings|cursor/hooks"
    r"|github/hooks/|husky/|gitconfig$)|(?:^|/)vetgate(?:\.ya?ml$|-hook$|/(?:bin|projects|reports|sessions)/|/[a-z_]+\.py$)"
)
# Commands that only show something, without anything that could make them do more.
_SHOWS = re.compile(
    r"\s*(?:ls|pwd|cat|head|tail|wc|grep|rg|git (?:status|diff|log|show)|vetgate (?:doctor|explain|log))\b"
    r"[^;&|<>`$(){}\n\\]*"
)

Answer = tuple[int, bytes, bytes]  # exit status, stdout, stderr


def reply(payload: bytes, cause: str, *, notes: bool = True) -> Answer:
    """Unless it `notes` what passed unchecked, so that somebody looks at it later, no edit passes."""
    event = _event_in(payload)
    if event is None:
        why = cause or "it is no JSON object with a hook_event_name"
        return 2, b"", _line(f"vetgate could not read the event: {why}. {WAY_OUT}")
    tool = tool_named(event.get("tool_name"))
    if event["hook_event_name"] == "PreToolUse":
        return _before_tool(event, tool, cause, notes=notes)
    return 0, _object({"systemMessage": f"vetgate checked nothing here: {masked(cause)}. {WAY_OUT}"}), b""


def note(payload: bytes, cause: str) -> bytes | None:
    """What was decided here, for the full program to put on record; an edit that passed is looked at later."""
    event = _event_in(payload)
    if event is None or event["hook_event_name"] not in DECIDED or tool_named(event.get("tool_name")) in READS:
        return None
    kind, path = event["hook_event_name"], _path_of(event)
    passed = reply(payload, cause)[0] == 0
    told = {
        "id": "d" + blake2b(payload, digest_size=5).hexdigest(),
        "session": _text(event, "session_id"),
        "event": kind,
        "tool": masked(tool_named(event.get("tool_name"))[:LONGEST]),
        "path": path if passed else masked(path),  # who looks at it again has to find it
        "where": _text(event, "cwd", LONGEST_PATH),
        "cause": masked(cause),
        "passed": passed,
        "unverified": passed and kind == "PreToolUse" and _is_edit(event) and bool(path),
    }
    return _object(told)


def is_event(payload: bytes) -> bool:
    return _event_in(payload) is not None


def closed_checks() -> tuple[str, ...]:
    return tuple(check for check in FAILS if fails_closed(check) and check not in CARRIED_OUT)


def secret_in(event: dict[str, Any]) -> str:
    """What kind of secret the call would write; "" for none that is known here."""
    text = "\n".join(_texts(event.get("tool_input")))
    for kind, shape in (("private-key", _PRIVATE_KEY), *SHAPES):
        if any(not _SHOWN.search(found[0]) for found in re.finditer(shape, text)):
            return kind
    return ""


def _texts(given: Any) -> list[str]:
    found, pending = [], [given]
    while pending:
        here = pending.pop()
        if isinstance(here, str):
            found.append(here)
        elif isinstance(here, dict | list):
            pending += here.values() if isinstance(here, dict) else here
    return found


def _before_tool(event: dict[str, Any], tool: str, cause: str, *, notes: bool) -> Answer:
    if tool in READS:
        return 0, b"", b""
    if why := unreadable(tool, event.get("tool_input")):
        return _denied(
            f"vetgate stopped this call of {tool[:LONGEST] or 'a tool'}: it cannot be read, {why}. {WAY_OUT}"
        )
    what = _path_of(event)[:LONGEST] or tool or "this call"
    if _is_edit(event) and (secret := secret_in(event)):
        return _denied(
            f"vetgate stopped {what}: it holds a secret ({secret}). All else is unchecked: {cause}. {WAY_OUT}"
        )
    if _is_edit(event) and _PROTECTED.search(normpath(_path_of(event))):
        return _denied(f"vetgate stopped {what}: it is a protected file. All else is unchecked: {cause}. {WAY_OUT}")
    if tool in COMMANDS and not _SHOWS.fullmatch(_command_of(event)):
        return _denied(f"vetgate could not check this command, so it does not run: {cause}. {WAY_OUT}")
    if closed := closed_checks():
        return _denied(f"vetgate could not check {what} ({', '.join(closed)}): {cause}. {WAY_OUT}")
    if _is_edit(event) and not notes:
        return _denied(f"vetgate could not check {what}, so it is not written: {cause}. {WAY_OUT}")
    rest = " It counts as unverified until it has been checked." if _is_edit(event) else ""
    return 0, _object({"systemMessage": masked(f"vetgate could not check {what}: {cause}.{rest} {WAY_OUT}")}), b""


def masked(text: str) -> str:
    """What is named may hold a token, a path like anything else."""
    for _, shape in SHAPES:
        text = re.sub(shape, "[hidden]", text)
    return text


def _denied(reason: str) -> Answer:
    reason = masked(reason)
    decision = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason}
    return 2, _object({"hookSpecificOutput": decision}), _line(reason)


def _is_edit(event: dict[str, Any]) -> bool:
    tool = tool_named(event.get("tool_name"))
    return tool in EDITS or (tool.startswith("mcp__") and bool(_path_of(event)))


def _command_of(event: dict[str, Any]) -> str:
    given = event.get("tool_input")
    command = given.get("command") if isinstance(given, dict) else None
    return command if isinstance(command, str) else ""


def _path_of(event: dict[str, Any]) -> str:
    given = event.get("tool_input")
    if not isinstance(given, dict):
        return ""
    return next((_text(given, name, LONGEST_PATH) for name in PATHS if _text(given, name)), "")


def session_in(payload: bytes) -> tuple[str, bool] | None:
    """The session of an event, and whether the event ends it."""
    event = _event_in(payload)
    if event is None or "session_id" not in event:
        return None
    return str(event["session_id"]), event["hook_event_name"] == "SessionEnd"


def _event_in(payload: bytes) -> dict[str, Any] | None:
    try:
        event = json.loads(payload)
    except (ValueError, RecursionError, MemoryError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("hook_event_name"), str) else None


def _text(source: dict[str, Any], name: str, longest: int = LONGEST) -> str:
    value = source.get(name)
    return value[:longest] if isinstance(value, str) else ""


def _object(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode("ascii")


def _line(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace") + b"\n"
