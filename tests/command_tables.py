"""The tables of commands in tests/data/commands, and the place they are judged in."""

from __future__ import annotations

from pathlib import Path

from vetgate.checks.unsafe_command.command_context import CommandContext

_FOLDER = Path(__file__).parent / "data" / "commands"

# Nobody has these folders: what is there cannot change what is decided.
HOME = Path("/home/dev")
ROOT = HOME / "work" / "app"
PLACE = CommandContext(ROOT, ROOT, HOME)


def rows(name: str) -> list[tuple[str, str]]:
    """Section and command."""
    found = []
    section = ""
    for line in (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("## "):
            section = line[3:]
        elif line and not (line.startswith("# ") and not section):
            found.append((section, line.replace("↵", "\n")))
    return found
