"""The gates of an event in order: what each one's pass or fail does to those that follow."""

from __future__ import annotations

import enum
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vetgate.failure import CLOSED, OPEN
from vetgate.model import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vetgate.config.schema import Config
    from vetgate.gates.parse.results import TestResults
    from vetgate.model import Finding, Gate

    Runs = Callable[[Gate], "GateRun"]

_MOST_AT_ONCE = 4
# How the cause begins of a run that nobody could wait for.
STILL_RUNS = "it is still running"


class Action(enum.IntEnum):
    """What a gate comes to; the strongest of several counts."""

    CONTINUE = 0
    BLOCK = 1
    STOP = 2


@dataclass(frozen=True, slots=True)
class GateRun:
    """What one gate said in one run.

    `output` may be shown as it is. `evidence` says why it was not run; `cause` why there is no exit status.
    """

    gate: str
    status: Status
    output: str = ""
    seconds: float = 0.0
    cause: str = ""
    evidence: str = ""
    exit_status: int | None = None
    findings: tuple[Finding, ...] = ()
    results: TestResults | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """How a sequence ended: every gate that ran with what it came to, in order."""

    runs: tuple[tuple[GateRun, Action], ...] = ()

    @property
    def action(self) -> Action:
        return max((action for _, action in self.runs), default=Action.CONTINUE)


def gates_in_force(config: Config) -> Mapping[str, Gate]:
    """With `on_failure.test: deny` a command that cannot be run holds the agent back, whatever its gate says."""
    if config.on_failure["test"] != "deny":
        return config.gates
    return {name: replace(gate, on_error=CLOSED) if gate.command else gate for name, gate in config.gates.items()}


def run_steps(steps: tuple[tuple[str, ...], ...], gates: Mapping[str, Gate], run: Runs) -> Ended:
    """Step by step until one of them does not continue; a step of several gates runs them at once."""
    runs: list[tuple[GateRun, Action]] = []
    for step in steps:
        names = [name for name in step if gates[name].command]
        if len(names) > 1:
            with ThreadPoolExecutor(min(len(names), _MOST_AT_ONCE), thread_name_prefix="gate") as together:
                for followed in together.map(lambda name: _follow(name, gates, run), names):
                    runs += followed
        else:
            runs += [each for name in names for each in _follow(name, gates, run)]
        if any(action > Action.CONTINUE for _, action in runs):
            break
    return Ended(tuple(runs))


def _follow(name: str, gates: Mapping[str, Gate], run: Runs) -> list[tuple[GateRun, Action]]:
    """One gate and those it calls: a chain, which the configuration has shown to have an end."""
    runs: list[tuple[GateRun, Action]] = []
    called: str | None = name
    while called is not None:
        gate = gates[called]
        ran = run(gate)
        follows = _follows(ran, gate)
        called = follows if follows in gates else None
        runs.append((ran, Action.CONTINUE if called else Action[follows]))
    return runs


def _follows(ran: GateRun, gate: Gate) -> str:
    if ran.status is Status.ERRORED:
        return "CONTINUE" if (gate.on_error or OPEN) == OPEN else "BLOCK"
    return gate.on_fail if ran.status is Status.FAILED else gate.on_pass
