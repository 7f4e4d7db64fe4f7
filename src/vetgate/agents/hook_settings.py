"""The events that several agents raise, and what a settings file of JSON says about hooks: data for `known.py`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from vetgate.known_agents import HookSettings
from vetgate.model import EventKind

if TYPE_CHECKING:
    from collections.abc import Iterator

BEFORE_TOOL = (EventKind.BEFORE_EDIT, EventKind.BEFORE_COMMAND, EventKind.BEFORE_TOOL)
AFTER_TOOL = (EventKind.AFTER_EDIT, EventKind.AFTER_COMMAND, EventKind.AFTER_TOOL)
# By the names that the events of several agents have.
HOOK_EVENTS = {
    "SessionStart": (EventKind.SESSION_START,),
    "SessionEnd": (EventKind.SESSION_END,),
    "SubagentStart": (EventKind.SUBAGENT_START,),
    "SubagentStop": (EventKind.SUBAGENT_STOP,),
    "UserPromptSubmit": (EventKind.PROMPT,),
    "PreToolUse": BEFORE_TOOL,
    "PostToolUse": AFTER_TOOL,
    "Stop": (EventKind.STOP,),
    "ConfigChange": (EventKind.CONFIG_CHANGE,),
}
# With most agents these are what a hook can hold.
HELD = frozenset({*BEFORE_TOOL, EventKind.PROMPT, EventKind.STOP})
# Words with which the programs of most agents start no session.
LOOKS = frozenset(
    {
        *("login", "logout", "auth", "mcp", "config", "doctor", "update", "upgrade", "completion", "completions"),
        *("models", "list", "help", "version", "install"),
    }
)
_HOOK = re.compile(r"vetgate[-\s]hook")
_ORDINARY = frozenset(
    {
        *("type", "command", "bash", "timeout", "timeoutSec", "statusMessage", "onFailure", "failClosed", "loop_limit"),
        *("name", "description", "matcher"),
    }
)
# Seconds; a call may take four.
_SHORTEST = 5


def object_in(text: str | bytes | None) -> dict[str, Any] | None:
    """An empty file is an empty object; None for what is none."""
    try:
        found = json.loads(text) if text and text.strip() else {}
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def read_json_hooks(text: str | None) -> HookSettings | None:
    settings = object_in(text)
    if settings is None:
        return None
    environment, permissions = settings.get("env"), settings.get("permissions")
    mode = permissions.get("defaultMode") if isinstance(permissions, dict) else None
    ours = dict(_our_groups(settings))
    entries = [(event, entry) for event, groups in ours.items() for group in groups for entry in _our_entries(group)]
    return HookSettings(
        {event: [_how(group) for group in groups] for event, groups in ours.items()},
        frozenset(name for name, value in settings.items() if value is True),
        tuple(environment) if isinstance(environment, dict) else (),
        mode if isinstance(mode, str) else "",
        frozenset(f"{event}: {how}" for event, entry in entries for how in _weakened(entry)),
        frozenset(event for event, entry in entries if entry.get("onFailure") == "block" or entry.get("failClosed")),
    )


def _our_groups(settings: dict[str, Any]) -> Iterator[tuple[str, list[object]]]:
    """The events we listen to, with what stands there of ours."""
    hooks = settings.get("hooks")
    for event, groups in sorted(hooks.items()) if isinstance(hooks, dict) else ():
        ours = [group for group in groups if _HOOK.search(json.dumps(group))] if isinstance(groups, list) else []
        if ours:
            yield event, ours


def _our_entries(group: object) -> list[dict[str, Any]]:
    entries = group.get("hooks", [group]) if isinstance(group, dict) else None
    hooks = [each for each in entries if isinstance(each, dict)] if isinstance(entries, list) else []
    return [each for each in hooks if _HOOK.search(json.dumps(each))]


def _how(group: object) -> list[object]:
    """What is matched, and what is run. Leaves out what may change with the version, such as how long it may take."""
    matcher = group.get("matcher") if isinstance(group, dict) else None
    return [matcher, [[each.get("type"), each.get("command") or each.get("bash")] for each in _our_entries(group)]]


def _weakened(entry: dict[str, Any]) -> Iterator[str]:
    """What `init` never writes: a condition, another shell, a hook that nobody waits for, or not long enough."""
    yield from (f"`{key}`" for key, value in entry.items() if key not in _ORDINARY and value)
    limit = entry.get("timeout", entry.get("timeoutSec"))
    if isinstance(limit, int | float) and limit < _SHORTEST:
        yield f"a timeout of {limit:g} s"
