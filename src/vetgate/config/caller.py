"""Who started a hook: the agent's own client, or something that imitates it by calling the launcher.

What a person answered, and how a command ended, is known from the client's events alone. Whoever has the account of the
agent can imitate those as well, by calling itself like a client: this raises the bar and is no wall.
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

from vetgate.config.person import PROGRAMS
from vetgate.config.processes import lineage
from vetgate.launcher import is_registered

_MOST_SHELLS = 6
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "busybox"})


def is_client(pid: int) -> bool:
    """Whether the hook that runs in this process was started by an agent's client. Only Linux tells."""
    if sys.platform != "linux":
        return True
    above = islice(lineage(pid), 1, 1 + _MOST_SHELLS)
    starter = next((process for process in above if not _is_launcher(process.words)), None)
    return starter is not None and bool(PROGRAMS.keys() & starter.names)


def _is_launcher(words: tuple[str, ...]) -> bool:
    """A shell that runs what is registered, and nothing else."""
    if not words or Path(words[0]).name not in _SHELLS:
        return False
    given = words[2:] if words[1:2] == ("-c",) else words[1:]
    return len(given) == 1 and is_registered(given[0])
