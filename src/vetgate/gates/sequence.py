"""The gates of an event in order, whatever they run: what each one's pass or fail does to those that follow."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from vetgate.engine.decide import action_of, decided, decided_by, holds_for_passing
from vetgate.model import Decision, GateKind, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Mapping

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


def steps_left(
    sequence: GateSequence, config: Config, spoken: Iterable[Outcome], held: Decision | None = None
) -> Steps:
    """What is left of an event's gates once its checks have `spoken`: as written, a check as the gate that it calls.

    What is called and not listed comes first. Where the agent is `held`, nothing comes after the step that came to such
    a decision, and nothing at all where none of them did.
    """
    said = _by_gate(spoken)
    listed = {name: _chain(name, said, config) for name in sequence.names}
    reached = {name for chain in listed.values() for name in chain}
    others = {name: _chain(name, said, config) for name in said if name not in reached}
    done, steps = set(listed), list[tuple[str, ...]]()
    for step in (*((name,) for name in others), *sequence.steps):
        chains = [(others | listed)[name] for name in step]
        # A gate runs once, in its own place where it has one.
        last = [chain[-1] for chain in chains if len(chain) == 1 or chain[-1] not in done]
        done.update(last)
        steps.append(tuple(name for name in dict.fromkeys(last) if _is_left(name, said, config)))
        spoke = (said[name] for chain in chains for name in chain if name in said)
        if held is not None and any(decided_by(each, config) >= held for each in spoke):
            break
    else:
        steps = [] if held is not None else steps
    return tuple(filter(None, steps))


def _is_left(name: str, said: Collection[str], config: Config) -> bool:
    return name not in said and config.gates[name].kind is not GateKind.CHECKS


def _chain(name: str, said: Mapping[str, Outcome], config: Config) -> tuple[str, ...]:
    """A gate, and those that it has called in turn, up to one that has not spoken yet."""
    chain = [name]
    while chain[-1] in said and (name := action_of(said[chain[-1]], config)) in config.gates:
        chain.append(name)
    return tuple(chain)


def of_kinds(steps: Steps, config: Config, kinds: Container[GateKind]) -> Steps:
    chosen = (tuple(name for name in step if config.gates[name].kind in kinds) for step in steps)
    return tuple(filter(None, chosen))


def calls_left(outcomes: Iterable[Outcome], config: Config) -> tuple[str, ...]:
    """The gates that these called and that had no runner there: they run in their turn, once all checks have spoken."""
    said = _by_gate(outcomes)
    called = dict.fromkeys(action_of(each, config) for each in said.values())
    return tuple(name for name in called if name in config.gates and name not in said)


def _by_gate(outcomes: Iterable[Outcome]) -> dict[str, Outcome]:
    """Of one that looked twice, at each file and at the change beside the rest, all that it found."""
    said: dict[str, Outcome] = {}
    for each in outcomes:
        if (known := said.get(each.gate)) is not None:
            findings, unchecked = (*known.findings, *each.findings), (*known.unchecked, *each.unchecked)
            failed = (*known.failed_checks, *each.failed_checks)
            each = replace(known, findings=findings, unchecked=unchecked, failed_checks=failed)  # noqa: PLW2901 - of both
        said[each.gate] = each
    return said


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
    if denied is None:
        return last
    from vetgate.judges.appeal import is_overturned  # noqa: PLC0415 - where no judge denies, none has to be loaded

    if not is_overturned(denied, last[1].judgement):
        return last
    return [replace(last[0], findings=tuple(replace(each, advisory=True) for each in last[0].findings)), last[1]]
