"""At a commit and a push: what is about to land is judged as an edit would be, beside all that it was made from."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.engine.decide import at_the_end
from vetgate.engine.run import CheckRunner, Forgetful
from vetgate.engine.suppressions import Suppressions
from vetgate.gates.sequence import judged
from vetgate.model import GateKind
from vetgate.project import mentioning
from vetgate.source.clock import Deadline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vetgate.config.schema import Config
    from vetgate.engine.analysis import Analyzer
    from vetgate.engine.run import FileBaseline
    from vetgate.gates.sequence import Runners
    from vetgate.index.project import ProjectIndex
    from vetgate.model import Gate, Known, Verdict
    from vetgate.source.git_landing import Landing


_NOT_BUILT = "the index of the project could not be built in time; `vetgate index --build` builds it"


class Parents(Forgetful):
    """No session: what one of the parents had is not new, and what one of them gave up is not lost."""

    def baseline(self, path: str, gate: Gate, now: FileBaseline, head: Callable[[], FileBaseline]) -> FileBaseline:  # noqa: ARG002
        other = head()
        return replace(now, known=either(now.known, other.known)) if other.known or other.safeguards else now


def landed(
    landing: Landing,
    gates: Iterable[str],
    config: Config,
    analyzer: Analyzer,
    suppressions: Suppressions | None = None,
    *,
    index: ProjectIndex | None = None,
) -> Verdict:
    """Nobody waits for a hook's own clock here, so every file is looked at; one that could not be is held back."""
    runners = landing_runners(landing, config, analyzer, suppressions or Suppressions(), index)
    return at_the_end(judged(gates, config, runners))


def landing_runners(
    landing: Landing, config: Config, analyzer: Analyzer, suppressions: Suppressions, index: ProjectIndex | None
) -> Runners:
    runner = CheckRunner(
        landing.change,
        analyzer,
        config,
        Deadline.never(),
        Parents(),
        landing.text_beside,
        partial(mentioning, landing.change.root),
        # What the change does not hold is as it was in the last commit; on disk anything may lie.
        partial(mentioning, landing.change.root),
        suppressions=suppressions,
        index=index,
        final=True,
        sees_all=(landing.change.root / ".git").exists,
        no_index=_NOT_BUILT if index is not None and not index.is_ready else "",
    )
    return {GateKind.CHECKS: runner}


def either(one: Iterable[Known], other: Iterable[Known]) -> tuple[Known, ...]:
    """Findings of either side, the higher value of a measure; safeguards of both, the lower value."""
    one, other = tuple(one), tuple(other)
    return (*_highest((*one, *other)), *_plain(one, other), *_kept_by_both(one, other))


def _highest(known: Iterable[Known]) -> tuple[Known, ...]:
    found: dict[tuple[str, str], Known] = {}
    for each in known:
        if not each.is_safeguard and each.value is not None:
            place = (each.id, each.symbol)
            found[place] = max(found.get(place, each), each, key=lambda known: known.value or 0)
    return tuple(found.values())


def _plain(one: Iterable[Known], other: Iterable[Known]) -> tuple[Known, ...]:
    """As often as the side has it that has it more often."""
    counts = [Counter(each for each in side if not each.is_safeguard and each.value is None) for side in (one, other)]
    return tuple((counts[0] | counts[1]).elements())


def _kept_by_both(one: Iterable[Known], other: Iterable[Known]) -> tuple[Known, ...]:
    there = {(each.id, each.symbol): each for each in other if each.is_safeguard}
    pairs = ((each, there.get((each.id, each.symbol))) for each in one if each.is_safeguard)
    return tuple(min(each, same, key=lambda known: known.value or 0) for each, same in pairs if same)
