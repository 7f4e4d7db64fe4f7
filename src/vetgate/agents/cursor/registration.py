"""How Cursor is made to call vetgate: our entries in hooks.json, which lists commands by event."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.agents import json_text
from vetgate.agents.command_files import WORDS_BESIDE, CommandFiles
from vetgate.agents.cursor.known import NAME
from vetgate.agents.hook_entries import is_ours, settings_text
from vetgate.agents.hook_registration import HookSettingsFile, Registered
from vetgate.agents.installation import SETTINGS, Plan, RegistrationParts, Removal, Scope, Writing
from vetgate.agents.json_text import MalformedError, parse
from vetgate.agents.mcp_servers import ServerFile
from vetgate.model import UserError
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.agents.installation import Installation, Receipts

GUARD, GUARD_SECONDS = "preToolUse", 10
_EMPTY = '{\n  "version": 1,\n  "hooks": {}\n}\n'


def hooks_path(scope: Scope, root: Path) -> Path:
    return (root if scope is Scope.PROJECT else Path.home()) / ".cursor" / "hooks.json"


def entries(command: str, judged: float = 0.0) -> dict[str, dict[str, Any]]:
    """By event, in seconds. How often a turn may be held we count ourselves; its own limit is above that."""
    guard = min(GUARD_SECONDS + ceil(judged), 600)
    return {
        "sessionStart": {"command": command, "timeout": 120},
        "beforeSubmitPrompt": {"command": command, "timeout": 120},
        GUARD: {"command": command, "timeout": guard, "failClosed": True},
        "postToolUse": {"command": command, "timeout": 300},
        "postToolUseFailure": {"command": command, "timeout": 300},
        "subagentStop": {"command": command, "timeout": 600, "loop_limit": 10},
        "stop": {"command": command, "timeout": 600, "loop_limit": 10},
        "sessionEnd": {"command": command, "timeout": 5},
    }


def ours_in(path: Path) -> list[tuple[str, dict[str, Any]]]:
    with contextlib.suppress(UserError, MalformedError):
        return [(event, hook) for event, _, hook in _ours(settings_text(read_bytes(path) or b""))]
    return []


def _ours(text: str) -> list[tuple[str, int, dict[str, Any]]]:
    hooks = parse(text).get("hooks") if text.strip() else None
    return [
        (member.key, index, item.value)
        for member in (hooks.members if hooks else ())
        for index, item in enumerate(member.node.items)
        if isinstance(item.value, dict) and is_ours(str(item.value.get("command", "")))
    ]


def registered(text: str, command: str, judged: float = 0.0) -> str:
    wanted = entries(command, judged)
    if [(event, hook) for event, _, hook in _ours(text)] == list(wanted.items()):
        return text
    text = unregistered(text) if text.strip() else _EMPTY
    for event, hook in wanted.items():
        text = json_text.append_at(text, "hooks", event, hook)
    return text


def unregistered(text: str) -> str:
    while found := _ours(text):
        event, index, _ = found[-1]
        hooks = parse(text).get("hooks")
        listed = hooks.get(event) if hooks else None
        assert hooks is not None  # noqa: S101 - the entry was read from this very text
        assert listed is not None  # noqa: S101 - as above
        if len(listed.items) > 1:
            text = json_text.remove_part(text, listed, index)
        else:
            text = json_text.remove_member(text, hooks, event)
    return text


@dataclass(frozen=True, slots=True)
class _Hooks(HookSettingsFile):
    path: Callable[[Scope, Path], Path]

    def hooks_in(self, path: Path) -> list[Registered]:
        return [
            Registered(path, event, str(hook["command"]), float(hook.get("timeout", 0)))
            for event, hook in ours_in(path)
        ]

    def plan(self, installation: Installation) -> Plan:
        scope = installation.target
        path = self.path(scope, installation.root)
        before = read_bytes(path)
        try:
            after = registered(settings_text(before or b""), installation.command(NAME, scope), installation.judged)
        except MalformedError as error:
            raise UserError(
                f"{path} cannot be read: {error}", hint="correct it and run this again. Nothing was changed"
            ) from error
        writing = Writing(path, SETTINGS, before, after.encode("utf-8", "surrogateescape"))
        return Plan([installation.launcher_writing(NAME), writing])

    def removed(self, path: Path, receipts: Receipts) -> Removal:
        data, receipt = read_bytes(path) or b"", receipts.of(path)
        if receipt and receipt.is_untouched(data):
            return Removal([Writing(path, SETTINGS, data, receipt.before)])
        rest = unregistered(settings_text(data)).encode("utf-8", "surrogateescape")
        return Removal([Writing(path, SETTINGS, data, rest)])


HOOKS = _Hooks(hooks_path)
SERVERS = ServerFile(lambda scope, root: HOOKS.folder(scope, root) / "mcp.json")
COMMANDS = CommandFiles(
    HOOKS.folder,
    "commands/{}.md",
    lambda prompt: f"# {prompt.summary}\n\n{prompt.text}",
    tool="",
    arguments=WORDS_BESIDE,
)
_PARTS = RegistrationParts(
    (HOOKS, SERVERS, COMMANDS), note="Cursor is supported by its documents alone: vetgate was not driven against it"
)

install, remove = _PARTS.install, _PARTS.remove
runs, hook_seconds = HOOKS.runs, HOOKS.hook_seconds


def managed(command: str) -> str:
    raise UserError(
        f"Cursor's settings for enterprises were not tried with {command}", hint="register it for each account"
    )
