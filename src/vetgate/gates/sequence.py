"""The gates of an event in order: what each one's pass or fail does to those that follow."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

from vetgate.engine.decide import action_of, decided
from vetgate.model import Decision

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.model import Gate, GateKind, Outcome

    Runners = Mapping[GateKind, "Runner"]

_MOST_AT_ONCE = 4


class Runner(Protocol):
    """Runs gates of one kind for one event. What goes wrong is part of the outcome."""

    def run(self, gate: Gate) -> Outcome: ...


def run_steps(steps: tuple[tuple[str, ...], ...], gates: Mapping[str, Gate], runners: Runners) -> tuple[Outcome, ...]:
    """Step by step until one of them does not continue; a step of several gates runs them at once.

    Gates of a kind that has no runner here are run elsewhere.
    """
    outcomes: list[Outcome] = []
    for step in steps:
        names = [name for name in step if gates[name].kind in runners]
        if len(names) > 1:
            with ThreadPoolExecutor(min(len(names), _MOST_AT_ONCE), thread_name_prefix="gate") as together:
                for followed in together.map(lambda name: _follow(name, gates, runners), names):
                    outcomes += followed
        else:
            outcomes += [each for name in names for each in _follow(name, gates, runners)]
        if decided(outcomes, gates) >= Decision.BLOCK:
            break
    return tuple(outcomes)


def _follow(name: str, gates: Mapping[str, Gate], runners: Runners) -> list[Outcome]:
    """One gate and those it calls: a chain, which the configuration has shown to have an end."""
    outcomes: list[Outcome] = []
    called: str | None = name
    while called is not None:
        gate = gates[called]
        outcomes.append(runners[gate.kind].run(gate))
        follows = action_of(outcomes[-1], gate)
        called = follows if follows in gates else None
    return outcomes
