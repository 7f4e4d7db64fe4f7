"""One log file for each review, in the state folder: when each gate began and ended, and what the failing ones said."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from typing import TYPE_CHECKING, Self

from vetgate.checks.secrets.text_redaction import without_secrets
from vetgate.model import Status
from vetgate.ownership import fault
from vetgate.service.review_loops import ReviewWatcher
from vetgate.service.review_outcomes import LoopStatus
from vetgate.service.review_summary import gate_summary, loop_summary
from vetgate.service.safe_text import counted

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.model import Outcome
    from vetgate.service.review_outcomes import LoopResult
    from vetgate.service.review_scope import ReviewTarget
    from vetgate.service.review_selection import ChosenLoop

_FOLDER = "reviews"
_KEPT = 50
_LOUD = frozenset({LoopStatus.FAILED, LoopStatus.SKIPPED, LoopStatus.STOPPED})


class ReviewLog(ReviewWatcher):
    """Hears of a review and hands on what it hears. A log that cannot be written stops nothing."""

    def __init__(self, folder: Path | None, config: Config, then: ReviewWatcher) -> None:
        self._config = config
        self._then = then
        self._lock = threading.Lock()
        self._file: int | None = None
        self.path = ""
        with contextlib.suppress(OSError):
            if folder is not None and not fault(str(folder)):
                self._open(folder / _FOLDER)

    def _open(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)
        older = sorted(folder.glob("review-*.log"))
        for each in older[: max(0, len(older) - _KEPT + 1)]:
            each.unlink(missing_ok=True)
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        path = folder / f"review-{stamp}-{time.time_ns() % 1_000_000_000:09}.log"
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
        self.path = str(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def write(self, level: str, text: str) -> None:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        told = without_secrets(text).replace("\n", "\n    ")
        with self._lock, contextlib.suppress(OSError):
            if self._file is not None:
                os.write(self._file, f"{stamp} [{level}] {told}\n".encode("utf-8", "backslashreplace"))

    def review_begins(self, target: ReviewTarget, loops: tuple[ChosenLoop, ...]) -> None:
        files = counted(len(target.change.files), "file")
        what = f"{files} since {target.base} ({target.fork[:10]}), scope {target.scope_words}"
        self.write("INFO", f"review started (branch: {target.branch or 'none'}): {what}")
        self._then.review_begins(target, loops)

    def loop_begins(self, chosen: ChosenLoop) -> None:
        limit = f", at most {chosen.loop.timeout} s" if chosen.loop.timeout else ""
        self.write("INFO", f"{chosen.name}: started{limit}")
        self._then.loop_begins(chosen)

    def gate_begins(self, loop: str, gate: str) -> None:
        self.write("INFO", f"{loop}: {gate} started")
        self._then.gate_begins(loop, gate)

    def gate_ends(self, loop: str, outcome: Outcome) -> None:
        words = gate_summary(outcome, self._config).words
        self.write("INFO" if outcome.status is Status.PASSED else "WARN", f"{loop}: {words}")
        if outcome.status is not Status.PASSED and outcome.output:
            self.write("WARN", f"{loop}: {outcome.gate} printed:\n{outcome.output}")
        for reply in outcome.judgement.replies if outcome.judgement else ():
            if reply.failure:
                self.write("WARN", f"{loop}: {outcome.gate}: {reply.model} gave no answer: {reply.detail}")
        self._then.gate_ends(loop, outcome)

    def loop_ends(self, result: LoopResult) -> None:
        said = loop_summary(result, self._config)
        why = f": {result.why}" if result.why else f" ({said.took})" if said.took else ""
        self.write("WARN" if result.status in _LOUD else "INFO", f"{result.name}: {result.status}{why}")
        self._then.loop_ends(result)

    def review_ends(self, *, ship_allowed: bool, blockers: tuple[str, ...]) -> None:
        said = "may ship" if ship_allowed else "may not ship: " + "; ".join(blockers)
        self.write("INFO", f"review complete: {said}")
