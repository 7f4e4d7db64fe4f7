"""The last tier: what the agent is told when everything else is gone. Stdlib only, no configuration.

It reads one agent's payloads. Those of another are put into that shape by `form.py` of its package, which also says how
it is answered: loaded from its file alone, because its package may be what is broken.
"""

import json
import re
from hashlib import blake2b
from importlib.machinery import SourceFileLoader
from pathlib import Path
from posixpath import normpath
from types import ModuleType
from typing import Any, Protocol

from vetgate.failure import FAILS, IN_LAST_TIER, fails_closed
from vetgate.secret_shapes import SHAPES
from vetgate.tool_input import COMMANDS, EDITS, PATCH, PATHS, READS, patched_paths, tool_named, unreadable

# What is decided about here, and what the full program calls the end of a turn.
DECIDED = {"PreToolUse": "", "Stop": "stop", "SubagentStop": "subagent_stop"}
WAY_OUT = "In a terminal: vetgate doctor"
LONGEST = 300
LONGEST_PATH = 4096  # no system takes more
_PRIVATE_KEY = r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\n|\s)*[A-Za-z0-9+/]{16}"
_SHOWN = re.compile(r"(?i)example|xxxx|your|placeholder|(.)\1{5}")

_PROTECTED = re.compile(
    r"(?i)(?:^|/)\.(?:claude/(?:settings[^/]*\.json$|hooks/)|git/(?:hooks/|config$)|codex/|gemini/settings|cursor/hooks"
    r"|qwen/settings|copilot/hooks/|github/(?:hooks/|copilot/settings)|opencode/plugins?/|config/opencode/(?:plugins?/|opencode)|husky/|gitconfig$)|(?:^|/)vetgate(?:\.ya?ml$|-hook$|/(?:bin|projects|reports|sessions)/|/[a-z_]+\.py$)"
)
# Commands that only show something, without anything that could make them do more.
_SHOWS = re.compile(
    r"\s*(?:ls|pwd|cat|head|tail|wc|grep|rg|git (?:status|diff|log|show)|vetgate (?:doctor|explain|log))\b"
    r"[^;&|<>`$(){}\n\\]*"
)

Answer = tuple[int, bytes, bytes]  # exit status, stdout, stderr
_AGENTS = Path(__file__).parent / "agents"
_OWN = "claude-code"  # whose payloads are read as they are
_NAME = re.compile(r"[a-z]+(?:-[a-z]+)*")


class Form(Protocol):
    """How an agent is read and answered: `form.py` of its package.

    `shaped` puts a payload into the shape that is read here, None for what is none; `name` is what the registration
    calls the event. `denied` and `passed` get what `shaped` gave, or nothing where that could not be read.
    """

    def shaped(self, raw: dict[str, Any], name: str) -> dict[str, Any] | None: ...
    def denied(self, event: dict[str, Any], reason: str) -> Answer: ...
    def passed(self, event: dict[str, Any], text: str) -> Answer: ...


class _OwnForm:
    def shaped(self, raw: dict[str, Any], _name: str) -> dict[str, Any] | None:
        return raw

    def denied(self, event: dict[str, Any], reason: str) -> Answer:
        decision = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason}
        return 2, _object({"hookSpecificOutput": decision}) if event else b"", _line(reason)

    def passed(self, _event: dict[str, Any], text: str) -> Answer:
        return 0, _object({"systemMessage": text}), b""


class _AnyForm(_OwnForm):
    """Of an agent whose own is broken: a refusal that all but one were seen to keep, and nothing else is said."""

    def denied(self, event: dict[str, Any], reason: str) -> Answer:  # noqa: ARG002 - the same for all
        own = json.loads(super().denied({"": ""}, reason)[1])
        flat = {"permissionDecision": "deny", "permissionDecisionReason": reason, "permission": "deny"}
        return 2, _object({"decision": "deny", "reason": reason, **flat, **own}), _line(reason)

    def passed(self, event: dict[str, Any], text: str) -> Answer:  # noqa: ARG002 - nothing is said
        return 0, b"", b""


def form_of(agent: str) -> Form:
    if agent in {"", _OWN}:
        return _OwnForm()
    if not _NAME.fullmatch(agent):
        return _AnyForm()
    try:
        name = f"{agent.replace('-', '_')}.form"
        loader = SourceFileLoader(name, str(_AGENTS / agent.replace("-", "_") / "form.py"))
        found: Any = ModuleType(name)
        loader.exec_module(found)
        return found if callable(found.shaped) and callable(found.denied) and callable(found.passed) else _AnyForm()
    except Exception:  # noqa: BLE001 - whatever is wrong with it, the agent gets an answer
        return _AnyForm()


def reply(payload: bytes, cause: str, *, notes: bool = True, agent: str = "", name: str = "") -> Answer:
    """Unless it `notes` what passed unchecked, so that somebody looks at it later, no edit passes."""
    form = form_of(agent)
    event = _event_in(payload, form, name)
    if event is None:
        why = cause or "it is no JSON object with a hook_event_name"
        return form.denied({}, masked(f"vetgate could not read the event: {why}. {WAY_OUT}"))
    tool = tool_named(event.get("tool_name"))
    if event["hook_event_name"] == "PreToolUse":
        return _before_tool(event, tool, cause, form, notes=notes)
    return form.passed(event, f"vetgate checked nothing here: {masked(cause)}. {WAY_OUT}")


