"""A gate's judge for one event: what it is shown, whom it asks, what that may cost, and what it came to."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import msgspec

from vetgate.agents.conversation import Conversation, Speaker, TranscriptMessage
from vetgate.checks.unsafe_command import SENSITIVE
from vetgate.engine.analysis import digest_of
from vetgate.gates.budget import PAYMENTS, Purse
from vetgate.gates.command_kinds import digest
from vetgate.gates.isolation import own_environment
from vetgate.gates.jobs import RUNS, subject_of
from vetgate.gates.locks import NOBODY
from vetgate.gates.process import CANCEL
from vetgate.judgement import Consensus, Investigation, JudgeDecision, ModelFailure, ModelReply
from vetgate.judges import judge_named
from vetgate.judges.appeal import is_overturned
from vetgate.judges.consensus import is_disputed, is_settled, join, opinions_of
from vetgate.judges.environment_values import EnvironmentValues
from vetgate.judges.gather import gather
from vetgate.judges.path_rules import PathRules
from vetgate.judges.prompt import question_of
from vetgate.judges.triggers import BEFORE
from vetgate.known_agents import known_agents
from vetgate.log import Log
from vetgate.model import EventKind, Finding, Outcome, Span, Status
from vetgate.severity import Severity
from vetgate.source.root import real
from vetgate.store import UNDER_WAY, Job, ModelCall, SessionMark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vetgate.config.schema import Config
    from vetgate.judgement import JudgeFinding, Judgement, Model, Part, Question
    from vetgate.judges.judge import Context, Judge
    from vetgate.model import Change, Event, Gate
    from vetgate.project import Project
    from vetgate.store import Store

_RESERVE = 0.3  # seconds kept for telling
# Where nobody stays to hear a late answer: a request that is given up may take a little to end.
_RESERVE_ALONE = 1.0
_MOST_AT_ONCE = 8
_REVIEW_SECONDS = 300.0
_LATER = "it is still being asked; its answer follows later"


class _WantedAnswers:
    """Thread-safe. What is being asked about each file: a question about an earlier text of it is given up."""

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._most = most
        self._asked: dict[tuple[str, str, str, str], tuple[str, threading.Event]] = {}

    def renew(self, job: Job) -> threading.Event:
        """What gives this question up; the same question is the same."""
        key = (job.root, job.session, job.gate, job.path)
        with self._lock:
            known, earlier = self._asked.pop(key, ("", None))
            cancel = earlier if earlier is not None and known == job.id else threading.Event()
            while len(self._asked) >= self._most:
                del self._asked[next(iter(self._asked))]
            self._asked[key] = (job.id, cancel)
        if earlier is not None and earlier is not cancel:
            earlier.set()
        return cancel


_WANTED = _WantedAnswers(500)
_BEHIND = threading.BoundedSemaphore(_MOST_AT_ONCE)


@dataclass
class JudgeRunner:
    """For one event. `given` is the environment of the agent, which may hold the keys of models.

    In a process that `stays` one that takes longer than there is time for goes on behind the answer. One that
    `asks_anew` does not go by answers of the last hour. One that `warms_up` imports first what asking needs, which
    takes seconds and is no fault of a model. Whoever waits for none of them any longer sets `given_up`.
    """

    is_cheap: ClassVar[bool] = False

    project: Project
    config: Config
    event: Event
    given: Mapping[str, str] = field(repr=False)
    seconds: float
    stays: bool = False
    change: Change | None = None
    asks_anew: bool = False
    warms_up: bool = False
    started: float = field(default_factory=time.monotonic)
    given_up: threading.Event = field(default_factory=lambda: CANCEL.get() or threading.Event())
    _chain: threading.local = field(default_factory=threading.local, repr=False)  # a chain runs in one thread

    def run(self, gate: Gate) -> Outcome:
        """Waited for as long as there is time."""
        return self.begin(gate, max(0.0, self.left()))

    def begin(self, gate: Gate, wait: float) -> Outcome:
        judge = judge_named(gate.judge)
        models = self.models(gate, judge)
        if isinstance(models, str):
            return Outcome.errored(gate.id, models)
        asking = self.asking(gate, judge, models)
        if not asking.questions:
            return Outcome.skipped(gate.id, "there is nothing to ask")
        job = self._job(gate)
        if not wait and not self.stays:
            return self._left(job)
        # Who is waited for is not given up for a later text.
        cancel = _WANTED.renew(job) if job.path and not wait else self.given_up
        asking = replace(asking, cancel=cancel)
        timeout = self.timeout(gate)
        if not self.stays:
            is_short = wait < timeout and job.path and self.event.kind in BEFORE
            alone = replace(asking, is_short=bool(is_short)).outcome(min(wait, timeout))
            return self._left(job) if alone.pending else self._remembered(alone)
        act = partial(asking.outcome, timeout) if wait else partial(self._behind_the_answer, asking, timeout)
        outcome = RUNS.join(self.project.store, job, act, wait)
        return Outcome.errored(gate.id, _LATER, pending=True) if outcome is None else self._remembered(outcome)

    def _left(self, job: Job) -> Outcome:
        """For the next process that has the time: it asks again, as if another one had been asking that is gone."""
        self.project.store.put_job(msgspec.structs.replace(job, owner=NOBODY))
        return Outcome.errored(job.gate, _LATER, pending=True)

    def asking(self, gate: Gate, judge: Judge, models: Sequence[Model]) -> Asking:
        """What it would ask these models; nobody was asked yet."""
        context = self.context(judge)
        if judge.reviews:
            from vetgate.gates.reviewer import Reviewing  # noqa: PLC0415 - it builds on this module

            return Reviewing.of(self, gate, judge, context, models)
        question = question_of(judge, context, self.investigation(gate))
        return Asking(self, gate, judge, context, () if question is None else (question,), models)

    def begin_later(self, gate: Gate) -> None:
        """Behind the answer: whatever it comes to is kept for the next one."""
        outcome = self.begin(gate, 0.0)
        if not outcome.pending and outcome.status is not Status.SKIPPED:
            self.project.store.put_job(msgspec.structs.replace(self._job(gate), outcome=outcome))

    def _behind_the_answer(self, asking: Asking, seconds: float) -> Outcome:
        """A few at a time: who asks a hundred questions at once is refused most of them."""
        with _BEHIND:
            return self._with_appeal(asking, seconds)

    def _with_appeal(self, asking: Asking, seconds: float) -> Outcome:
        """Behind the answer nobody follows the gates that call each other: a denial is appealed here."""
        outcome = asking.outcome(seconds)
        appeal = self.config.gates.get(asking.gate.on_fail)
        if outcome.status is not Status.FAILED or outcome.judgement is None or appeal is None or not appeal.judge:
            return outcome
        self._chain.denied = outcome
        judge = judge_named(appeal.judge)
        models = self.models(appeal, judge)
        if isinstance(models, str):
            return outcome
        again = replace(self.asking(appeal, judge, models), cancel=asking.cancel)
        heard = again.outcome(self.timeout(appeal)).judgement if again.questions else None
        if heard is None or not is_overturned(outcome.judgement, heard):
            return outcome
        advice = tuple(replace(each, advisory=True) for each in outcome.findings)
        return replace(outcome, status=Status.PASSED, findings=advice, evidence=f"overturned on appeal: {heard.reason}")

    @property
    def denied(self) -> Outcome | None:
        """What the judge before this one in the chain has denied."""
        outcome: Outcome | None = getattr(self._chain, "denied", None)
        return outcome

    def context(self, judge: Judge) -> Context:
        context = gather(judge, self.event, self.project.root, change=self.change, sensitive=SENSITIVE.of(self.config))
        known = frozenset(self.project.store.subjects(self.event.session, "", SessionMark.ACKNOWLEDGED))
        context = replace(context, remembered=known)
        if not context.conversation.of(Speaker.USER):
            context = replace(context, conversation=self._with_prompts(context.conversation, judge))
        if self.denied is None or self.denied.judgement is None:
            return context
        said = self.denied.judgement
        denial = "\n".join((said.reason, *(each.message for each in said.findings)))
        return replace(context, denied_by=said.judge, denial=denial)

    def _with_prompts(self, conversation: Conversation, judge: Judge) -> Conversation:
        """What a person asked for, before the rest: where no transcript is kept that says it."""
        latest = prompts_of(self.project.store, self.event.session)[-judge.preset.users :]
        messages = tuple(TranscriptMessage(Speaker.USER, text) for text in latest)
        return replace(conversation, messages=(*messages, *conversation.messages), characters=judge.preset.characters)

    def models(self, gate: Gate, judge: Judge) -> tuple[Model, ...] | str:
        """Whom it asks, the primary first; or why nobody."""
        names = gate.models or (str(judge.tier),)
        missing = [name for name in names if name not in self.config.models]
        if missing:
            return f"no model is configured for it; add `models.{missing[0]}` to vetgate.yaml"
        return tuple(self.with_price(self.config.models[name]) for name in names)

    def with_price(self, model: Model) -> Model:
        from vetgate.models.price import priced  # noqa: PLC0415 - only when a judge runs

        return priced(model, self.config.models.values())

    def consensus(self, gate: Gate) -> Consensus:
        return gate.consensus or self.config.consensus

    def timeout(self, gate: Gate) -> float:
        """Seconds for its models. In a review nobody's hook waits: there a reviewer has minutes, unless it is said."""
        own = self.config.judge_seconds(gate)
        is_unsaid = not gate.timeout and own == Consensus().timeout
        has_time = self.event.kind is EventKind.REVIEW and judge_named(gate.judge).reviews
        return _REVIEW_SECONDS if has_time and is_unsaid else own

    @cached_property
    def environment(self) -> Mapping[str, str]:
        """That of the agent, as far as no repository has a word in it."""
        began = (known.session_folder(self.given) for known in known_agents())
        roots = {self.project.root, self.event.cwd, *(Path(folder) for folder in began if folder)}
        return own_environment(self.given, roots)

    def left(self) -> float:
        reserve = _RESERVE if self.stays else _RESERVE_ALONE
        return self.seconds - reserve - (time.monotonic() - self.started)

    def investigation(self, gate: Gate) -> Investigation | None:
        if not gate.investigate:
            return None
        return Investigation(self.project.root, sensitive=SENSITIVE.of(self.config))

    def sendable(self, question: Question) -> Question:
        """As it leaves: without the values of `.env` files, whatever they were quoted from."""
        parts = tuple(replace(part, text=self._environment_values.hidden_in(part.text)) for part in question.parts)
        return replace(question, parts=parts)

    @cached_property
    def _environment_values(self) -> EnvironmentValues:
        return EnvironmentValues(self.project.root)

    def put(
        self, question: Question, model: Model, seconds: float, gate: str, cancel: threading.Event | None = None
    ) -> ModelReply:
        """Where the budget allows it. What it costs is on record, and so is an answer that nobody can read."""
        from vetgate.models.client import ask  # noqa: PLC0415 - heavy, and only when a judge runs
        from vetgate.models.price import estimate  # noqa: PLC0415 - as above

        question = self.sendable(question)
        until, given_up = time.monotonic() + seconds, cancel or self.given_up
        purse = Purse(self.project.store, self.config.budget)
        usage, usd = estimate(question, model)
        at_most = ModelReply(model.name, usage=usage, usd=usd, tries=0)
        begun = self._call(question, gate, at_most, UNDER_WAY)
        if over := PAYMENTS.begin(purse, begun, until, given_up):
            return ModelReply(model.name, None, ModelFailure.BUDGET, over)
        reply = ask(question, model, self.environment, max(0.0, until - time.monotonic()), given_up)
        PAYMENTS.end(purse, begun, self._call(question, gate, reply, str(reply.failure or "")))
        if reply.raw:
            told = {"judge": question.judge, "model": reply.model, "answer": reply.raw}
            Log(self.project.state_dir).write("warning", self.config.log_level, "unreadable answer", **told)
        return replace(reply, raw="")

    def _call(self, question: Question, gate: str, reply: ModelReply, failure: str) -> ModelCall:
        used = reply.usage
        return ModelCall(
            time.time(),
            self.event.session,
            question.judge,
            gate,
            reply.model,
            used.input,
            used.output,
            used.cached,
            used.written,
            reply.usd,
            reply.latency_ms,
            reply.tries,
            failure,
        )

    def _job(self, gate: Gate) -> Job:
        """About the text of files, where it is: an answer about a text that is gone interests nobody."""
        root, session = str(self.project.root), self.event.session
        files = self.event.change.files if self.event.change else ()
        texts = {file.path: file.after for file in files if file.after is not None}
        path, content = subject_of(texts) if texts and len(texts) == len(files) else ("", "")
        denied = self.denied.gate if self.denied else ""
        about = path or self.event.call or f"{self.event.kind} {self.event.command} {time.monotonic_ns()}"
        return Job(digest((root, session, gate.id, about, content, denied)), root, session, gate.id, path, content, "")

    def _remembered(self, outcome: Outcome) -> Outcome:
        if outcome.judgement is not None and outcome.judgement.decision is JudgeDecision.DENY:
            self._chain.denied = outcome
        return outcome


