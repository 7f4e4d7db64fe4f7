"""Whether the models of a project can be asked: keys, what is installed, what a gate counts on; never a key itself."""

from __future__ import annotations

import importlib.util
import os
from typing import TYPE_CHECKING

from vetgate.agents import session_agents
from vetgate.agents.diagnosis import bad, good, note
from vetgate.client import AFTER_LONG_WAIT
from vetgate.config.models import ANTHROPIC, CLIENT, OPENAI
from vetgate.gates.judge import JudgeRunner
from vetgate.judgement import ModelFailure
from vetgate.judges import all_judges
from vetgate.judges.triggers import longest_wait
from vetgate.model import Event, EventKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vetgate.agents import Agent
    from vetgate.agents.diagnosis import Diagnosis
    from vetgate.config.schema import Config
    from vetgate.judgement import Model, ModelReply
    from vetgate.model import Gate
    from vetgate.project import Project

_ID = "models"
_PATIENCE = 30.0  # seconds for a model that is only asked whether it is there
_LIBRARY = "pydantic_ai"
_INSTALL = 'pip install "vetgate[models]"'
_SKIPPED = "judges that ask it are skipped; everything else works as before"


def examine_models(config: Config, project: Project, *, asks: bool) -> Iterator[Diagnosis]:
    """Each model that is configured, and what judges count on; with `asks` each is asked, which costs a little."""
    if not config.enabled:
        return
    yield from _installed(config)
    event = Event("", EventKind.REVIEW, cwd=project.root)
    runner = JudgeRunner(project, config, event, os.environ, _PATIENCE)
    yield from _probed(runner) if asks else (_keyed(each, runner.environment) for each in config.models.values())
    seconds = {agent: agent.guard_seconds(project.root, os.environ) for agent in session_agents()}
    waits = {agent: each for agent, each in seconds.items() if each}
    for gate in config.gates.values():
        if gate.judge:
            yield from _unconfigured(gate, config)
            yield from _unheard(gate, waits)
    yield from _late_answers(config, waits)


def _installed(config: Config) -> Iterator[Diagnosis]:
    needing = [model.name for model in config.models.values() if model.api in {ANTHROPIC, OPENAI}]
    if needing and importlib.util.find_spec(_LIBRARY) is None:
        why = f"no judge can ask {', '.join(needing)}; everything else works as before"
        yield bad(_ID, "models are configured, and vetgate[models] is not installed", why, _INSTALL)


def _keyed(model: Model, environment: Mapping[str, str]) -> Diagnosis:
    from vetgate.models.keys import UnusableModelError, find_key  # noqa: PLC0415 - only where there are models

    try:
        key = find_key(model, environment)
    except UnusableModelError as error:
        return note(_ID, f"{_called(model)}: {error}", _SKIPPED, _where_keys_go(model))
    if key is not None:
        return good(_ID, f"{_called(model)}: its key was found")
    told = "the client's own login is used" if model.api == CLIENT else "no key is configured, and none is sent"
    return good(_ID, f"{_called(model)}: {told}")


def _probed(runner: JudgeRunner) -> Iterator[Diagnosis]:
    """On record and within the budget, as whatever else is asked."""
    from vetgate.models.client import PROBE, warm_up  # noqa: PLC0415 - as above

    models = runner.config.models.values()
    warm_up({model.api for model in models})
    for model in models:
        yield _answered(model, runner.put(PROBE, runner.with_price(model), _PATIENCE, PROBE.judge))


def _answered(model: Model, reply: ModelReply) -> Diagnosis:
    if reply.answer is None:
        said = reply.detail or str(reply.failure or "no answer")
        return note(_ID, f"{_called(model)} cannot be asked: {said}", _SKIPPED, _repair(model, reply.failure))
    took, used = reply.latency_ms / 1000, reply.usage
    tokens = f"{used.input + used.cached + used.written:,} tokens in, {used.output:,} out"
    answer = f"answers {reply.answer.decision} in {took:.1f} s"
    return good(_ID, f"{_called(model)} {answer}; this call took {tokens} and cost {reply.usd:.6f} USD")


def _unconfigured(gate: Gate, config: Config) -> Iterator[Diagnosis]:
    missing = [name for name in gate.models or (str(all_judges()[gate.judge].tier),) if name not in config.models]
    if missing:
        what = f"the gate `{gate.id}` asks `{missing[0]}`, and no model of that name is configured"
        repair = f"add `models.{missing[0]}` to vetgate.yaml, or name others in `gates.{gate.id}.models`"
        yield bad(_ID, what, "its judge is never asked", repair)


def _unheard(gate: Gate, waits: Mapping[Agent, float]) -> Iterator[Diagnosis]:
    silent = [agent.known.title for agent in waits if not agent.capabilities.keeps_transcripts]
    if silent and all_judges()[gate.judge].needs_transcript:
        what = f"the gate `{gate.id}` has nothing to ask about {', '.join(silent)}"
        why = f"its judge `{gate.judge}` needs what the agent said, and vetgate cannot read that agent's transcripts"
        yield note(_ID, what, why, "nothing, if you can do without this judge; docs/agents.md")


def _late_answers(config: Config, waits: Mapping[Agent, float]) -> Iterator[Diagnosis]:
    """Judges that may take longer than an agent waits for the hook before a call."""
    needed = longest_wait(config)
    for agent, given in waits.items():
        left = max(0.0, given - AFTER_LONG_WAIT)
        if needed > left:
            title = agent.known.title
            what = f"judges before a call may take {needed:g} s, and {title} leaves them {left:g} s"
            why = "a call passes without the answer of a slower judge; the answer follows after the call"
            yield note(_ID, what, why, "vetgate doctor --repair, or a shorter `consensus.timeout`")


def _called(model: Model) -> str:
    return f"{model.name} ({model.api}, {model.model})"


def _repair(model: Model, failure: ModelFailure | None) -> str:
    if failure is ModelFailure.NO_KEY:
        return _where_keys_go(model)
    if failure is ModelFailure.NOT_INSTALLED:
        return _where_keys_go(model) if model.api == CLIENT else _INSTALL
    if failure is ModelFailure.UNREACHABLE:
        return f"start the service, or correct `models.{model.name}.url`; a proxy may be in the way"
    if failure is ModelFailure.BUDGET:
        return "raise `budget` in vetgate.yaml, or wait"
    if failure is ModelFailure.OTHER:
        return f"correct `models.{model.name}` in vetgate.yaml (`url`, `model`); docs/models.md"
    return f"try again later, or configure another model as `models.{model.name}`"


def _where_keys_go(model: Model) -> str:
    if model.api == CLIENT:
        return "install the client that its `api` names, and log in"
    if not model.key:
        return f"name the variable or keyring entry that holds its key in `models.{model.name}.key`; docs/models.md"
    return f"set the variable or the keyring entry that `models.{model.name}.key` names; docs/models.md"
