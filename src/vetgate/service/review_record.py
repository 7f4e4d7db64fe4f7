"""A review as the store keeps it: what each loop came to on which content, and whether that may leave."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from vetgate.checks.secrets.text_redaction import all_without_secrets
from vetgate.gates.evidence import FRESH_SECONDS
from vetgate.gates.loop_identity import loop_rules
from vetgate.gates.ship import MOST_REVIEWS, must_run
from vetgate.record import recorded_gate
from vetgate.service.review_outcomes import LoopStatus, could_not_run
from vetgate.store import RecordedLoop, RecordedReview

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vetgate.config.schema import Config, Loop
    from vetgate.service.review_outcomes import LoopResult
    from vetgate.service.review_scope import ReviewTarget
    from vetgate.store import Store

_NOTHING_RAN = "no gate of the review could run: install what they need, or remove them from vetgate.yaml"


def recorded_review(
    target: ReviewTarget,
    results: Sequence[LoopResult],
    config: Config,
    earlier: Callable[[Loop], RecordedLoop | None],
    held: str = "",
    *,
    anew: bool = False,
) -> RecordedReview:
    """With what this run came to; whether code may leave counts `earlier` results that still hold. `held`: why not.

    One that is made `anew` counts no earlier pass, and yet it undoes no failure by what it skips.
    """
    loops = tuple(_recorded(each, target, config, earlier) for each in results if each.has_result)
    found = _blockers(target, results, loops, config, (lambda _: None) if anew else earlier)
    found += [held] if held and not any(held in each for each in found) else []
    blockers = all_without_secrets(found)
    # Names can hold secrets, too; of these they only tell a person what changed since.
    branch, *names = all_without_secrets([target.branch, *target.differing])
    return RecordedReview(
        target.tree,
        target.base,
        target.fork,
        target.head,
        branch,
        target.scope_words,
        loops,
        ship_allowed=not blockers,
        blockers=tuple(blockers),
        files=dict(zip(names, target.differing.values(), strict=True)),
    )


def _recorded(
    result: LoopResult, target: ReviewTarget, config: Config, earlier: Callable[[Loop], RecordedLoop | None]
) -> RecordedLoop:
    if result.kept is not None:
        return result.kept
    loop = result.chosen.as_run(config)
    # What judges said and which tests failed stands in the row already.
    gates = [msgspec.structs.replace(recorded_gate(each), judgement=None, tests=None) for each in result.outcomes]
    found = RecordedLoop(
        result.name,
        str(result.status),
        elapsed_ms=round(result.elapsed_ms, 3),
        gates=tuple(gates),
        findings=sum(each.new for outcome in result.outcomes for each in outcome.findings),
        blockers=result.blockers,
    )
    shown = msgspec.convert(all_without_secrets(msgspec.to_builtins(found)), RecordedLoop)
    shown = msgspec.structs.replace(
        shown, inputs=target.inputs(loop), rules=loop_rules(loop, config), blocks=loop.blocks
    )
    left = _unanswered(result, earlier(loop), config)
    return msgspec.structs.replace(shown, status=str(LoopStatus.FAILED), blockers=left) if left else shown


def _unanswered(result: LoopResult, before: RecordedLoop | None, config: Config) -> tuple[str, ...]:
    """All blockers, where an earlier run held this content back and the gate that did so has not answered since."""
    if before is None or before.status != LoopStatus.FAILED or not any(map(could_not_run, result.outcomes)):
        return ()
    answered = {each.gate for each in result.outcomes if not could_not_run(each)}
    waiting = set(config.reached(result.chosen.loop.names)) - answered
    left = (each for each in before.blockers if each.partition(": ")[0] in waiting)
    kept = tuple(each for each in left if each not in result.blockers)
    return (*result.blockers, *kept) if kept else ()


def _blockers(
    target: ReviewTarget,
    results: Sequence[LoopResult],
    loops: Sequence[RecordedLoop],
    config: Config,
    earlier: Callable[[Loop], RecordedLoop | None],
) -> list[str]:
    found = [_part_words(target)] if _part_words(target) else []
    why = {each.name: each.why for each in results}
    statuses = []
    for loop in config.loops:
        standing = next((each for each in loops if _is_of(each, loop, target, config)), None)
        standing = standing or earlier(loop)
        statuses.append(standing.status if standing else "")
        if loop.blocks:
            said = _loop_blockers(standing, why.get(loop.name, ""), must_run=must_run(loop, config))
            found += (f"{loop.name}: {each}" for each in said)
    if not found and not {LoopStatus.PASSED, LoopStatus.FAILED} & set(statuses):
        found.append(_NOTHING_RAN)
    return found


def _part_words(target: ReviewTarget) -> str:
    if not target.tree:
        return "git could not name the content that was reviewed"
    return "" if target.is_whole else f"only part of what would leave was reviewed ({target.scope_words})"


def _loop_blockers(standing: RecordedLoop | None, why: str, *, must_run: bool) -> tuple[str, ...]:
    """Why nothing may leave, by what a loop came to last on this content."""
    if standing is None:
        return (f"not run, because {why}" if why else "not run",)
    if standing.status == LoopStatus.FAILED:
        return standing.blockers or ("it failed",)
    if standing.status == LoopStatus.PASSED:
        return standing.blockers
    if not must_run:
        return ()
    return (": ".join(filter(None, ("none of its gates ran", "; ".join(standing.skipped)))),)


def earlier_result(
    loop: Loop, target: ReviewTarget, config: Config, store: Store, oldest: float = 0.0
) -> RecordedLoop | None:
    """What the loop came to last on the same content and by the same gates, not before `oldest`."""
    for row in store.reviews(MOST_REVIEWS):
        if row.time < oldest:
            return None
        for each in row.body.review.loops if row.body.review else ():
            if _is_of(each, loop, target, config):
                return each
    return None


def passed_before(loop: Loop, target: ReviewTarget, config: Config, store: Store) -> RecordedLoop | None:
    """An earlier pass that still holds; beside the content there is a world that changes."""
    found = earlier_result(loop, target, config, store, time.time() - FRESH_SECONDS)
    return found if found is not None and found.status == LoopStatus.PASSED and not found.blockers else None


def _is_of(known: RecordedLoop, loop: Loop, target: ReviewTarget, config: Config) -> bool:
    same = (loop.name, target.inputs(loop), loop_rules(loop, config))
    return (known.name, known.inputs, known.rules) == same
