"""Who started a hook: the agent's own client, or something that imitates it by calling the launcher.

What a person answered, and how a command ended, is known from the client's events alone. Whoever has the account of the
agent can imitate those as well, by calling itself like a client: this raises the bar and is no wall.
"""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from vetgate.config.person import PROGRAMS
from vetgate.launcher import is_registered

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_SHELLS = 6
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "busybox"})


def is_client(pid: int) -> bool:
    """Whether the hook that runs in this process was started by an agent's client. Only Linux tells."""
    if sys.platform != "linux":
        return True
    for _ in range(_MOST_SHELLS):
        above = _process(pid)
        if above is None:
            return False
        pid = above[0]
        parent = _process(pid)
        if parent is None:
            return False
        if not _is_launcher(parent[2]):
            return bool(PROGRAMS.keys() & {parent[1], *_names(parent[2][:2])})
    return False


def _is_launcher(words: list[str]) -> bool:
    """A shell that runs what is registered, and nothing else."""
    if not words or Path(words[0]).name not in _SHELLS:
        return False
    given = words[2:] if words[1:2] == ["-c"] else words[1:]
    return len(given) == 1 and is_registered(given[0])


def _names(words: list[str]) -> Iterator[str]:
    """The program and, for an interpreter, its script: by name, and by the package it lies in."""
    for word in words:
        path = PurePosixPath(word)
        yield path.name
        if "node_modules" in path.parts:
            yield from path.parts[path.parts.index("node_modules") :]


def _process(pid: int) -> tuple[int, str, list[str]] | None:
    """Its parent, its name and its words."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        words = Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="surrogateescape")
        # The name stands in parentheses and may itself hold any character.
        name, rest = stat[stat.index("(") + 1 : stat.rindex(")")], stat[stat.rindex(")") + 1 :].split()
        return int(rest[1]), name, words.removesuffix("\0").split("\0")
    except (OSError, ValueError, IndexError):
        return None
