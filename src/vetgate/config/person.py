"""What only a person may do is refused to an agent. It raises the bar and leaves a trace; it is not a wall.

A process of the same user can in the end imitate a person: whoever needs a wall runs the agent as another user.
"""

from __future__ import annotations

import getpass
import os
import re
import shlex
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.config.processes import is_left_behind, lineage, openers, session_of
from vetgate.known_agents import known_agents
from vetgate.launcher import is_registered
from vetgate.model import UserError
from vetgate.runtime import has_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.config.processes import Process

# Set by an agent for the commands it runs.
MARKERS: Mapping[str, str] = {name: agent.title for agent in known_agents() for name in agent.markers}

PROGRAMS: Mapping[str, str] = {name: agent.title for agent in known_agents() for name in agent.processes}

# The same variables in the environment of what started this process, or opened its terminal.
MARKERS_ABOVE = MARKERS

# Programs that run what somebody wrote, or open a terminal for it. Above a person's terminal stands one of another
# kind: a terminal program, sshd, tmux, a service.
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "fish", "busybox"})
SCRIPTED = _SHELLS | frozenset(
    """
    python pypy perl ruby node nodejs deno bun php lua tclsh wish expect unbuffer script scriptreplay socat faketty
    empty setsid nohup timeout env nice ionice stdbuf flock xargs parallel watch strace make uv uvx npx pytest
    """.split()  # noqa: SIM905 - a long list of names reads best as text
)
# Terminals that are scripts themselves, by what stands in their command lines.
_TERMINAL_SERVERS = re.compile(
    "|".join(
        (
            r"jupyter|vscode-server|vscode-remote|code-server|openvscode|theia|terminator|guake",
            *(re.escape(name) for agent in known_agents() for name in agent.servers),
        )
    ),
    re.IGNORECASE,
)
_VERSION = re.compile(r"[\d.]+$")


def require_person(action: str, *, terminal: bool = True, instead: str = "") -> None:
    """Raise UserError unless a person is at it. `terminal=False` is for CI, which has none and is no agent.

    `instead` is a hint for whoever has no terminal; an agent is not told of it.
    """
    cause = agent_marker(os.environ) or agent_above(os.getpid())
    if cause:
        raise UserError(f"only a person may {action}: {cause}", hint="run it yourself, in a terminal that you opened")
    if terminal and not has_terminal():
        hint = "run it in a terminal" + (f"; {instead}" if instead else "")
        raise UserError(f"only a person may {action}: there is no terminal", hint=hint)


def account() -> str:
    """Whose process this is: the name, or the number where it has none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return str(os.getuid())


def is_person() -> bool:
    """Whether no agent is above this process: a hook of git has no terminal of its own to tell."""
    return not (agent_marker(os.environ) or agent_above(os.getpid()))


def agent_marker(environ: Mapping[str, str]) -> str:
    """The variable by which an agent is recognised, as a cause, or nothing."""
    return next(
        (f"this runs under {agent} ({name} is set)" for name, agent in MARKERS.items() if environ.get(name)), ""
    )


def agent_above(pid: int) -> str:
    """The agent above a process, above its session, or above whatever opened its terminal, as a cause, or nothing."""
    opened = openers(pid)
    below = _agent_in(lineage(pid), "this runs") or _agent_in(lineage(session_of(pid)), "this session runs")
    if below:
        return below
    for opener in opened:
        above = list(lineage(opener))
        cause = _agent_in(above, "this terminal was opened") or _scripted(above)
        if cause:
            return cause
    return "" if opened else _detached(list(lineage(pid)))


def _agent_in(above: Iterable[Process], what: str) -> str:
    for process in above:
        agent = next((PROGRAMS[name] for name in process.names if name in PROGRAMS), None)
        if agent is not None:
            return f"{what} below {agent} (process {process.pid})"
        marker = next((name for name in MARKERS_ABOVE if name in process.variables), None)
        if marker is not None:
            return f"{what} below {MARKERS_ABOVE[marker]} ({marker} is set in process {process.pid})"
    return ""


def _scripted(above: list[Process]) -> str:
    """A terminal with nothing above it but scripts is nobody's: its parents were left behind."""
    own = _without_system(above)
    if own and all(map(_is_script, own)):
        return f"this terminal was opened by a script ({own[0].name}, process {own[0].pid})"
    return ""


def _detached(above: list[Process]) -> str:
    """Without a terminal: the system starts what is its own in a session of its own, and nothing later than that."""
    own = _without_system(above)
    if not own or not all(map(_is_script, own[1:])):
        return ""
    top = own[-1]
    if top.session in {0, 1, session_of(max(top.parent, 1))} or top.parent <= 0:
        return ""
    if top.session == top.pid and not is_left_behind(top):
        return ""
    return f"this was detached from what started it (process {top.pid})"


def _without_system(above: list[Process]) -> list[Process]:
    """Without those that take over whatever has lost its parents."""
    return [process for process in above if process.pid != 1 and process.program != "systemd"]


def _is_script(process: Process) -> bool:
    program = _VERSION.sub("", process.program)
    return program in SCRIPTED and not _TERMINAL_SERVERS.search(" ".join(process.words))


# A hook is started by the client, or by a shell that it has run the registered launcher.
_MOST_LAUNCHERS = 6
_LAUNCHERS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "busybox"})


def is_client(pid: int) -> bool:
    """Whether the hook that runs in this process was started by an agent's client. Only Linux tells."""
    if sys.platform != "linux":
        return True
    above = islice(lineage(pid), 1, 1 + _MOST_LAUNCHERS)
    starter = next((process for process in above if not _is_launcher(process.words)), None)
    return starter is not None and bool(PROGRAMS.keys() & starter.names)


def is_persons_client(pid: int) -> bool:
    """The same, and that no agent started that client: what is typed there comes from a person."""
    if sys.platform != "linux":
        return True
    above = list(lineage(pid))[1:]
    at = next((index for index, each in enumerate(above[:_MOST_LAUNCHERS]) if not _is_launcher(each.words)), None)
    if at is None or not PROGRAMS.keys() & above[at].names:
        return False
    return _NESTED.isdisjoint(above[at].variables) and not _agent_in(above[at + 1 :], "this runs")


_NESTED = frozenset(
    name for agent in known_agents() for name in (agent.gated.nested_by if agent.gated else agent.markers)
)


def _is_launcher(words: tuple[str, ...]) -> bool:
    """A shell that runs what is registered, and nothing else."""
    if not words or Path(words[0]).name not in _LAUNCHERS:
        return False
    given = words[2:] if words[1:2] == ("-c",) else (shlex.join(words[1:]),)
    return len(given) == 1 and is_registered(given[0])
