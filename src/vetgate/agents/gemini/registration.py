"""How Gemini CLI is made to call vetgate: our entries in its settings, and how they come out again."""

from __future__ import annotations

import json
from functools import partial
from math import ceil
from pathlib import Path

from vetgate.agents.command_files import CommandFiles
from vetgate.agents.gemini.known import NAME
from vetgate.agents.hook_entries import Listening
from vetgate.agents.hook_registration import HookFile
from vetgate.agents.installation import RegistrationParts, Scope, unmanaged
from vetgate.agents.mcp_servers import ServerList

GUARD, GUARD_SECONDS = "BeforeTool", 10
_MS = 1_000


def settings_path(scope: Scope, root: Path) -> Path:
    return (root if scope is Scope.PROJECT else Path.home()) / ".gemini" / "settings.json"


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
COMMANDS = CommandFiles(
    HOOKS.folder,
    "commands/{}.toml",
    lambda prompt: f"description = {json.dumps(prompt.summary)}\nprompt = '''\n{prompt.text}'''\n",
    tool="mcp_vetgate_",
    arguments="`{{args}}`",
)
_PARTS = RegistrationParts(
    (HOOKS, COMMANDS), shared_note="Gemini CLI reads a repository's settings only when it is started in its top folder"
)

install, remove = _PARTS.install, _PARTS.remove
runs, hook_seconds = HOOKS.runs, HOOKS.hook_seconds
managed = partial(unmanaged, "Gemini CLI")
