"""Asking a model: always an answer or a failure with its reason, never later than agreed, never an exception."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import threading
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from vetgate.judgement import Answer, ModelFailure, ModelReply, Part, Question
from vetgate.models import claude_cli
from vetgate.models.keys import UnusableModelError, endpoint_of, raw_text
from vetgate.models.price import cost, estimate
from vetgate.models.retry import CallTally

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.judgement import Model
    from vetgate.models.keys import Endpoint

_HEAVY = {"anthropic": "vetgate.models.anthropic_api", "openai": "vetgate.models.openai_api"}
_NOT_INSTALLED = 'asking a model needs vetgate[models]: pip install "vetgate[models]"'
_LATE = "the model did not answer in time"
_CANCELLED = "the answer is no longer needed"
# Whether a model can be asked at all: the cheapest question there is.
PROBE = Question(
    "doctor",
    "You are asked only whether you can be reached. Answer with the decision allow, confidence 1 and no findings.",
    (Part("Question", "Can you be reached?"),),
    most_tokens=256,
)
_LOOK = 0.02  # seconds between two looks at whether the answer is still wanted
_GRACE = 0.5  # for what is under way to close its connection


def ask(
    question: Question,
    model: Model,
    environment: Mapping[str, str],
    seconds: float,
    cancel: threading.Event | None = None,
) -> ModelReply:
    """One question to one model, in at most so many seconds; `environment` tells its key, address and proxy."""
    started = time.monotonic()
    call = _PendingAnswer(question, model, environment, started + max(0.0, seconds), cancel or threading.Event())
    # In a thread of its own: an import, a keyring or a resolver may hold it longer than anybody is ready to wait.
    with contextlib.suppress(RuntimeError):  # no more threads to be had
        threading.Thread(target=call.run, name="vetgate-model", daemon=True).start()
        call.wait()
    reply = call.reply or call.given_up()
    took = round((time.monotonic() - started) * 1000, 1)
    return replace(reply, usd=reply.usd or cost(reply.usage, model), latency_ms=took)


def warm_up(apis: Iterable[str]) -> None:
    """Imports what asking will need, which takes seconds: for a process that stays, while nobody waits."""
    for api in apis:
        with contextlib.suppress(ImportError):
            if api in _HEAVY:
                importlib.import_module("vetgate.models.conversation")
                importlib.import_module(_HEAVY[api])


@dataclass
class _PendingAnswer:
    question: Question
    model: Model
    environment: Mapping[str, str] = field(repr=False)
    deadline: float
    cancel: threading.Event
    reply: ModelReply | None = None
    _over: threading.Event = field(default_factory=threading.Event)

    def wait(self) -> None:
        last = self.deadline + _GRACE
        while not self._over.wait(_LOOK) and time.monotonic() < last:
            if self.cancel.is_set():
                last = min(last, time.monotonic() + _GRACE)
                self._over.wait(_GRACE)

    def given_up(self) -> ModelReply:
        if self.cancel.is_set():
            return self._failed(ModelFailure.CANCELLED, _CANCELLED)
        if time.monotonic() >= self.deadline:
            return self._failed(ModelFailure.TIMEOUT, _LATE)
        return self._failed(ModelFailure.OTHER, "asking the model failed for an unexpected reason")

    def run(self) -> None:
        with contextlib.suppress(Exception):  # whatever it is: without a reply, the caller says that there is none
            self._ask()
        self._over.set()

    def _end(self, reply: ModelReply) -> None:
        self.reply = reply
        self._over.set()

    def _ask(self) -> None:
        if self.cancel.is_set() or time.monotonic() >= self.deadline:
            return
        try:
            if self.model.api == claude_cli.API:
                asked = (self.question, self.model, self.environment, self.deadline, self.cancel)
                self._end(claude_cli.ask(*asked))
            else:
                asyncio.run(self._converse())
        except UnusableModelError as error:
            self._end(self._failed(error.failure, str(error)))
        except ImportError:
            self._end(self._failed(ModelFailure.NOT_INSTALLED, _NOT_INSTALLED))

    async def _converse(self) -> None:
        endpoint = endpoint_of(self.model, self.environment)
        from vetgate.models.conversation import converse, failure_of  # noqa: PLC0415 - heavy, and an extra

        tally = CallTally()
        under_way = asyncio.ensure_future(converse(self.question, self.model, endpoint, tally, self.deadline))
        while not under_way.done() and not self.cancel.is_set() and time.monotonic() < self.deadline:
            await asyncio.wait({under_way}, timeout=_LOOK)
        is_ended = under_way.done()
        under_way.cancel()
        [outcome] = await asyncio.gather(under_way, return_exceptions=True)
        unheard = estimate(self.question, self.model)[0] * tally.unanswered
        reply = ModelReply(self.model.name, usage=tally.usage + unheard, tries=tally.tries)
        if isinstance(outcome, Answer):
            self._end(replace(reply, answer=_without_key(outcome, endpoint)))
            return
        if is_ended and isinstance(outcome, BaseException):
            failure, detail = failure_of(outcome, tally, endpoint)
        else:
            given_up = self.given_up()
            failure, detail = given_up.failure or ModelFailure.TIMEOUT, given_up.detail
        raw = raw_text(tally.body, endpoint) if failure is ModelFailure.MALFORMED else ""
        self._end(replace(reply, failure=failure, detail=detail, raw=raw))

    def _failed(self, failure: ModelFailure, detail: str) -> ModelReply:
        return ModelReply(self.model.name, None, failure, detail)


def _without_key(answer: Answer, endpoint: Endpoint) -> Answer:
    """An endpoint that was sent a key may repeat it in what it answers, which is shown and kept."""
    if endpoint.key is None:
        return answer
    safe = endpoint.key.without
    findings = (
        replace(each, message=safe(each.message), path=safe(each.path), rule=safe(each.rule), fix=safe(each.fix))
        for each in answer.findings
    )
    return replace(answer, reason=safe(answer.reason), findings=tuple(findings))
