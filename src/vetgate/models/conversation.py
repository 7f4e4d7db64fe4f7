"""One question put to one model through pydantic-ai: a direct call, or several turns with tools to look around.

Of the library we use the two protocols, the loop over tools and the retry of malformed answers. Its own reading of the
environment, retries of requests, redirects, logging and tracing are off.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

import httpx2
from pydantic_ai import Agent, ModelRetry, RunContext, StructuredDict, TextOutput, ToolOutput, UsageLimits, exceptions
from pydantic_ai.capabilities import RaiseContentFilterError
from pydantic_ai.tools import Tool, ToolDefinition

from vetgate.judgement import Answer, ModelFailure
from vetgate.models.answers import DESCRIPTION, SCHEMA, TOOL, WRONG_FORM, MalformedAnswerError, read_answer, read_text
from vetgate.models.retry import MOST_MALFORMED, RATE_LIMITED
from vetgate.models.tools import TOOLS, ProjectReader
from vetgate.models.transport import ModelTransport, WrongFormError

if TYPE_CHECKING:
    from vetgate.judgement import Model, Question
    from vetgate.models.keys import Endpoint
    from vetgate.models.retry import CallTally

_CUT_OFF = "the model's answer was too long, and cut off"
_UNAUTHORISED, _FORBIDDEN = 401, 403

# A variable such as ANTHROPIC_LOG=debug would have them print what is asked; nobody reads that here.
for _name in ("anthropic", "openai", "httpx2", "httpcore2", "pydantic_ai"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)


async def converse(question: Question, model: Model, endpoint: Endpoint, tally: CallTally, deadline: float) -> Answer:
    """Raises what the library raises; `failure_of` knows what it means."""
    is_direct = question.investigate is None
    transport = ModelTransport(endpoint, tally, deadline, each_is_a_retry=is_direct)
    seconds = max(0.001, deadline - time.monotonic())
    async with httpx2.AsyncClient(
        transport=transport, trust_env=False, follow_redirects=False, timeout=seconds
    ) as http:
        agent = _agent(question, model, endpoint, http)
        turns = 1 if question.investigate is None else question.investigate.turns
        limits = UsageLimits(
            request_limit=turns + MOST_MALFORMED,
            total_tokens_limit=None if question.investigate is None else question.investigate.tokens,
        )
        answered = await agent.run(question.prompt or "Go ahead.", usage_limits=limits)
    if not isinstance(answered.output, Answer):
        raise TypeError(type(answered.output).__name__)
    return answered.output


def _agent(question: Question, model: Model, endpoint: Endpoint, http: httpx2.AsyncClient) -> Agent[object, Answer]:
    wanted: Any = ToolOutput(_read, name=TOOL, description=DESCRIPTION)
    if model.api == "anthropic":
        from vetgate.models.anthropic_api import reach  # noqa: PLC0415 - each library takes long to import
    else:
        from vetgate.models.openai_api import reach  # noqa: PLC0415 - as above

        # Not every server of this protocol can be made to call a tool: the same answer as JSON text will do.
        wanted = [wanted, TextOutput(_read_text)]
    thinks = question.investigate is not None
    reached, settings = reach(model.model, endpoint.url, http, question.most_tokens, thinks=thinks)
    return Agent(
        reached,
        name=question.judge or "judge",
        instructions=question.instructions,
        output_type=wanted,
        model_settings=settings,
        retries={"output": MOST_MALFORMED, "tools": MOST_MALFORMED},
        tools=_tools(question),
        end_strategy="early",
        capabilities=[RaiseContentFilterError()],
    )


_Shape: Any = StructuredDict(SCHEMA)


def _read(answer: _Shape) -> Answer:
    try:
        return read_answer(dict(answer))
    except MalformedAnswerError as error:
        raise ModelRetry(str(error)) from None


def _read_text(text: str) -> Answer:
    try:
        return read_text(text)
    except MalformedAnswerError as error:
        raise ModelRetry(str(error)) from None


def _tools(question: Question) -> list[Tool[object]]:
    granted = question.investigate
    if granted is None:
        return []
    reader = ProjectReader(granted)

    def available(context: RunContext[object], tool: ToolDefinition) -> ToolDefinition | None:
        """In the last turn, or when most of the tokens are gone, only the answer is left to give."""
        has_turns = context.usage.requests < granted.turns - 1
        return tool if has_turns and context.usage.total_tokens < granted.tokens * 0.7 else None

    made = []
    for name, description in TOOLS.items():
        tool: Tool[object] = Tool(
            getattr(reader, name), takes_ctx=False, name=name, description=description, prepare=available
        )
        made.append(tool)
    return made


def failure_of(error: BaseException, tally: CallTally, endpoint: Endpoint) -> tuple[ModelFailure, str]:
    """What an exception of the library means, and words for a person."""
    said = endpoint.safe(_words(error))
    if isinstance(error, exceptions.ContentFilterError):
        return ModelFailure.REFUSED, "the model refused to answer"
    if isinstance(error, exceptions.UsageLimitExceeded):
        return ModelFailure.BUDGET, "the investigation used up its turns or tokens before it came to an answer"
    if isinstance(error, exceptions.UnexpectedModelBehavior) or _is_caused_by(error, WrongFormError):
        is_cut = "token limit" in str(error)
        return ModelFailure.MALFORMED, _CUT_OFF if is_cut else WRONG_FORM
    if isinstance(error, exceptions.ModelTimeoutError) and not _is_caused_by(error, httpx2.ConnectTimeout):
        return ModelFailure.TIMEOUT, "the model did not answer in time"
    if isinstance(error, exceptions.ModelConnectionError):
        return ModelFailure.UNREACHABLE, "the endpoint could not be reached, or the connection broke off"
    if isinstance(error, exceptions.ModelAPIError) and tally.status:
        return _failure_of_status(tally.status, said)
    return ModelFailure.OTHER, f"asking the model failed ({type(error).__name__})"


def _failure_of_status(status: int, said: str) -> tuple[ModelFailure, str]:
    if status in (_UNAUTHORISED, _FORBIDDEN):
        return ModelFailure.NO_KEY, f"the endpoint refused the key (HTTP {status})"
    if status == RATE_LIMITED:
        return ModelFailure.RATE_LIMITED, "the endpoint limits the rate of requests (HTTP 429)"
    if status >= 500:
        return ModelFailure.OVERLOADED, f"the endpoint is overloaded or broken (HTTP {status})"
    if 300 <= status < 400:
        return ModelFailure.OTHER, f"the endpoint redirects elsewhere (HTTP {status}), which is not followed"
    return ModelFailure.OTHER, f"the endpoint refused the request (HTTP {status}): {said}"


def _words(error: BaseException) -> str:
    body = getattr(error, "body", None)
    nested = body.get("error", body) if isinstance(body, dict) else None
    message = nested.get("message") if isinstance(nested, dict) else None
    return str(message or type(error).__name__)


def _is_caused_by(error: BaseException | None, kind: type[BaseException]) -> bool:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, kind):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False
