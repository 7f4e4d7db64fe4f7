"""Failures of our own in outcomes: of which kind they are, and what the configuration wants to follow from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.failure import ADVICE
from vetgate.model import Decision, FailureKind, UncheckedKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from vetgate.model import Outcome, Unchecked

# A command can change a thousand files; nobody reads a list of them.
_SHOWN = 5
_MEANS = {"allow": Decision.ALLOW, "ask": Decision.ASK, "deny": Decision.BLOCK}
_FAILURES = {
    UncheckedKind.UNREADABLE: FailureKind.FILESYSTEM,
    UncheckedKind.DANGLING_LINK: FailureKind.FILESYSTEM,
    UncheckedKind.TOO_LARGE: FailureKind.TIMEOUT,
    UncheckedKind.NOT_PARSED: FailureKind.TIMEOUT,
    UncheckedKind.UNFINISHED: FailureKind.TIMEOUT,
    UncheckedKind.NOT_CODE: FailureKind.PARSE,
    UncheckedKind.MISFIT: FailureKind.PARSE,
    UncheckedKind.OTHER: FailureKind.PARSE,
}


def fallback(outcomes: Iterable[Outcome], on_failure: Mapping[str, str]) -> Decision:
    """The strongest of what is to follow; what the checks themselves say about failing comes on top."""
    return max((_MEANS[on_failure[each]] for each in _failures(outcomes)), default=Decision.ALLOW)


def _failures(outcomes: Iterable[Outcome]) -> Iterator[FailureKind]:
    for outcome in outcomes:
        yield from [FailureKind.ANALYSIS] if outcome.failed_checks else []
        yield from (_FAILURES[item.kind] for item in outcome.unchecked)


def told(outcomes: Iterable[Outcome], unchecked: Iterable[Unchecked]) -> list[str]:
    """What happened and what to do, each kind of failure once with all that it happened to."""
    groups: dict[FailureKind | None, list[str]] = {}
    for outcome in outcomes:
        if outcome.error:
            groups.setdefault(FailureKind.ANALYSIS, []).append(f"gate {outcome.gate}: {outcome.error}")
    for item in unchecked:
        # Nothing is wrong with a file that an edit does not fit.
        kind = None if item.kind is UncheckedKind.MISFIT else _FAILURES[item.kind]
        groups.setdefault(kind, []).append(f"{item.path}: {item.reason}")
    return [_sentence(kind, _listed(what)) for kind, what in groups.items()]


def _sentence(kind: FailureKind | None, what: str) -> str:
    if kind is None:
        then = "Before you try again, look at what is there now, and make the edit fit it."
        return f"Not checked by vetgate: {what}. {then}"
    return f"Not checked by vetgate: {what} ({kind}). {advice(kind)}"


def _listed(what: list[str]) -> str:
    more = f"; and {len(what) - _SHOWN} more" if len(what) > _SHOWN else ""
    return "; ".join(what[:_SHOWN]) + more


def advice(kind: FailureKind) -> str:
    recoverable, what = ADVICE[kind]
    return f"{'It can be tried again: ' if recoverable else 'Trying again will not help: '}{what}."
