"""Failures of our own in outcomes: of which kind they are, and what the configuration wants to follow from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.failure import ADVICE, MISFIT, MISFIT_ADVICE, category_of
from vetgate.model import Decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from vetgate.model import Outcome, Unchecked

# A command can change a thousand files; nobody reads a list of them.
_SHOWN = 5
_MEANS = {"allow": Decision.ALLOW, "ask": Decision.ASK, "deny": Decision.BLOCK}


def fallback(outcomes: Iterable[Outcome], on_failure: Mapping[str, str]) -> Decision:
    """The strongest of what is to follow; what the checks themselves say about failing comes on top."""
    return max((_MEANS[on_failure[each]] for each in _categories(outcomes)), default=Decision.ALLOW)


def _categories(outcomes: Iterable[Outcome]) -> Iterator[str]:
    for outcome in outcomes:
        yield from ["analysis"] if outcome.failed_checks else []
        yield from (category_of(item.reason) for item in outcome.unchecked)


def told(outcomes: Iterable[Outcome], unchecked: Iterable[Unchecked]) -> list[str]:
    """What happened and what to do, each kind of failure once with all that it happened to."""
    groups: dict[str, list[str]] = {}
    for outcome in outcomes:
        if outcome.error:
            groups.setdefault("analysis", []).append(f"gate {outcome.gate}: {outcome.error}")
    for item in unchecked:
        kind = MISFIT if item.reason.startswith(MISFIT) else category_of(item.reason)
        groups.setdefault(kind, []).append(f"{item.path}: {item.reason}")
    return [_sentence(kind, _listed(what)) for kind, what in groups.items()]


def _sentence(kind: str, what: str) -> str:
    if kind == MISFIT:
        return f"Not checked by vetgate: {what}. Before you try again, {MISFIT_ADVICE}."
    return f"Not checked by vetgate: {what} ({kind}). {advice(kind)}"


def _listed(what: list[str]) -> str:
    more = f"; and {len(what) - _SHOWN} more" if len(what) > _SHOWN else ""
    return "; ".join(what[:_SHOWN]) + more


def advice(category: str) -> str:
    recoverable, what = ADVICE[category]
    return f"{'It can be tried again: ' if recoverable else 'Trying again will not help: '}{what}."
