"""May this leave? As CI asks: the loops that need nobody else run again, and no record is believed."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.config.gates import running_only
from vetgate.engine.ship import ShipReason
from vetgate.gates.ship import APPROVED, BLOCKED, is_deterministic
from vetgate.model import EventKind, GateKind, UserError
from vetgate.progress import Progress, unseen
from vetgate.service.review import Review, ReviewRequest
from vetgate.service.review_outcomes import LoopStatus
from vetgate.service.safe_text import counted
from vetgate.service.ship import ShipAnswer
from vetgate.source.git_process import ask
from vetgate.source.git_refs import commit_named

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vetgate.config.schema import Config
    from vetgate.service.review import Reviewed
    from vetgate.service.review_loops import ReviewWatcher

# Where a pipeline says what a pull request would go into: a branch of the remote, or a commit.
_TARGETS = (
    "GITHUB_BASE_REF",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
    "BITBUCKET_PR_DESTINATION_BRANCH",
    "SYSTEM_PULLREQUEST_TARGETBRANCH",
    "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
    "CHANGE_TARGET",
)
_EVENT, _BEFORE = "GITHUB_EVENT_PATH", "CI_COMMIT_BEFORE_SHA"
_LARGEST = 8 << 20
_FETCH = "fetch more of the history (`fetch-depth: 0`, `GIT_DEPTH: 0`), or name the commit: --base COMMIT"


class FreeReview(Review):
    """Of the loops and gates that need nobody else."""

    def config(self) -> Config:
        return deterministic(super().config())


def rerun(
    folder: Path, base: str | None = None, watcher: ReviewWatcher | None = None, progress: Progress = unseen
) -> ShipAnswer:
    review = FreeReview.at(folder)
    config = review.in_force.config
    left_out = tuple(name for loop in config.loops for name in loop.names if not is_deterministic(config.gates[name]))
    compared = base or compared_with(review.repository.top, os.environ)
    reviewed = review.run(ReviewRequest(folder, compared, anew=True), watcher, progress)
    return _answer(reviewed, left_out)


def compared_with(top: Path, environment: Mapping[str, str]) -> str | None:
    """What a pipeline builds on; None for the branch that a review takes by itself.

    A pipeline of the branch itself compares with what was there before the push: with its own end there is nothing to
    look at, and checks that look at nothing pass.
    """
    if target := next(filter(None, map(environment.get, _TARGETS)), None):
        name = f"origin/{target.removeprefix('refs/heads/')}"
        if not commit_named(top, name):
            raise UserError(f"the target branch {name} is not in this clone", hint=_FETCH)
        return name
    head = commit_named(top, "HEAD")
    ends = (commit_named(top, name) for name in ("origin/HEAD", "origin/main", "origin/master"))
    if next(filter(None, ends), head) != head:
        return None
    earlier = next(filter(None, (commit_named(top, name) for name in (*_before(environment), "HEAD~1"))), "")
    if not earlier and head and not ask(("status", "--porcelain"), top).out:
        raise UserError("it is unknown what changed: this clone has nothing before its last commit", hint=_FETCH)
    return earlier or None


def _before(environment: Mapping[str, str]) -> Iterator[str]:
    yield environment.get(_BEFORE, "")
    try:
        with Path(environment.get(_EVENT, "")).open("rb") as file:
            yield str(json.loads(file.read(_LARGEST)).get("before") or "")
    except (OSError, ValueError, AttributeError):
        return


def _answer(reviewed: Reviewed, left_out: tuple[str, ...]) -> ShipAnswer:
    record = reviewed.record
    reasons = tuple(_reasons(reviewed))
    files = counted(len(reviewed.target.change.files), "file")
    notes = [f"ran again over {files} since {record.base} ({record.fork[:10]}); the record was not used"]
    notes += [f"not run in CI: {', '.join(left_out)}"] if left_out else []
    notes += [f"skipped: {each}" for loop in reviewed.loops if loop.holds_nothing for each in loop.skipped]
    lines = [
        APPROVED if record.ship_allowed else BLOCKED,
        *(f"- {kind}: {text}" for kind, text in reasons),
        *(f"- note: {each}" for each in notes),
    ]
    return ShipAnswer(record.ship_allowed, "\n".join(lines), reasons, tuple(notes), reviewed.text)


def _reasons(reviewed: Reviewed) -> Iterator[tuple[str, str]]:
    failed = {each.name for each in reviewed.loops if each.status is LoopStatus.FAILED}
    for blocker in reviewed.record.blockers:
        kind = ShipReason.BLOCKER if blocker.partition(":")[0] in failed else ShipReason.NOT_RUN
        yield str(kind), blocker


def deterministic(config: Config) -> Config:
    """Without judges, proofs and gates with a quota, in every list of a review."""
    kept = {name for name, gate in config.gates.items() if is_deterministic(gate)}

    def steps(found: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
        return tuple(step for each in found if (step := tuple(name for name in each if name in kept)))

    short = config.sequences[EventKind.REVIEW]
    short = replace(short, steps=steps(short.steps))
    loops = tuple(replace(loop, steps=steps(loop.steps)) for loop in config.review)
    return running_only(
        replace(
            config,
            on={**config.on, EventKind.REVIEW: short.names},
            sequences={**config.sequences, EventKind.REVIEW: short},
            review=tuple(loop for loop in loops if loop.steps),
        ),
        GateKind.CHECKS,
        GateKind.COMMAND,
    )