def note(payload: bytes, cause: str, *, agent: str = "", name: str = "") -> bytes | None:
    """What was decided here, for the full program to put on record; an edit that passed is looked at later."""
    event = _event_in(payload, form_of(agent), name)
    if event is None or event["hook_event_name"] not in DECIDED or tool_named(event.get("tool_name")) in READS:
        return None
    kind, tool, path = event["hook_event_name"], tool_named(event.get("tool_name")), _path_of(event)
    passed = kind != "PreToolUse" or not _refusal(event, tool, cause, notes=True)
    told = {
        "id": "d" + blake2b(payload, digest_size=5).hexdigest(),
        "session": _text(event, "session_id"),
        "event": DECIDED[kind] or _before(tool, path),
        "tool": masked(tool[:LONGEST]),
        "path": path if passed else masked(path),  # who looks at it again has to find it
        "where": _text(event, "cwd", LONGEST_PATH),
        "cause": masked(cause),
        "passed": passed,
        "unverified": passed and kind == "PreToolUse" and _is_edit(event) and bool(path),
    }
    return _object(told)


def _before(tool: str, path: str) -> str:
    if tool in COMMANDS:
        return "before_command"
    return "before_edit" if path else "before_tool"


def closed_checks() -> tuple[str, ...]:
    return tuple(check for check in FAILS if fails_closed(check) and check not in IN_LAST_TIER)


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


def _before_tool(event: dict[str, Any], tool: str, cause: str, form: Form, *, notes: bool) -> Answer:
    if tool in READS and not unreadable(tool, event.get("tool_input")):
        return 0, b"", b""
    if reason := _refusal(event, tool, cause, notes=notes):
        return form.denied(event, masked(reason))
    rest = " It counts as unverified until it has been checked." if _is_edit(event) else ""
    text = f"vetgate could not check {_named(event, tool)}: {cause}.{rest} {WAY_OUT}"
    return form.passed(event, masked(text))


def _refusal(event: dict[str, Any], tool: str, cause: str, *, notes: bool) -> str:
    """Why the call is stopped; "" where it passes."""
    if why := unreadable(tool, event.get("tool_input")):
        return f"vetgate stopped this call of {tool[:LONGEST] or 'a tool'}: it cannot be read, {why}. {WAY_OUT}"
    what = _named(event, tool)
    if _is_edit(event) and (secret := secret_in(event)):
        return f"vetgate stopped {what}: it holds a secret ({secret}). All else is unchecked: {cause}. {WAY_OUT}"
    if _is_edit(event) and any(_PROTECTED.search(normpath(path)) for path in _paths_of(event)):
        return f"vetgate stopped {what}: it is a protected file. All else is unchecked: {cause}. {WAY_OUT}"
    if tool in COMMANDS and not _SHOWS.fullmatch(_command_of(event)):
        return f"vetgate could not check this command, so it does not run: {cause}. {WAY_OUT}"
    if closed := closed_checks():
        return f"vetgate could not check {what} ({', '.join(closed)}): {cause}. {WAY_OUT}"
    if _is_edit(event) and not notes:
        return f"vetgate could not check {what}, so it is not written: {cause}. {WAY_OUT}"
    return ""


def _named(event: dict[str, Any], tool: str) -> str:
    return _path_of(event)[:LONGEST] or tool or "this call"


def masked(text: str) -> str:
    """What is named may hold a token, a path like anything else."""
    for _, shape in SHAPES:
        text = re.sub(shape, "[hidden]", text)
    return text


def _is_edit(event: dict[str, Any]) -> bool:
    tool = tool_named(event.get("tool_name"))
    return tool in EDITS or (tool.startswith("mcp__") and bool(_path_of(event)))


def _command_of(event: dict[str, Any]) -> str:
    given = event.get("tool_input")
    command = given.get("command") if isinstance(given, dict) else None
    return command if isinstance(command, str) else ""


def _path_of(event: dict[str, Any]) -> str:
    return next(iter(_paths_of(event)), "")


def _paths_of(event: dict[str, Any]) -> list[str]:
    given = event.get("tool_input")
    if not isinstance(given, dict):
        return []
    if tool_named(event.get("tool_name")) == PATCH:
        return [path[:LONGEST_PATH] for path in patched_paths(str(given.get("patch")))]
    return [_text(given, name, LONGEST_PATH) for name in PATHS if _text(given, name)][:1]


def _event_in(payload: bytes, form: Form, name: str) -> dict[str, Any] | None:
    try:
        raw = json.loads(payload)
        event = form.shaped(raw, name) if isinstance(raw, dict) else None
    except Exception:  # noqa: BLE001 - whatever nobody can read is told as that
        return None
    return event if isinstance(event, dict) and isinstance(event.get("hook_event_name"), str) else None


def _text(source: dict[str, Any], name: str, longest: int = LONGEST) -> str:
    value = source.get(name)
    return value[:longest] if isinstance(value, str) else ""


def _object(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode("ascii")


def _line(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace") + b"\n"
