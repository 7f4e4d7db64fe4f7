"""The gates of an event in order, whatever they run: what each one's pass or fail does to those that follow."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from vetgate.engine.decide import action_of, decided, holds_for_passing
from vetgate.judges.appeal import is_overturned
from vetgate.model import Decision, GateKind, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from vetgate.config.schema import Config, GateSequence
    from vetgate.model import Gate, Outcome

    Runners = Mapping[GateKind, "Runner"]
    Steps = tuple[tuple[str, ...], ...]

_SEVERAL, _MOST_AT_ONCE = 2, 4


class Runner(Protocol):
    """Runs gates of one kind for one event. What goes wrong is part of the outcome.

    One that `is_cheap` asks nobody else: its gates run one after the other, and also when another one holds, so that
    everything is told at once. The others wait for a process or a service: several at a time, while nothing holds.
    """

    @property
    def is_cheap(self) -> bool: ...

    def run(self, gate: Gate) -> Outcome: ...


def judged(gates: Iterable[str], config: Config, runners: Runners) -> Verdict:
    """Each of these gates in its turn; the strongest decision wins."""
    outcomes = run_steps(tuple((name,) for name in dict.fromkeys(gates)), config, runners)
    passed = [each.gate for each in outcomes if holds_for_passing(each, config)]
    notes = tuple(f"the gate '{name}' passed, and here a pass is what holds you back" for name in passed)
    return Verdict(decided(outcomes, config), outcomes, notes)


def run_steps(steps: Steps, config: Config, runners: Runners, holds: Decision = Decision.BLOCK) -> tuple[Outcome, ...]:
    """Step by step; what is not cheap runs while nothing `holds`, and in a step of several at once.

    Gates of a kind that has no runner here are left out: `calls_left` names those that others have called.
    """
    outcomes: list[Outcome] = []
    for step in steps:
        kinds = {name: config.gates[name].kind for name in step}
        cheap = [name for name, kind in kinds.items() if kind in runners and runners[kind].is_cheap]
        slow = [name for name, kind in kinds.items() if kind in runners and not runners[kind].is_cheap]
        if slow and decided(outcomes, config) >= holds:
            slow = []
        alone, together = ([*cheap, *slow], []) if len(slow) < _SEVERAL else (cheap, slow)
        for name in alone:
            outcomes += _follow(name, config, runners)
        if together:
            with ThreadPoolExecutor(min(len(together), _MOST_AT_ONCE), thread_name_prefix="gate") as pool:
                # Each in a context of its own: what is cancelled here is cancelled there.
                begun = [pool.submit(copy_context().run, _follow, name, config, runners) for name in together]
                for each in begun:
                    outcomes += each.result()
    return tuple(outcomes)


def command_steps(
    sequence: GateSequence, config: Config, called: Iterable[str], kinds: Collection[GateKind] = (GateKind.COMMAND,)
) -> Steps:
    """What the checks of an event have `called`, and its commands, or all of `kinds`: checks were run before them."""
    steps = (tuple(name for name in step if config.gates[name].kind in kinds) for step in sequence.steps)
    more = ((name,) for name in called if name not in sequence.names)
    return (*more, *(step for step in steps if step))


def calls_left(outcomes: Iterable[Outcome], config: Config) -> tuple[str, ...]:
    """The gates that these called and that had no runner there: commands, which run once all checks have spoken."""
    ran = tuple(outcomes)
    called = dict.fromkeys(action_of(each, config) for each in ran)
    return tuple(name for name in called if name in config.gates and all(each.gate != name for each in ran))


def _follow(name: str, config: Config, runners: Runners) -> list[Outcome]:
    """One gate and those it calls: a chain, which the configuration has shown to have an end."""
    outcomes: list[Outcome] = []
    while (gate := config.gates.get(name)) is not None and gate.kind in runners:
        outcomes.append(runners[gate.kind].run(gate))
        outcomes[-2:] = _appealed(outcomes[-2:])
        name = action_of(outcomes[-1], config) if gate.calls else ""
    return outcomes


def _appealed(last: list[Outcome]) -> list[Outcome]:
    """A denial that was overturned is advice from then on; one whose appeal has no answer stands."""
    denied = last[0].judgement if len(last) > 1 else None
    if denied is None or not is_overturned(denied, last[1].judgement):
        return last
    return [replace(last[0], findings=tuple(replace(each, advisory=True) for each in last[0].findings)), last[1]]
