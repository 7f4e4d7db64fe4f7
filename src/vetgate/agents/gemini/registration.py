"""How Gemini CLI is made to call vetgate: our entries in its settings, and how they come out again."""

from __future__ import annotations

import json
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents.command_files import CommandFiles
from vetgate.agents.gemini.known import NAME
from vetgate.agents.hook_entries import Listening
from vetgate.agents.hook_registration import HookFile
from vetgate.agents.installation import Scope, unmanaged
from vetgate.agents.mcp_servers import ServerList

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.agents.command_files import Prompt
    from vetgate.agents.installation import Installation, Plan, Receipts, Removal

GUARD, GUARD_SECONDS = "BeforeTool", 10
_MS = 1_000


def settings_path(scope: Scope, root: Path) -> Path:
    return (root if scope is Scope.PROJECT else Path.home()) / ".gemini" / "settings.json"


def _folder(scope: Scope, root: Path) -> Path:
    return settings_path(scope, root).parent


def _toml(prompt: Prompt) -> str:
    return f"description = {json.dumps(prompt.summary)}\nprompt = '''\n{prompt.text}'''\n"


def rows(judged: float = 0.0) -> tuple[Listening, ...]:
    """Gemini CLI counts in milliseconds."""
    return (
        Listening("SessionStart", 120 * _MS, matcher=None),
        Listening("BeforeAgent", 120 * _MS, matcher=None),
        Listening(GUARD, min(GUARD_SECONDS + ceil(judged), 600) * _MS),
        Listening("AfterTool", 300 * _MS),
        Listening("AfterAgent", 600 * _MS, matcher=None),
        Listening("SessionEnd", 5 * _MS, matcher=None),
    )


HOOKS = HookFile(NAME, settings_path, rows, _MS, ServerList())
COMMANDS = CommandFiles(_folder, "commands/{}.toml", _toml, tool="mcp_vetgate_", arguments="`{{args}}`")


def install(installation: Installation) -> Plan:
    plan = HOOKS.plan(installation)
    plan.add(COMMANDS.plan(installation))
    if installation.scope is Scope.PROJECT:
        plan.notes.append("Gemini CLI reads a repository's settings only when it is started in its top folder")
    return plan


def remove(installation: Installation, receipts: Receipts) -> Removal:
    found = HOOKS.removal(installation, receipts)
    found.add(COMMANDS.removal(installation, receipts))
    return found


def runs(path: Path, command: str) -> bool:
    return HOOKS.runs(path, command)


def managed(command: str) -> str:
    raise unmanaged("Gemini CLI", command)


def hook_seconds(event: str, root: Path, environment: Mapping[str, str]) -> float:  # noqa: ARG001 - as others have it
    return HOOKS.seconds(event, root)
