"""What a script of package.json runs: `npm test` as the words of the program behind it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vetgate.source import disk
from vetgate.source.shell.own_status import own_commands
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

# By which words each runs a program of the project.
_STARTERS: Mapping[str, tuple[str, ...]] = {
    "npm": ("npx", "--no-install"),
    "pnpm": ("pnpm", "exec"),
    "yarn": ("yarn", "exec", "--"),
    "bun": ("bunx",),
}
_SHORT = frozenset({"test", "t"})


def started_by(words: Sequence[str], root: Path) -> tuple[str, ...]:
    """The words as they are, unless they run a script that is one command with nothing before and after it."""
    runner, name = _script(words)
    scripts = _scripts(root) if name else {}
    own = own_commands(scripts.get(name, ""), passed=False)
    if not own or own[0].cwd or f"pre{name}" in scripts or f"post{name}" in scripts:
        return tuple(words)
    return (*_STARTERS[runner], *own[0].words)


def _script(words: Sequence[str]) -> tuple[str, str]:
    """The package manager and the script's name; with options of its own it is left as it is."""
    match tuple(words):
        case (runner, "run" | "run-script", name) if runner in _STARTERS:
            return runner, name
        case ("npm" | "pnpm" as runner, name) if name in _SHORT:
            return runner, "test"
        case ("pnpm" | "yarn" as runner, name):
            return runner, name
        case _:
            return "", ""


def _scripts(root: Path) -> dict[str, str]:
    try:
        content = json.loads(disk.read(root / "package.json"))
    except (OSError, NotText, ValueError, RecursionError):
        return {}
    scripts = content.get("scripts") if isinstance(content, dict) else None
    return {name: text for name, text in scripts.items() if isinstance(text, str)} if isinstance(scripts, dict) else {}
