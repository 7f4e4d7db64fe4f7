"""What a review would do: its loops and gates, the files, the models, about how long it takes and what it costs."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from vetgate.checks.secrets.text_redaction import all_without_secrets
from vetgate.config.models import CLIENT
from vetgate.gates.command import absent_program
from vetgate.gates.isolation import environment, own_environment
from vetgate.gates.quota import Quota
from vetgate.judges import judge_named
from vetgate.model import UserError
from vetgate.service.judge import JudgeRequest, prepare
from vetgate.service.review_loops import UNCHANGED
from vetgate.service.review_record import passed_before

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.config.schema import Config
    from vetgate.judgement import Model
    from vetgate.model import Gate
    from vetgate.project import Project
    from vetgate.service.review import Review, ReviewRequest
    from vetgate.service.review_scope import ReviewTarget
    from vetgate.service.review_selection import ChosenLoop
    from vetgate.store import Store

_PAST = 500


@dataclass(frozen=True, slots=True)
class PlannedGate:
    """`seconds` and `usd` are about what past runs took, None where there were none and nobody can tell.

    `would_skip` says why it could not run as things are, `quota` how much of it is used.
    """

    gate: str
    runs: str
    models: tuple[str, ...] = ()
    seconds: float | None = None
    usd: float | None = None
    left_out: str = ""
    would_skip: str = ""
    quota: str = ""
    at_most: int = 0

    @property
    def runs_here(self) -> bool:
        return not self.left_out and not self.would_skip


@dataclass(frozen=True, slots=True)
class PlannedLoop:
    """`left_out` says why it does not run; what came of it before may stand."""

    number: int
    name: str
    timeout: int
    blocks: bool
    steps: tuple[tuple[PlannedGate, ...], ...]
    left_out: str = ""

    @property
    def seconds(self) -> float:
        """Of a step that runs at once the longest counts; a loop takes no longer than it may."""
        running = (tuple(each.seconds or 0.0 for each in step if each.runs_here) for step in self.steps)
        total = sum(max(step, default=0.0) for step in running)
        return 0.0 if self.left_out else min(total, self.timeout) if self.timeout else total

    @property
    def at_most(self) -> int:
        """Seconds, by what its gates may take where the loop has no limit of its own."""
        steps = (max((each.at_most for each in step if each.runs_here), default=0) for step in self.steps)
        return 0 if self.left_out else self.timeout or sum(steps)

    @property
    def usd(self) -> float:
        gates = (each for step in self.steps for each in step if each.runs_here)
        return 0.0 if self.left_out else sum(each.usd or 0.0 for each in gates)


@dataclass(frozen=True, slots=True)
class PlannedReview:
    """`unknown` names gates that have never run, so that the sums leave them out."""

    base: str
    fork: str
    scope: str
    files: tuple[str, ...]
    loops: tuple[PlannedLoop, ...]

    @property
    def seconds(self) -> float:
        return sum(each.seconds for each in self.loops)

    @property
    def usd(self) -> float:
        return sum(each.usd for each in self.loops)

    @property
    def at_most(self) -> int:
        return sum(each.at_most for each in self.loops)

    @property
    def asks_models(self) -> bool:
        running = (each for loop in self.loops if not loop.left_out for step in loop.steps for each in step)
        return any(each.models and each.runs_here for each in running)

    @property
    def unknown(self) -> tuple[str, ...]:
        running = (loop for loop in self.loops if not loop.left_out)
        gates = (each for loop in running for step in loop.steps for each in step if each.runs_here)
        return tuple(each.gate for each in gates if each.seconds is None)

    def plain(self) -> dict[str, Any]:
        sums = {
            "seconds": round(self.seconds, 1),
            "at_most": self.at_most,
            "usd": round(self.usd, 6),
            "unknown": list(self.unknown),
        }
        return asdict(self) | sums


def plan(review: Review, request: ReviewRequest) -> PlannedReview:
    """Runs nothing and asks nobody."""
    config, project, chosen, target = review.prepared(request)
    planner = _Planner(config, target, project, _past_seconds(project.store))
    loops = tuple(planner.loop(each) for each in chosen)
    return PlannedReview(target.base, target.fork, target.scope_words, target.present, loops)


@dataclass(frozen=True, slots=True)
class _Planner:
    config: Config
    target: ReviewTarget
    project: Project
    times: Mapping[str, float]

    def loop(self, chosen: ChosenLoop) -> PlannedLoop:
        loop, why = chosen.loop, chosen.left_out
        steps = tuple(tuple(self._gate(name, why.get(name, "")) for name in step) for step in loop.steps)
        stands = loop.inputs and not why and passed_before(loop, self.target, self.config, self.project.store)
        left_out = chosen.unchosen or (UNCHANGED if stands else "")
        return PlannedLoop(chosen.number, loop.name, loop.timeout, loop.blocks, steps, left_out)

    def _gate(self, name: str, left_out: str) -> PlannedGate:
        gate = self.config.gates[name]
        models = (gate.models or (str(judge_named(gate.judge).tier),)) if gate.judge else ()
        would_skip = self._would_skip(gate, models)
        usd = self._usd(gate, models) if models and not left_out and not would_skip else None
        shown: str = all_without_secrets([_runs(gate)])[0]
        seconds = self.times.get(name)
        quota = Quota.of_gate(gate, self.project.state_dir).words() if gate.quota else ""
        return PlannedGate(name, shown, models, seconds, usd, left_out, would_skip, quota, gate.timeout or 0)

    def _would_skip(self, gate: Gate, models: tuple[str, ...]) -> str:
        """As far as that can be told without running anything."""
        missing = next((name for name in models if name not in self.config.models), "")
        if missing:
            return f"no model is configured for it; add `models.{missing}` to vetgate.yaml"
        silent = [self._why_silent(self.config.models[name]) for name in models]
        if models and all(silent):
            return silent[0]
        given = environment(gate, os.environ, self.target.change.root, ())
        absent = absent_program(gate.command, given.get("PATH"))
        return f"{absent} was not found" if absent else ""

    def _why_silent(self, model: Model) -> str:
        """Why it cannot be asked; a keyring is not opened for that."""
        from vetgate.models.keys import KEYRING, UnusableModelError, endpoint_of, find_key  # noqa: PLC0415 - as needed

        is_client = model.api == CLIENT
        if model.key.startswith(KEYRING) or (is_client and not model.key):
            return ""
        try:
            (find_key if is_client else endpoint_of)(model, own_environment(os.environ, (self.target.change.root,)))
        except UnusableModelError as error:
            return str(error)
        return ""

    def _usd(self, gate: Gate, models: tuple[str, ...]) -> float | None:
        """By what a call has cost so far, or else by what would be sent; None where no price is known."""
        past = [call for call in self.project.store.model_calls() if call.gate == gate.id and not call.failure]
        if past:
            return round(sum(call.usd for call in past) / len(past) * len(models), 6)
        if any(name not in self.config.models for name in models):
            return None
        change = self.target.change
        request = JudgeRequest(gate.judge, change.root, models=gate.models, change=change)
        try:
            found = prepare(request).estimates
        except UserError:
            return None
        return round(sum(each.usd for each in found), 6)


def _runs(gate: Gate) -> str:
    if gate.command:
        return gate.command
    if gate.judge:
        return f"judge {gate.judge}"
    return f"checks {', '.join(gate.checks)}" if gate.checks else f"proof of {gate.prove}"


def _past_seconds(store: Store) -> dict[str, float]:
    """Half of the past runs took no longer; what was not run again took no time."""
    took: dict[str, list[float]] = {}
    for row in store.decisions(_PAST):
        for gate in row.body.gates:
            if gate.elapsed_ms > 0:
                took.setdefault(gate.gate, []).append(gate.elapsed_ms / 1000)
    return {name: round(median(each), 1) for name, each in took.items()}
