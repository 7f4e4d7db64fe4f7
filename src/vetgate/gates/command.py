"""A gate's command as the system runs it: by `sh`, with names of files as arguments and never as text of the script."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from vetgate.gates.account import account
from vetgate.gates.environment import FILES_VARIABLE, environment, named
from vetgate.gates.process import Ran, run
from vetgate.gates.sandbox import available, inside

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from vetgate.model import Gate

_FILES = re.compile(r"\"\{files\}\"|'\{files\}'|\{files\}")
# With limits of its own; the shell that sets them becomes the one that runs the command.
_LIMITED = 'ulimit -v {kilobytes} 2>/dev/null; exec /bin/sh -c "$0" "$@"'
_SHELL = "/bin/sh"
_NOT_FOUND, _NOT_EXECUTABLE = 127, 126


def takes_files(gate: Gate) -> bool:
    """Whether a run of it is about some files alone."""
    return "{files}" in gate.command or FILES_VARIABLE in gate.command


def run_command(gate: Gate, root: Path, given: Mapping[str, str], files: Sequence[str], seconds: float) -> Ran:
    """`given` is the environment it is taken from, `files` are what changed."""
    arguments = named(files)
    argv = argv_of(gate.command, arguments, gate.memory)
    if gate.sandbox != "off":
        program = available()
        if program:
            argv = inside(argv, root, program)
        elif gate.sandbox == "required":
            return Ran(None, cause="its sandbox is required and bubblewrap cannot be used here")
    other = account(gate.user) if gate.user else None
    if isinstance(other, str):
        return Ran(None, cause=other)
    env = environment(gate, given, root, arguments) | (other.environment() if other else {})
    ran = run(argv, cwd=root, env=env, seconds=min(gate.timeout, seconds), account=other)
    if ran.status in {_NOT_FOUND, _NOT_EXECUTABLE} and not _says_more(ran.output):
        return Ran(None, ran.output, ran.seconds, "the command was not found, or is not a program")
    return ran


def argv_of(command: str, files: Sequence[str], memory: int) -> list[str]:
    script = _FILES.sub(lambda _: '"$@"', command)
    if memory and sys.platform == "linux":
        return [_SHELL, "-c", _LIMITED.format(kilobytes=memory << 10), script, "vetgate", *files]
    return [_SHELL, "-c", script, "vetgate", *files]


def _says_more(output: bytes) -> bool:
    """A shell says one line when it finds no program; whoever printed more has run."""
    return len(output.strip().splitlines()) > 1
