"""What judges have cost: by judge and model, today, in seven days and in all."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from datetime import datetime
from statistics import quantiles
from typing import TYPE_CHECKING, Any

from vetgate.service.configuration import recorded_store
from vetgate.service.decisions import moment
from vetgate.store import UNDER_WAY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from vetgate.store import ModelCall

_WEEK = 7 * 86_400.0


@dataclass(frozen=True, slots=True)
class ModelCost:
    """`cached_share` of all tokens that were read came from the model's cache."""

    judge: str
    model: str
    calls: int
    failures: int
    input_tokens: int
    output_tokens: int
    cached_share: float
    usd: float
    median_ms: float
    p95_ms: float


Costs = dict[str, tuple[ModelCost, ...]]


def costs(root: Path, since: str = "") -> Costs:
    """By period; `since` gives one of its own instead of the usual ones."""
    midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
    periods = {"today": midnight, "7 days": time.time() - _WEEK, "all": 0.0}
    periods = {f"since {since}": moment(since)} if since else periods
    with recorded_store(root) as store:
        calls = store.model_calls(min(periods.values()))
    return {name: _summed([call for call in calls if call.time >= first]) for name, first in periods.items()}


def plain(found: Mapping[str, Sequence[ModelCost]]) -> dict[str, Any]:
    return {name: {"usd": total(each), "models": [asdict(one) for one in each]} for name, each in found.items()}


def total(found: Sequence[ModelCost]) -> float:
    """US dollars."""
    return round(sum(each.usd for each in found), 6)


def _summed(calls: Sequence[ModelCall]) -> tuple[ModelCost, ...]:
    grouped: dict[tuple[str, str], list[ModelCall]] = {}
    for call in calls:
        grouped.setdefault((call.judge, call.model), []).append(call)
    found = (_cost(judge, model, each) for (judge, model), each in grouped.items())
    return tuple(sorted(found, key=lambda each: (-each.usd, each.judge, each.model)))


def _cost(judge: str, model: str, calls: Sequence[ModelCall]) -> ModelCost:
    cached = sum(call.cached for call in calls)
    read = sum(call.input + call.written for call in calls) + cached
    times = sorted(call.latency_ms for call in calls if call.failure != UNDER_WAY) or [0.0]
    parts = quantiles(times, n=20, method="inclusive") if len(times) > 1 else times * 19
    return ModelCost(
        judge,
        model,
        len(calls),
        sum(bool(call.failure) for call in calls),
        read,
        sum(call.output for call in calls),
        round(cached / read, 3) if read else 0.0,
        round(sum(call.usd for call in calls), 6),
        round(parts[9], 1),
        round(parts[18], 1),
    )
