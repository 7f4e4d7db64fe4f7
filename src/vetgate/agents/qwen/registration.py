"""How Qwen Code is made to call vetgate: our entries in its settings, and how they come out again."""

from __future__ import annotations

from functools import partial
from math import ceil
from pathlib import Path

from vetgate.agents.command_files import CommandFiles, markdown
from vetgate.agents.hook_entries import Listening
from vetgate.agents.hook_registration import HookFile
from vetgate.agents.installation import RegistrationParts, Scope, unmanaged
from vetgate.agents.mcp_servers import ServerList
from vetgate.agents.qwen.known import NAME

GUARD, GUARD_SECONDS = "PreToolUse", 10
_MS = 1_000


def settings_path(scope: Scope, root: Path) -> Path:
    return (root if scope is Scope.PROJECT else Path.home()) / ".qwen" / "settings.json"


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
COMMANDS = CommandFiles(HOOKS.folder, "commands/{}.md", markdown, tool="mcp__vetgate__", arguments="`{{args}}`")
_PARTS = RegistrationParts(
    (HOOKS, COMMANDS), shared_note="Qwen Code reads a repository's settings only when it is started in its top folder"
)

install, remove = _PARTS.install, _PARTS.remove
runs, hook_seconds = HOOKS.runs, HOOKS.hook_seconds
managed = partial(unmanaged, "Qwen Code")
