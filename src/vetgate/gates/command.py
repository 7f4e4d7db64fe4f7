"""A gate's command for one project: not at all where evidence is fresh, joined where it runs already.

It is run by `sh`, with names of files as arguments and never as text of the script.
"""

from __future__ import annotations

import json
import re
import sys
import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from vetgate.gates.affected_tests import select_tests
from vetgate.gates.command_kinds import digest
from vetgate.gates.content import changes_of, content_mark, content_of, tree_of
from vetgate.gates.evidence import fresh, note_gate
from vetgate.gates.isolation import FILES_VARIABLE, environment, file_arguments, find_account, find_sandbox, sandboxed
from vetgate.gates.jobs import RUNS
from vetgate.gates.locks import hold_run
from vetgate.gates.output import readable
from vetgate.gates.parse import parsed
from vetgate.gates.process import CommandResult, run
from vetgate.model import Outcome, Status
from vetgate.source.git_tree import Content, TreeDifference
from vetgate.store import Job

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from vetgate.model import Gate
    from vetgate.project import Project

_RESERVE = 1.0
_NEEDS_DAEMON = "it may take longer, which needs the daemon"


@dataclass
class CommandRunner:
    """For one event. `given` is the environment of the agent; `files` what it changed.

    Without those it is all that differs from how the `session` found it, or from the last commit.

    A process that `stays` lets a command run on when nobody can wait any longer.
    """

    project: Project
    given: Mapping[str, str]
    seconds: float
    stays: bool = False
    files: Sequence[str] | None = None
    session: str = ""
    started: float = field(default_factory=time.monotonic)

    @cached_property
    def _content(self) -> tuple[Content | None, int]:
        """What lies there, and when that was known, in nanoseconds."""
        return content_of(self.project), time.time_ns()

    @property
    def tree(self) -> str:
        found, _ = self._content
        return found.id if found else ""

    @cached_property
    def changes(self) -> TreeDifference:
        if self.files is not None:
            return TreeDifference(tuple(self.files))
        return changes_of(self.project, self.session, self.tree)

    def run(self, gate: Gate) -> Outcome:
        over = self._over(gate)
        if proof := fresh(self.project.store, self.tree, gate, over):
            age = max(0.0, time.time() - proof.time)
            return Outcome(gate.id, Status.PASSED, evidence=f"{proof.who} ran it {age:.0f} s ago on the same content")
        if takes_files(gate) and not over:
            return Outcome(gate.id, Status.SKIPPED, evidence="no file has changed")
        left = self.left()
        if left <= 0:
            return Outcome(gate.id, Status.ERRORED, error="no time was left to run it")
        # Who does not stay ends the command in time, and waits until it has.
        wait = left if self.stays else None
        key = self._key(gate, over)
        found, at = self._content
        mark = content_mark(found, at) if found else ""
        job = Job(digest(key), str(self.project.root), "", gate.id, "", mark, "")
        outcome = RUNS.join(self.project.store, job, lambda: self._alone(gate, over, key), wait)
        if outcome is None:
            error = f"it is still running after {left:.0f} s; what it comes to is told later"
            return Outcome(gate.id, Status.ERRORED, error=error, pending=True)
        return outcome

    def _over(self, gate: Gate) -> tuple[str, ...] | None:
        """The files that a run is about; None for all there are."""
        return self.changes.files if takes_files(gate) or gate.scope == "changed" else None

    def _key(self, gate: Gate, over: Sequence[str] | None) -> tuple[str, ...]:
        """Without a name for the content nobody can say that two runs are the same."""
        return (str(self.project.root), gate.id, gate.command, self.tree or str(time.monotonic_ns()), *(over or ()))

    def left(self) -> float:
        return self.seconds - _RESERVE - (time.monotonic() - self.started)

    def _seconds(self, gate: Gate) -> float:
        return gate.timeout if self.stays else min(gate.timeout, self.left())

    def _alone(self, gate: Gate, over: Sequence[str] | None, key: Sequence[str]) -> Outcome:
        tree, store = self.tree, self.project.store
        with hold_run(store.folder, key, time.monotonic() + self._seconds(gate), gate.id) as turn:
            # Somebody may have run it since we looked, whether or not we had to wait for them.
            if proof := fresh(store, tree, gate, over):
                return Outcome(gate.id, Status.PASSED, evidence=f"{proof.who} has just run it")
            if known := _handed_on(turn.left):
                turn.leave(turn.left)  # others may wait behind us
                return outcome_of(gate, known, str(self.project.root))
            selected = self._selected(gate)
            if selected is not None and not selected[1]:
                return Outcome(gate.id, Status.SKIPPED, evidence="nothing that changed affects it")
            command, files = selected or (gate.command, self.changes.files)
            seconds = self._seconds(gate)
            if seconds <= 0:
                return Outcome(gate.id, Status.ERRORED, error="it runs already, and no time was left to wait for it")
            ran = run_command(replace(gate, command=command), self.project.root, self.given, files, seconds)
            if ran.status is not None and tree and tree_of(self.project) == tree:
                note_gate(store, tree, gate, over if selected or takes_files(gate) else None, ran.status)
                turn.leave(_to_hand_on(ran))
        if ran.was_ended and seconds < gate.timeout and ran.seconds >= seconds:
            ran = replace(ran, was_ended=False, cause=f"{ran.cause}; {_NEEDS_DAEMON}")
        return outcome_of(gate, ran, str(self.project.root))

    def _selected(self, gate: Gate) -> tuple[str, tuple[str, ...]] | None:
        if gate.scope != "changed" or takes_files(gate):
            return None
        found = content_of(self.project)
        return select_tests(gate.command, self.changes, found.names, self.project.root) if found else None


