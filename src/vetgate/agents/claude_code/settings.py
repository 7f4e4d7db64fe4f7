"""Where Claude Code keeps its settings, which events vetgate listens to there, and which entries are ours."""

from __future__ import annotations

import math
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.agents import hook_entries
from vetgate.agents.hook_entries import Entry, Listening, matches_all, our_entries, settings_text
from vetgate.agents.installation import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.agents.claude_code.accepts import Refusal


_AT_WORK = "vetgate runs this project's gates"
_JUDGED = "vetgate waits for a judge (a language model)"
GUARD, _GUARD_SECONDS, _LONGEST = "PreToolUse", 10, 600


# The one table: `init` writes it, `doctor` holds the files against it. `Stop` and `UserPromptSubmit` have no matcher in
# the client.
# Only before a tool does the client's own failure handling matter: afterwards there is nothing left to stop.
LISTENING = (
    Listening("SessionStart", 120),
    Listening("SubagentStart", 10),
    Listening("UserPromptSubmit", 120, matcher=None),
    Listening(GUARD, _GUARD_SECONDS, on_failure="block"),
    Listening("PostToolUse", 300),
    Listening("PostToolUseFailure", 300),
    Listening("ConfigChange", 10),
    Listening("Stop", 600, matcher=None, status_message=_AT_WORK),
    Listening("SubagentStop", 600, status_message=_AT_WORK),
    Listening("SessionEnd", 5),
)


def listening(judged: float = 0.0, hook: Mapping[str, Any] | None = None) -> tuple[Listening, ...]:
    """The table where judges before a call are waited for so many seconds.

    A person's own settings serve all their projects: the longer timeout of a `hook` that was written for the judges of
    another project stays.
    """
    wanted = _GUARD_SECONDS + math.ceil(judged)
    kept = hook.get("timeout") if hook and hook.get("statusMessage") == _JUDGED else None
    if isinstance(kept, int) and not isinstance(kept, bool):
        wanted = max(wanted, kept)
    wanted = min(wanted, _LONGEST)
    if wanted <= _GUARD_SECONDS:
        return LISTENING
    return tuple(
        replace(row, timeout=wanted, status_message=_JUDGED) if row.event == GUARD else row for row in LISTENING
    )


def config_dir() -> Path:
    """Where the client keeps a person's settings and transcripts; read at call time, as the client does."""
    moved = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(moved) if moved else Path.home() / ".claude"


def settings_folder(environment: Mapping[str, str]) -> Path:
    """The same for a client with this environment, which may be another process's."""
    moved = environment.get("CLAUDE_CONFIG_DIR", "")
    return Path(moved) if moved.startswith("/") else Path.home() / ".claude"


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


def differences(entry: Entry, command: str, judged: float = 0.0) -> list[str]:
    """Say how an entry differs from the table; nothing when it is as it should be."""
    row = next((row for row in listening(judged, entry.hook) if row.event == entry.event), None)
    if row is None:
        return [f"{entry.event} is not an event vetgate listens to"]
    wanted = row.hook(command)
    found = [
        f"{key} is {entry.hook.get(key)!r}, not {wanted.get(key)!r}"
        for key in sorted(wanted.keys() | entry.hook.keys())
        if entry.hook.get(key) != wanted.get(key)
    ]
    if entry.matcher != row.matcher and not (row.matcher is None or matches_all(entry.matcher)):
        found.append(f"its matcher is {entry.matcher!r}, so it does not see everything")
    return found


def registered(data: bytes | None, command: str, judged: float = 0.0) -> bytes:
    """Judges before a call are waited for so many seconds."""
    kept = next((entry.hook for entry in our_entries(settings_text(data or b"")) if entry.event == GUARD), None)
    return hook_entries.registered(data, command, listening(judged, kept))


def are_in_our_entries(text: str, found: list[Refusal]) -> bool:
    """Whether all that the client refuses stands in entries of ours, which `registered` writes anew."""
    if any(not refusal.where for refusal in found):  # it is not even JSON
        return False
    ours = [f"hooks.{entry.event}[{entry.group}].hooks[{entry.index}]" for entry in our_entries(text)]
    return all(any(refusal.where.startswith(place) for place in ours) for refusal in found)