@dataclass(frozen=True)
class Asking:
    """What one judge asks all its models: one question, or the several of a review.

    `opinions` is what others answered, for the adjudicator who decides between them. `is_short`: there is less time
    than the models are given, so that one who is late is asked again when there is more.
    """

    runner: JudgeRunner
    gate: Gate
    judge: Judge
    context: Context
    questions: tuple[Question, ...]
    models: Sequence[Model]
    cancel: threading.Event = field(default_factory=threading.Event)
    opinions: tuple[Part, ...] = ()
    is_short: bool = False

    def outcome(self, seconds: float) -> Outcome:
        """Never an exception: what others have decided is not lost for it."""
        try:
            return self._outcome(seconds)
        except Exception as error:  # noqa: BLE001 - whatever a model says or a library does
            return Outcome.errored(self.gate.id, f"the question failed ({type(error).__name__})")

    def _outcome(self, seconds: float) -> Outcome:
        if self.runner.warms_up and self._asks():
            from vetgate.models.client import warm_up  # noqa: PLC0415 - heavy, and only when a model is asked

            warm_up({model.api for model in self.runner.config.models.values()})
        started = time.monotonic()
        replies = self.ask_all(self.models, seconds)
        by_name = {model.name: model for model in self.models}
        consensus = self.runner.consensus(self.gate)
        is_late = any(reply.failure is ModelFailure.TIMEOUT for reply in replies)
        if self.is_short and is_late and not is_settled(replies, by_name, consensus):
            return Outcome.errored(self.gate.id, _LATER, pending=True)
        adjudication = None
        adjudicator = self.runner.config.models.get(consensus.adjudicator)
        if adjudicator is not None and is_disputed(replies, by_name):
            asking = replace(self, opinions=opinions_of(replies))
            (adjudication,) = asking.ask_all(
                (self.runner.with_price(adjudicator),), max(0.0, seconds - (time.monotonic() - started))
            )
        judgement = join(self.judge.id, replies, by_name, consensus, adjudication)
        elapsed = (time.monotonic() - started) * 1000
        if judgement is None:
            return replace(Outcome.errored(self.gate.id, _why(replies)), elapsed_ms=elapsed)
        self._remember(judgement)
        return replace(self._settled(judgement, max(0.0, seconds - elapsed / 1000)), elapsed_ms=elapsed)

    def _asks(self) -> bool:
        """Whether any model has to be asked."""
        return bool(self.questions)

    def _settled(self, judgement: Judgement, seconds: float) -> Outcome:  # noqa: ARG002 - for who asks once more
        """What the judgement comes to, within so many seconds."""
        findings = tuple(self._findings(judgement))
        status = Status.FAILED if judgement.decision is JudgeDecision.DENY else Status.PASSED
        return Outcome(self.gate.id, status, findings, judgement=judgement)

    def ask_all(self, models: Sequence[Model], seconds: float) -> list[ModelReply]:
        with ThreadPoolExecutor(min(len(models), _MOST_AT_ONCE), thread_name_prefix="model") as pool:
            return list(pool.map(lambda model: self._ask(model, seconds), models))

    def _ask(self, model: Model, seconds: float) -> ModelReply:
        question = self.questions[0]
        if self.opinions:
            granted = self.runner.investigation(self.gate)
            question = question_of(self.judge, self.context, granted, self.opinions) or question
        return self._put(question, model, seconds)

    def _put(self, question: Question, model: Model, seconds: float) -> ModelReply:
        return self.runner.put(question, model, seconds, self.gate.id, self.cancel)

    def _remember(self, judgement: Judgement) -> None:
        if judgement.decision is JudgeDecision.ALLOW and self.judge.keys is not None:
            for key in self.judge.keys(self.context):
                store, session = self.runner.project.store, self.runner.event.session
                store.mark(session, "", SessionMark.ACKNOWLEDGED, key)

    def _findings(self, judgement: Judgement) -> list[Finding]:
        """Those that decided, and those that were overruled, which only inform."""
        denies = judgement.decision is JudgeDecision.DENY
        standing = [self._finding(each, judgement, informs=not denies) for each in judgement.findings]
        if denies and standing and not any(each.severity >= Severity.ERROR for each in standing):
            standing[0] = standing[0].at(Severity.ERROR)  # it is what the decision rests on
        return [*standing, *(self._finding(each, judgement, informs=True) for each in judgement.overruled)]

    def _finding(self, said: JudgeFinding, judgement: Judgement, *, informs: bool) -> Finding:
        several = len({reply.model for reply in judgement.replies}) > 1
        return Finding(
            self.judge.id,
            said.rule or said.category,
            self._place(said),
            f"{said.message} ({said.model})" if several and said.model else said.message,
            said.severity,
            confidence=judgement.confidence,
            evidence=digest_of(said.message),
            fix=said.fix,
            advisory=informs,
        )

    def _place(self, said: JudgeFinding) -> Span:
        """Lines are quoted from there: of another file than those that were judged only one that anybody may see."""
        change = self.runner.event.change or self.runner.change
        judged = [file.path for file in change.files] if change else []
        path = said.path.removeprefix("./")
        if path in judged:
            return Span(path, said.line)
        # About what is judged, where it names no other file that can be shown; at the end of a turn about no file.
        nowhere = Span(judged[0], 0) if len(judged) == 1 and self.runner.event.kind in BEFORE else Span("", 0)
        if not path:
            return replace(nowhere, line=said.line) if nowhere.path else nowhere
        root = real(self.runner.project.root)
        try:
            place = real(root / path)
            is_shown = place.is_relative_to(root) and place.is_file()
            if not is_shown or PathRules(root, SENSITIVE.of(self.runner.config)).is_withheld(path):
                return nowhere
        except (OSError, ValueError):  # whatever a model takes for a path
            return nowhere
        return Span(place.relative_to(root).as_posix(), said.line)


def prompts_of(store: Store, session: str) -> tuple[str, ...]:
    """What a person asked for in a session of which no transcript is kept, oldest first."""
    kept = store.subjects(session, "", SessionMark.PROMPTS)
    try:
        return msgspec.json.decode(kept[-1], type=tuple[str, ...]) if kept else ()
    except msgspec.MsgspecError:  # a row of another version
        return ()


def _why(replies: Sequence[ModelReply]) -> str:
    said = dict.fromkeys(f"{reply.model}: {reply.detail or reply.failure or ModelFailure.OTHER}" for reply in replies)
    return "; ".join(said)
