"""A review as plain progress: how many of its gates are done, and which one began last."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from vetgate.service.review_loops import ReviewWatcher

if TYPE_CHECKING:
    from vetgate.model import Outcome
    from vetgate.progress import Progress
    from vetgate.service.review_outcomes import LoopResult
    from vetgate.service.review_scope import ReviewTarget
    from vetgate.service.review_selection import ChosenLoop


class GateProgress(ReviewWatcher):
    """Thread-safe: gates of one step run at once."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._lock = threading.Lock()
        self._done = self._total = 0

    def review_begins(self, target: ReviewTarget, loops: tuple[ChosenLoop, ...]) -> None:  # noqa: ARG002 - as all watchers
        self._total = sum(len(step) for each in loops if not each.unchosen for step in each.steps)
        self._progress("review", 0, self._total)

    def gate_begins(self, loop: str, gate: str) -> None:
        self._progress(f"{loop}: {gate}", self._done, self._total)

    def gate_ends(self, loop: str, outcome: Outcome) -> None:
        with self._lock:
            self._done = min(self._done + 1, self._total)  # a gate may call others that nobody counted
            done = self._done
        self._progress(f"{loop}: {outcome.gate} {outcome.status}", done, self._total)

    def loop_ends(self, result: LoopResult) -> None:
        self._progress(f"{result.name}: {result.status}", self._done, self._total)
