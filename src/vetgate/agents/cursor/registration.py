"""How Cursor is made to call vetgate: our entries in hooks.json, which lists commands by event."""

from __future__ import annotations

import contextlib
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.agents import json_text
from vetgate.agents.command_files import WORDS_BESIDE, CommandFiles
from vetgate.agents.cursor.known import NAME
from vetgate.agents.hook_entries import is_ours, settings_text
from vetgate.agents.installation import SETTINGS, Plan, Removal, Scope, Writing
from vetgate.agents.json_text import MalformedError, parse
from vetgate.agents.mcp_servers import ServerFile
from vetgate.model import UserError
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.agents.command_files import Prompt
    from vetgate.agents.installation import Installation, Receipts

GUARD, GUARD_SECONDS = "preToolUse", 10
_EMPTY = '{\n  "version": 1,\n  "hooks": {}\n}\n'


def hooks_path(scope: Scope, root: Path) -> Path:
    return (root if scope is Scope.PROJECT else Path.home()) / ".cursor" / "hooks.json"


def _folder(scope: Scope, root: Path) -> Path:
    return hooks_path(scope, root).parent


def _servers_path(scope: Scope, root: Path) -> Path:
    return _folder(scope, root) / "mcp.json"


def _plain(prompt: Prompt) -> str:
    return f"# {prompt.summary}\n\n{prompt.text}"


SERVERS = ServerFile(_servers_path)
COMMANDS = CommandFiles(_folder, "commands/{}.md", _plain, tool="", arguments=WORDS_BESIDE)


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
        root = parse(text)
        hooks = root.get("hooks")
        listed = hooks.get(event) if hooks else None
        if hooks is None:
            text = json_text.insert_member(text, root, "hooks", {event: [hook]})
        elif listed is None:
            text = json_text.insert_member(text, hooks, event, [hook])
        else:
            text = json_text.append_item(text, listed, hook)
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
            text = json_text.remove_part(text, hooks, [member.key for member in hooks.members].index(event))
    return text


def install(installation: Installation) -> Plan:
    scope = Scope.PROJECT if installation.scope is Scope.PROJECT else Scope.USER
    path = hooks_path(scope, installation.root)
    before = read_bytes(path)
    try:
        after = registered(settings_text(before or b""), installation.command(NAME, scope), installation.judged)
    except MalformedError as error:
        raise UserError(
            f"{path} cannot be read: {error}", hint="correct it and run this again. Nothing was changed"
        ) from error
    writing = Writing(path, SETTINGS, before, after.encode("utf-8", "surrogateescape"))
    plan = Plan([installation.launcher_writing(NAME), writing])
    plan.add(SERVERS.plan(installation))
    plan.add(COMMANDS.plan(installation))
    plan.notes.append("Cursor is supported by its documents alone: vetgate was not driven against it")
    return plan


def remove(installation: Installation, receipts: Receipts) -> Removal:
    found = Removal()
    for scope in (Scope.USER, Scope.PROJECT):
        path = hooks_path(scope, installation.root)
        data, receipt = read_bytes(path), receipts.of(path)
        if installation.scope not in {None, scope} or data is None or not ours_in(path):
            continue
        others = receipt.without(installation.root).projects if receipt else ()
        if scope is Scope.USER and others and installation.scope is None:
            found.left.append(f"the hooks in {path}: still needed in {', '.join(others)}")
        elif receipt and receipt.is_untouched(data):
            found.writings.append(Writing(path, SETTINGS, data, receipt.before))
        else:
            rest = unregistered(settings_text(data)).encode("utf-8", "surrogateescape")
            found.writings.append(Writing(path, SETTINGS, data, rest))
    found.add(SERVERS.removal(installation, receipts))
    found.add(COMMANDS.removal(installation, receipts))
    return found


def runs(path: Path, command: str) -> bool:
    return any(hook.get("command") == command for _, hook in ours_in(path))


def managed(command: str) -> str:
    raise UserError(
        f"Cursor's settings for enterprises were not tried with {command}", hint="register it for each account"
    )


def hook_seconds(event: str, root: Path, environment: Mapping[str, str]) -> float:  # noqa: ARG001 - as others have it
    for scope in (Scope.USER, Scope.PROJECT):
        for name, hook in ours_in(hooks_path(scope, root)):
            if name == event:
                return float(hook.get("timeout", 0))
    return 0.0
