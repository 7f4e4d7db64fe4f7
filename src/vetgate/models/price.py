"""What a call costs, in US dollars. Prices are configured: whatever would be built in here would soon be wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.judgement import Price, Usage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.judgement import Model, Question

# Where nobody configured any price: what the dearest models are sold for, so that a budget errs on the safe side.
DEAREST = Price(15.0, 75.0)
_MILLION = 1_000_000
_BYTES_A_TOKEN, _AROUND = 3, 600  # code takes more tokens than prose; and there is the form of the answer
TO_THINK = 4_096  # tokens beside the answer, where a model thinks before it
# What Anthropic charges for the cache, as a multiple of input. Other endpoints differ: there, all input costs the same.
_READ, _WRITTEN = 0.1, 1.25


def priced(model: Model, models: Iterable[Model]) -> Model:
    """The model with a price: its own, else the dearest of those that are configured."""
    if model.price is not None:
        return model
    known = [each.price for each in models if each.price is not None]
    if not known:
        return replace(model, price=DEAREST)
    dearest = Price(max(price.input for price in known), max(price.output for price in known))
    return replace(model, price=dearest)


def estimate(question: Question, model: Model) -> tuple[Usage, float]:
    """About what one call would take at most, before it is made: nothing cached, and as long an answer as it may be.

    An investigation takes all the tokens that it may. Nobody knows which model thinks unasked: those of Anthropic that
    do not have to are told not to, of the others every one counts.
    """
    text = len(question.instructions.encode()) + len(question.prompt.encode())
    read, granted = text // _BYTES_A_TOKEN + _AROUND, question.investigate
    thinks = model.api == "openai" or granted is not None
    usage = Usage(max(read, granted.tokens) if granted else read, question.most_tokens + (TO_THINK if thinks else 0))
    return usage, cost(usage, model)


def cost(usage: Usage, model: Model) -> float:
    price = model.price or DEAREST
    read, written = (_READ, _WRITTEN) if model.api == "anthropic" else (1.0, 1.0)
    tokens = usage.input + usage.cached * read + usage.written * written
    return (tokens * price.input + usage.output * price.output) / _MILLION
