"""How Qwen Code is made to call vetgate: our entries in its settings, and how they come out again."""

from __future__ import annotations

from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents.command_files import CommandFiles, markdown
from vetgate.agents.hook_entries import Listening
from vetgate.agents.hook_registration import HookFile
from vetgate.agents.installation import Scope, unmanaged
from vetgate.agents.mcp_servers import ServerList
from vetgate.agents.qwen.known import NAME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.agents.installation import Installation, Plan, Receipts, Removal

GUARD, GUARD_SECONDS = "PreToolUse", 10
_MS = 1_000


def settings_path(scope: Scope, root: Path) -> Path:
    return (root if scope is Scope.PROJECT else Path.home()) / ".qwen" / "settings.json"


def _folder(scope: Scope, root: Path) -> Path:
    return settings_path(scope, root).parent


def rows(judged: float = 0.0) -> tuple[Listening, ...]:
    """Qwen Code counts in milliseconds."""
    return (
        Listening("SessionStart", 120 * _MS, matcher=None),
        Listening("UserPromptSubmit", 120 * _MS, matcher=None),
        Listening(GUARD, min(GUARD_SECONDS + ceil(judged), 600) * _MS),
        Listening("PostToolUse", 300 * _MS),
        Listening("PostToolUseFailure", 300 * _MS),
        Listening("Stop", 600 * _MS, matcher=None),
        Listening("SessionEnd", 5 * _MS, matcher=None),
    )


HOOKS = HookFile(NAME, settings_path, rows, _MS, ServerList())
COMMANDS = CommandFiles(_folder, "commands/{}.md", markdown, tool="mcp__vetgate__", arguments="`{{args}}`")


def install(installation: Installation) -> Plan:
    plan = HOOKS.plan(installation)
    plan.add(COMMANDS.plan(installation))
    if installation.scope is Scope.PROJECT:
        plan.notes.append("Qwen Code reads a repository's settings only when it is started in its top folder")
    return plan


def remove(installation: Installation, receipts: Receipts) -> Removal:
    found = HOOKS.removal(installation, receipts)
    found.add(COMMANDS.removal(installation, receipts))
    return found


def runs(path: Path, command: str) -> bool:
    return HOOKS.runs(path, command)


def managed(command: str) -> str:
    raise unmanaged("Qwen Code", command)


def hook_seconds(event: str, root: Path, environment: Mapping[str, str]) -> float:  # noqa: ARG001 - as others have it
    return HOOKS.seconds(event, root)
