"""What only a person may do is refused to an agent. It raises the bar and leaves a trace; it is not a wall.

A process of the same user can in the end imitate a person: whoever needs a wall runs the agent as another user.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from vetgate.model import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Set by an agent for the commands it runs. Left out on purpose: variables that also stand in a person's own
# terminal (CODEX_HOME, CURSOR_TRACE_ID, CLAUDE_CONFIG_DIR, those of an editor's extension).
MARKERS: Mapping[str, str] = {
    "CLAUDECODE": "Claude Code",
    "CLAUDE_CODE_CHILD_SESSION": "Claude Code",
    "CLAUDE_CODE_SESSION_ID": "Claude Code",
    "CLAUDE_CODE_ENTRYPOINT": "Claude Code",
    "CODEX_SANDBOX": "Codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "Codex",
    "CODEX_THREAD_ID": "Codex",
    "CODEX_CI": "Codex",
    "GEMINI_CLI": "Gemini CLI",
    "CURSOR_AGENT": "Cursor",
    "OPENCODE": "opencode",
    "AUGMENT_AGENT": "Augment",
    "CLINE_ACTIVE": "Cline",
    "AI_AGENT": "an agent",
}

PROGRAMS: Mapping[str, str] = {
    "claude": "Claude Code",
    "claude-code": "Claude Code",
    "codex": "Codex",
    "gemini": "Gemini CLI",
    "gemini-cli": "Gemini CLI",
    "cursor-agent": "Cursor",
    "copilot": "Copilot",
    "copilot-cli": "Copilot",
    "opencode": "opencode",
    "aider": "Aider",
    "amp": "Amp",
    "goose": "Goose",
    "qwen": "Qwen Code",
}

_MOST_PARENTS = 64


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


def has_terminal() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def agent_marker(environ: Mapping[str, str]) -> str:
    """The variable by which an agent is recognised, as a cause, or nothing."""
    return next(
        (f"this runs under {agent} ({name} is set)" for name, agent in MARKERS.items() if environ.get(name)), ""
    )


def agent_above(pid: int) -> str:
    """The agent among the ancestors of a process, as a cause, or nothing."""
    for names, ancestor in _ancestors(pid):
        agent = next((PROGRAMS[name] for name in names if name in PROGRAMS), None)
        if agent is not None:
            return f"this runs below {agent} (process {ancestor})"
    return ""


def _ancestors(pid: int) -> Iterator[tuple[set[str], int]]:
    look = _from_proc if Path("/proc/self/stat").exists() else _from_ps
    for _ in range(_MOST_PARENTS):
        found = look(pid)
        if found is None:
            return
        parent, names = found
        yield names, pid
        if parent <= 1:
            return
        pid = parent


def _from_proc(pid: int) -> tuple[int, set[str]] | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        command = Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace")
        # The name stands in parentheses and may itself hold any character.
        name, rest = stat[stat.index("(") + 1 : stat.rindex(")")], stat[stat.rindex(")") + 1 :].split()
        return int(rest[1]), {name} | _programs(command.split("\0")[:2])
    except (OSError, ValueError, IndexError):
        return None


def _from_ps(pid: int) -> tuple[int, set[str]] | None:
    try:
        answer = subprocess.run(  # noqa: S603 - fixed words and a number
            ["/bin/ps", "-o", "ppid=,command=", "-p", str(pid)], capture_output=True, text=True, timeout=5, check=False
        )
        parent, _, command = answer.stdout.strip().partition(" ")
        return int(parent), _programs(command.split()[:2])
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None


def _programs(words: list[str]) -> set[str]:
    """The program and, for an interpreter, its script: by name, and by the package it lies in."""
    names = set()
    for word in words:
        path = PurePosixPath(word)
        names |= {path.name, path.stem}
        # node_modules/@scope/claude-code/cli.js; a home folder called like an agent is not one.
        if "node_modules" in path.parts:
            names |= set(path.parts[path.parts.index("node_modules") :])
    return names
