"""Which loops of a review are asked for, and which of their gates are left out."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from vetgate.config.node import did_you_mean
from vetgate.failure import OPEN
from vetgate.model import GateKind, UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.config.schema import Config, Loop
    from vetgate.model import Gate


class GateChoice(enum.StrEnum):
    """Which gates of the loops run; one with a quota, or with a reviewer of its own, asks somebody outside."""

    ALL = "--all"
    FREE = "--free"  # no models, nobody outside
    MODELS = "--claude"
    NOBODY_OUTSIDE = "--skip-cr"

    def takes(self, gate: Gate) -> bool:
        asks_model, asks_outside = gate.kind is GateKind.JUDGE, bool(gate.quota or gate.reviews)
        if self is GateChoice.MODELS:
            return asks_model
        if self is GateChoice.FREE:
            return not asks_model and not asks_outside
        return self is GateChoice.ALL or not asks_outside


@dataclass(frozen=True, slots=True)
class ChosenLoop:
    """A loop with its `number` from 1; `left_out` says of gates why they do not run, `unchosen` of all of it."""

    number: int
    loop: Loop
    left_out: Mapping[str, str] = field(default_factory=dict)
    unchosen: str = ""

    @property
    def name(self) -> str:
        return self.loop.name

    @property
    def steps(self) -> tuple[tuple[str, ...], ...]:
        steps = (tuple(name for name in step if name not in self.left_out) for step in self.loop.steps)
        return tuple(step for step in steps if step)

    def as_run(self, config: Config) -> Loop:
        """The loop that a result is of: without a gate that could have blocked it is another one."""
        missing = {name for name in self.left_out if may_block(config.gates[name])}
        if not missing:
            return self.loop
        return replace(self.loop, steps=self.steps)


def may_block(gate: Gate) -> bool:
    """Whether anything follows from it but words."""
    return (gate.on_pass, gate.on_fail, gate.on_error or OPEN) != ("CONTINUE", "CONTINUE", OPEN)


def choose(config: Config, wanted: Iterable[str], choice: GateChoice) -> tuple[ChosenLoop, ...]:
    """All loops in order; `wanted` are numbers or names, none for all. Raises UserError for one that there is not."""
    named = _numbers(config.loops, tuple(wanted))
    chosen = []
    for number, loop in enumerate(config.loops, 1):
        left_out = {name: f"{choice} leaves it out" for name in loop.names if not choice.takes(config.gates[name])}
        unchosen = "--loops leaves it out" if named and number not in named else ""
        if not unchosen and left_out.keys() >= set(loop.names):
            unchosen = f"{choice} leaves it out"
        chosen.append(ChosenLoop(number, loop, left_out, unchosen))
    return tuple(chosen)


def _numbers(loops: tuple[Loop, ...], wanted: tuple[str, ...]) -> set[int]:
    known = {loop.name: number for number, loop in enumerate(loops, 1)}
    known |= {str(number): number for number in known.values()}
    for name in wanted:
        if name not in known:
            hint = "loops: " + ", ".join(f"{number} {loop.name}" for number, loop in enumerate(loops, 1))
            raise UserError(f"there is no loop {name!r}{did_you_mean(name, sorted(known))}", hint=hint)
    return {known[name] for name in wanted}
