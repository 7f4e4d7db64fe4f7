"""Where Claude Code keeps its settings, which events vetgate listens to there, and which entries are ours."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.agents.installation import Scope
from vetgate.agents.json_text import line_of
from vetgate.launcher import NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.agents.json_text import Node

EVERY = "*"
_AT_WORK = "vetgate runs this project's gates"


@dataclass(frozen=True, slots=True)
class Listening:
    """One event we are registered for. `timeout` is when the client gives up on us, in seconds."""

    event: str
    timeout: int
    matcher: str | None = EVERY
    on_failure: str | None = None
    status_message: str | None = None

    def group(self, command: str) -> dict[str, Any]:
        """Build the entry as it stands in a settings file."""
        matcher = {} if self.matcher is None else {"matcher": self.matcher}
        return {**matcher, "hooks": [self.hook(command)]}

    def hook(self, command: str) -> dict[str, Any]:
        failure = {} if self.on_failure is None else {"onFailure": self.on_failure}
        status = {} if self.status_message is None else {"statusMessage": self.status_message}
        return {"type": "command", "command": command, "timeout": self.timeout, **failure, **status}


# The one table: `init` writes it, `doctor` holds the files against it. `Stop` and `UserPromptSubmit` have no matcher in
# the client.
# Only before a tool does the client's own failure handling matter: afterwards there is nothing left to stop.
LISTENING = (
    Listening("SessionStart", 120),
    Listening("SubagentStart", 10),
    Listening("UserPromptSubmit", 120, matcher=None),
    Listening("PreToolUse", 10, on_failure="block"),
    Listening("PostToolUse", 300),
    Listening("PostToolUseFailure", 300),
    Listening("ConfigChange", 10),
    Listening("Stop", 600, matcher=None, status_message=_AT_WORK),
    Listening("SubagentStop", 600, status_message=_AT_WORK),
    Listening("SessionEnd", 5),
)


def config_dir() -> Path:
    """Where the client keeps a person's settings and transcripts; read at call time, as the client does."""
    moved = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(moved) if moved else Path.home() / ".claude"


def settings_path(scope: Scope, root: Path) -> Path:
    if scope is Scope.USER:
        return config_dir() / "settings.json"
    return root / ".claude" / ("settings.json" if scope is Scope.PROJECT else "settings.local.json")


def settings_files(root: Path) -> dict[Scope, Path]:
    """Every scope and its file. In the home folder itself two scopes are one file, which then counts as the user's."""
    found: dict[Scope, Path] = {}
    for scope in Scope:
        path = settings_path(scope, root)
        if path not in found.values():
            found[scope] = path
    return found


def managed_paths() -> list[Path]:
    """Settings an administrator lays down, which nobody else can overrule."""
    system = "/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code"
    folder = Path(system)
    return [folder / "managed-settings.json", *sorted(folder.glob("managed-settings.d/*.json"))]


@dataclass(frozen=True, slots=True)
class Entry:
    """One command hook in a settings file, and where it stands."""

    event: str
    group: int
    index: int
    alone: bool
    matcher: Any
    hook: dict[str, Any]
    line: int

    @property
    def command(self) -> str:
        return str(self.hook["command"])


def command_entries(text: str, root: Node) -> Iterator[Entry]:
    """Give every command hook that can be made out, skipping what is misshapen."""
    hooks = root.get("hooks")
    for member in hooks.members if hooks else ():
        for position, group in enumerate(member.node.items):
            yield from _of_group(text, member.key, position, group)


def _of_group(text: str, event: str, position: int, group: Node) -> Iterator[Entry]:
    listed = group.get("hooks")
    for index, hook in enumerate(listed.items if listed else ()):
        if isinstance(hook.value, dict) and isinstance(hook.value.get("command"), str):
            alone = listed is not None and len(listed.items) == 1
            matcher = group.value.get("matcher")
            yield Entry(event, position, index, alone, matcher, hook.value, line_of(text, hook))


def is_ours(command: str) -> bool:
    """Tell whether `init` wrote this command: the launcher's path alone, or the form that looks the hook up."""
    if f"command -v {NAME}" in command:
        return True
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    return len(words) == 1 and Path(words[0]).is_absolute() and Path(words[0]).name == NAME


def reaches_us(command: str) -> bool:
    """Tell whether the command runs our hook at all, also in a person's own wrapping."""
    return NAME in command or "vetgate hook" in command


def differences(entry: Entry, command: str) -> list[str]:
    """Say how an entry differs from the table; nothing when it is as it should be."""
    row = next((row for row in LISTENING if row.event == entry.event), None)
    if row is None:
        return [f"{entry.event} is not an event vetgate listens to"]
    wanted = row.hook(command)
    found = [
        f"{key} is {entry.hook.get(key)!r}, not {wanted.get(key)!r}"
        for key in sorted(wanted.keys() | entry.hook.keys())
        if entry.hook.get(key) != wanted.get(key)
    ]
    if entry.matcher != row.matcher and not (row.matcher is None or _matches_all(entry.matcher)):
        found.append(f"its matcher is {entry.matcher!r}, so it does not see everything")
    return found


def _matches_all(matcher: Any) -> bool:
    return matcher in {None, "", EVERY}
