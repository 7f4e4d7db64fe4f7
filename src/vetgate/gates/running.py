"""One gate's command for one project: not at all where evidence is fresh, joined where it runs already."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from vetgate.gates.command import run_command, takes_files
from vetgate.gates.content import SECONDS, tree_of
from vetgate.gates.evidence import fresh, note_gate
from vetgate.gates.joining import Runs, alone
from vetgate.gates.output import readable
from vetgate.gates.parse import parsed
from vetgate.gates.sequence import GateRun
from vetgate.model import Status
from vetgate.source.git_tree import changed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vetgate.gates.process import Ran
    from vetgate.model import Gate
    from vetgate.project import Project

# All runs of this process, of whichever project.
RUNS = Runs()
_RESERVE = 1.0


@dataclass
class Runner:
    """For one event. `given` is the environment of the agent; `files` what it changed, None for all that differs.

    A process that `stays` lets a command run on when nobody can wait any longer.
    """

    project: Project
    given: Mapping[str, str]
    seconds: float
    stays: bool = False
    files: Sequence[str] | None = None
    started: float = field(default_factory=time.monotonic)

    @cached_property
    def tree(self) -> str:
        return tree_of(self.project)

    @cached_property
    def changed(self) -> tuple[str, ...]:
        return tuple(self.files) if self.files is not None else changed(self.project.root, SECONDS)

    def run(self, gate: Gate) -> GateRun:
        if proof := fresh(self.project.store, self.tree, gate):
            age = max(0.0, time.time() - proof.time)
            return GateRun(gate.id, Status.PASSED, evidence=f"{proof.who} ran it {age:.0f} s ago on the same content")
        if takes_files(gate) and not self.changed:
            return GateRun(gate.id, Status.SKIPPED, evidence="no file has changed")
        left = self.left()
        if left <= 0:
            return GateRun(gate.id, Status.ERRORED, cause="no time was left to run it")
        # Without a name for the content nobody can say that two runs are the same.
        key = (str(self.project.root), gate.id, gate.command, self.tree or str(time.monotonic_ns()))
        seconds = gate.timeout if self.stays else min(gate.timeout, left)
        ran = RUNS.joined(key, lambda: self._alone(gate, seconds), left)
        if ran is None:
            cause = f"it is still running after {left:.0f} s; what it comes to is told later"
            return GateRun(gate.id, Status.ERRORED, cause=cause)
        return ran

    def left(self) -> float:
        return self.seconds - _RESERVE - (time.monotonic() - self.started)

    def _alone(self, gate: Gate, seconds: float) -> GateRun:
        began, tree = time.time(), self.tree
        folder = self.project.store.file.parent if self.project.store.file else None
        with alone(folder, (str(self.project.root), gate.command, tree), time.monotonic() + seconds) as waited:
            if waited and (proof := fresh(self.project.store, tree, gate, since=began)):
                return GateRun(gate.id, Status.PASSED, evidence=f"{proof.who} has just run it")
            ran = run_command(gate, self.project.root, self.given, self.changed, seconds)
            if ran.status is not None and tree and tree_of(self.project) == tree:
                note_gate(self.project.store, tree, gate, ran.status)
        return told(gate, ran, str(self.project.root))


def told(gate: Gate, ran: Ran, root: str) -> GateRun:
    text = readable(ran.output)
    if ran.status == 0:
        return GateRun(gate.id, Status.PASSED, text, ran.seconds, exit_status=0)
    read = parsed(gate, text, root)
    # One that was ended has failed; one that never ran says nothing about the code.
    status = Status.FAILED if ran.status is not None or ran.was_ended else Status.ERRORED
    return GateRun(gate.id, status, text, ran.seconds, ran.cause, "", ran.status, read.findings, read.results)