def _to_hand_on(ran: CommandResult) -> bytes:
    """How a run failed, without its secrets: that one passed is on record."""
    shown = readable(ran.output)
    return json.dumps({"status": ran.status, "output": shown, "seconds": ran.seconds}).encode() if ran.status else b""


def _handed_on(left: bytes) -> CommandResult | None:
    try:
        known = json.loads(left)
        return CommandResult(int(known["status"]), str(known["output"]).encode(), float(known["seconds"]))
    except (ValueError, TypeError, KeyError):
        return None


def outcome_of(gate: Gate, ran: CommandResult, root: str) -> Outcome:
    text, elapsed = readable(ran.output), ran.seconds * 1000
    if ran.status == 0:
        return Outcome(gate.id, Status.PASSED, elapsed_ms=elapsed, output=text, exit_status=0)
    read = parsed(gate, text, root)
    # One that was ended has failed; one that never ran says nothing about the code.
    status = Status.FAILED if ran.status is not None or ran.was_ended else Status.ERRORED
    return Outcome(
        gate.id,
        status,
        read.findings,
        error=ran.cause,
        elapsed_ms=elapsed,
        output=text,
        exit_status=ran.status,
        results=read.results,
    )


_FILES = re.compile(r"\"\{files\}\"|'\{files\}'|\{files\}")
# With limits of its own; the shell that sets them becomes the one that runs the command.
_LIMITED = 'ulimit -v {kilobytes} 2>/dev/null; exec /bin/sh -c "$0" "$@"'
_SHELL = "/bin/sh"
_NOT_FOUND, _NOT_EXECUTABLE = 127, 126


def takes_files(gate: Gate) -> bool:
    """Whether a run of it is about some files alone."""
    return "{files}" in gate.command or FILES_VARIABLE in gate.command


def run_command(
    gate: Gate, root: Path, given: Mapping[str, str], files: Sequence[str], seconds: float
) -> CommandResult:
    """`given` is the environment it is taken from, `files` are what changed."""
    arguments = file_arguments(files)
    argv = argv_of(gate.command, arguments, gate.memory)
    if gate.sandbox != "off":
        program = find_sandbox()
        if program:
            argv = sandboxed(argv, root, program)
        elif gate.sandbox == "required":
            return CommandResult(None, cause="its sandbox is required and bubblewrap cannot be used here")
    other = find_account(gate.user) if gate.user else None
    if isinstance(other, str):
        return CommandResult(None, cause=other)
    env = environment(gate, given, root, arguments) | (other.environment() if other else {})
    ran = run(argv, cwd=root, env=env, seconds=min(gate.timeout, seconds), account=other)
    if ran.status in {_NOT_FOUND, _NOT_EXECUTABLE} and not _says_more(ran.output):
        return CommandResult(None, ran.output, ran.seconds, "the command was not found, or is not a program")
    return ran


def argv_of(command: str, files: Sequence[str], memory: int) -> list[str]:
    script = _FILES.sub(lambda _: '"$@"', command)
    if memory and sys.platform == "linux":
        return [_SHELL, "-c", _LIMITED.format(kilobytes=memory << 10), script, "vetgate", *files]
    return [_SHELL, "-c", script, "vetgate", *files]


def _says_more(output: bytes) -> bool:
    """A shell says one line when it finds no program; whoever printed more has run."""
    return len(output.strip().splitlines()) > 1
