"""A judge asked by hand about a transcript, a diff, a file or the work tree, or only what it would ask."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from vetgate.agents import agents
from vetgate.agents.conversation import Speaker
from vetgate.config.models import judge_names
from vetgate.config.node import did_you_mean
from vetgate.gates.judge import JudgeRunner
from vetgate.judgement import Usage
from vetgate.judges import all_judges
from vetgate.judges.gather import conversation_of
from vetgate.model import Change, Event, EventKind, File, Gate, UserError
from vetgate.project import Project
from vetgate.record import recorded_judgement
from vetgate.runtime import state_dir
from vetgate.service.configuration import is_known
from vetgate.source import git
from vetgate.source.disk import read_existing
from vetgate.source.root import name_in, project_root, real
from vetgate.source.text import NotText
from vetgate.source.unified_diff import read_diff

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.config.trust import Effective
    from vetgate.judgement import Model, Question
    from vetgate.judges.judge import Judge
    from vetgate.store import RecordedJudgement

_MARGIN = 2.0  # seconds beyond what the models get
# What a judge is told that it looks at, the first that it is for.
_KINDS = (EventKind.BEFORE_EDIT, EventKind.REVIEW, EventKind.STOP, EventKind.BEFORE_COMMAND)


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """`diff` is the text of one, `file` a path, `change` is known; else it is what the work tree changes since HEAD.

    `models` are asked instead of those that the configuration names.
    """

    judge: str
    cwd: Path
    transcript: Path | None = None
    diff: str | None = None
    file: str | None = None
    models: tuple[str, ...] = ()
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """About what one call would take at most."""

    model: Model
    usage: Usage
    usd: float


@dataclass(frozen=True)
class Prepared:
    """A question that nobody was asked yet."""

    runner: JudgeRunner
    gate: Gate
    questions: tuple[Question, ...]
    models: tuple[Model, ...]

    @property
    def question(self) -> Question:
        """The first, and the only one unless a review is large."""
        return self.questions[0]

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """Of all questions to each model."""
        return tuple(self._estimate(model) for model in self.models)

    def _estimate(self, model: Model) -> Estimate:
        from vetgate.models.price import estimate  # noqa: PLC0415 - only when a judge is asked

        each = [estimate(question, model) for question in self.questions]
        return Estimate(model, sum((usage for usage, _ in each), Usage()), sum(usd for _, usd in each))

    def ask(self) -> RecordedJudgement:
        """Raises UserError where no model gave an answer. What it cost is on record, and counts for the budget."""
        from vetgate.models.client import warm_up  # noqa: PLC0415 - as above

        warm_up({model.api for model in self.models})  # which takes seconds, and is no fault of the model
        seconds = self.runner.timeout(self.gate) + _MARGIN
        outcome = replace(self.runner, seconds=seconds, started=time.monotonic()).run(self.gate)
        if outcome.judgement is None:
            why = outcome.error or outcome.evidence
            raise UserError(f"{self.gate.judge} came to no answer: {why}", hint="vetgate doctor --models")
        return recorded_judgement(outcome.judgement)

    def plain(self) -> dict[str, Any]:
        """What would be sent, and what that would cost."""
        granted = self.question.investigate
        return {
            "judge": self.question.judge,
            "instructions": self.question.instructions,
            "prompt": self.question.prompt,
            **({"more_prompts": [each.prompt for each in self.questions[1:]]} if len(self.questions) > 1 else {}),
            "most_tokens": self.question.most_tokens,
            "investigate": {"turns": granted.turns, "tokens": granted.tokens} if granted else None,
            "models": [
                {"model": each.model.name, "input_tokens": each.usage.input, "output_tokens": each.usage.output}
                | {"usd": round(each.usd, 6)}
                for each in self.estimates
            ],
        }


def plain(judgement: RecordedJudgement) -> dict[str, Any]:
    """As programs read it."""
    found: dict[str, Any] = to_builtins(judgement)
    return found


def known_judges() -> list[str]:
    return sorted(judge_names())


def prepare(request: JudgeRequest) -> Prepared:
    """Only with models of a configuration that a person accepted. Raises UserError."""
    judge = _judge(request.judge)
    root = project_root(request.cwd) or real(request.cwd)
    project = _accepted_project(root)
    in_force = project.effective()
    gate = _gate(in_force.config, request)
    change = _change(request, root)
    event = _event(judge, request, root, change)
    runner = JudgeRunner(project, in_force.config, event, os.environ, 0.0, change=change, asks_anew=True)
    models = _models(runner, gate, judge, in_force)
    questions = tuple(map(runner.sendable, runner.asking(gate, judge, models).questions))
    if not questions:
        raise UserError(f"the judge {judge.id} has nothing to ask about this", hint=_needed(judge, request))
    return Prepared(runner, gate, questions, models)


def _judge(name: str) -> Judge:
    found = all_judges().get(name)
    if found is None:
        names = known_judges()
        raise UserError(f"there is no judge {name!r}{did_you_mean(name, names)}", hint=f"judges: {', '.join(names)}")
    return found


def _accepted_project(root: Path) -> Project:
    if not is_known(root):
        hint = "name models in vetgate.yaml, then accept it: vetgate trust"
        raise UserError(f"nobody accepted a configuration with models for {root}", hint=hint)
    return Project(root, state_dir())


def _gate(config: Config, request: JudgeRequest) -> Gate:
    """The gate of this judge, where there is one: it says how the judge is asked."""
    own = next((gate for gate in config.gates.values() if gate.judge == request.judge), None)
    gate = own or Gate(request.judge, (), judge=request.judge, block_at=all_judges()[request.judge].block_at)
    return replace(gate, models=request.models or gate.models)


def _models(runner: JudgeRunner, gate: Gate, judge: Judge, in_force: Effective) -> tuple[Model, ...]:
    found = runner.models(gate, judge)
    if not isinstance(found, str):
        return found
    wanted = gate.models or (str(judge.tier),)
    missing = next(name for name in wanted if name not in runner.config.models)
    written = in_force.file.config.models if in_force.file is not None else {}
    if missing in written:
        raise UserError(f"nobody accepted the model `{missing}` of vetgate.yaml", hint="read it, then: vetgate trust")
    meant = did_you_mean(missing, sorted(runner.config.models))
    hint = f"add `models.{missing}` to vetgate.yaml and accept it with `vetgate trust`, or name another with --model"
    raise UserError(f"no model `{missing}` is configured{meant}", hint=hint)


def _change(request: JudgeRequest, root: Path) -> Change | None:
    if request.change is not None:
        return request.change
    if request.diff is not None:
        change = read_diff(request.diff, root)
        if not change.files:
            raise UserError("that is not a unified diff", hint="git diff | vetgate judge NAME --diff -")
        return change
    if request.file is not None:
        return _whole_file(request.cwd / request.file, request.file, root)
    if request.transcript is not None and git.find(root) is None:
        return None
    return git.open_at(root).since("HEAD")


def _whole_file(path: Path, called: str, root: Path) -> Change:
    try:
        text = read_existing(path, follow=True)
    except NotText as error:
        raise UserError(f"{called} cannot be judged: {error}") from None
    if text is None:
        raise UserError(f"{called} does not exist", hint="paths are relative to the current folder")
    return Change(root, files=(File(name_in(root, real(path)), None, text),))


def _event(judge: Judge, request: JudgeRequest, root: Path, change: Change | None) -> Event:
    kind = next((kind for kind in _KINDS if kind in judge.events), EventKind.REVIEW)
    keeps = _writer(judge, request.transcript)
    about = change if change is not None and change.files else None
    event = Event(keeps, kind, cwd=root, change=about, transcript=request.transcript)
    said = conversation_of(judge, event).of(Speaker.ASSISTANT)
    return replace(event, last_message=said[-1].text) if said else event


def _writer(judge: Judge, transcript: Path | None) -> str:
    """Whose transcript it is: the first agent that reads anything in there."""
    keep = [each for each in agents() if each.capabilities.keeps_transcripts]
    reads = (each.name for each in keep if transcript and each.transcript.recent(transcript, judge.preset).messages)
    return next(reads, keep[0].name)


def _needed(judge: Judge, request: JudgeRequest) -> str:
    what = f"vetgate explain {judge.id} says what it looks at"
    return what if request.transcript is not None else f"it may need the conversation (--transcript FILE); {what}"
