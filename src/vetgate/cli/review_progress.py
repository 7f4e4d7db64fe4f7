"""A review as it goes on: a line for each gate that ended, and on a terminal what runs now."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from typing import TYPE_CHECKING, Self, TextIO

from vetgate.cli.judgement import judgement_lines
from vetgate.model import Status
from vetgate.record import recorded_judgement
from vetgate.service.review_loops import ReviewWatcher
from vetgate.service.review_outcomes import LoopStatus
from vetgate.service.review_scope import ReviewScope
from vetgate.service.safe_text import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.model import Outcome
    from vetgate.service.review_outcomes import LoopResult
    from vetgate.service.review_scope import ReviewTarget
    from vetgate.service.review_selection import ChosenLoop

_BETWEEN = 0.1
_FRAMES, _PLAIN_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "|/-\\"


class GateLines(ReviewWatcher):
    """A line for each gate as it ends, by `line`; on a terminal those that run are shown below, with their time.

    Also called as `model.Progress` says: what a check prepares is shown with the gates.
    """

    def __init__(
        self, line: Callable[[str], None], told: Callable[[Outcome], str], stream: TextIO | None = None
    ) -> None:
        self._line = line
        self._told = told
        self._stream = stream or sys.stderr
        self._lock = threading.Lock()
        self._frames = _FRAMES if "utf" in (self._stream.encoding or "").lower() else _PLAIN_FRAMES
        self._running: dict[tuple[str, str], float] = {}
        self._doing = ""
        self._drawn = 0
        self._frame = 0
        self._several = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._draw_on, name="progress", daemon=True)

    def __enter__(self) -> Self:
        if self._stream.isatty():
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()
        with self._lock:
            self._clear()

    def __call__(self, what: str, done: int, total: int) -> None:
        self._doing = "" if done >= total else f"{what} {done}/{total}"

    def review_begins(self, target: ReviewTarget, loops: tuple[ChosenLoop, ...]) -> None:
        self._several = len(loops) > 1
        left = ", where this branch left it" if target.scope is ReviewScope.BRANCH else ""
        self._print(f"since {target.base} ({target.fork[:10]}){left}:")

    def loop_begins(self, chosen: ChosenLoop) -> None:
        if self._several:
            limit = f", at most {chosen.loop.timeout} s" if chosen.loop.timeout else ""
            self._print(f"loop {chosen.number} {chosen.name}{limit}")

    def gate_begins(self, loop: str, gate: str) -> None:
        with self._lock:
            self._running[loop, gate] = time.monotonic()

    def gate_ends(self, loop: str, outcome: Outcome) -> None:
        with self._lock:
            self._running.pop((loop, outcome.gate), None)
        self._print(self._told(outcome))

    def loop_ends(self, result: LoopResult) -> None:
        with self._lock:
            self._running.clear()
        if result.status is LoopStatus.STOPPED or (not result.outcomes and result.why):
            self._print(f"loop {result.chosen.number} {result.name}: {result.status}: {result.why}")

    def _print(self, text: str) -> None:
        with self._lock:
            self._clear()
            self._line(text)

    def _draw_on(self) -> None:
        while not self._ended.wait(_BETWEEN):
            with self._lock:
                self._clear()
                self._draw()

    def _draw(self) -> None:
        now, self._frame = time.monotonic(), self._frame + 1
        spinner = self._frames[self._frame % len(self._frames)]
        width = shutil.get_terminal_size().columns - 1
        lines = [f"{spinner} {gate}  {now - began:.0f} s" for (_, gate), began in self._running.items()]
        lines += [f"  {self._doing}"] if lines and self._doing else []
        if lines:
            self._stream.write("".join(f"{line[:width]}\n" for line in lines))
            self._stream.flush()
        self._drawn = len(lines)

    def _clear(self) -> None:
        if self._drawn:
            self._stream.write("\x1b[A\x1b[2K" * self._drawn + "\r")
            self._stream.flush()
            self._drawn = 0


def came_to(outcome: Outcome) -> str:
    """A gate's line: what it came to, how long that took, and why it could not run."""
    is_known = outcome.status is Status.PASSED and not outcome.elapsed_ms
    took = ", as before on the same content" if is_known else f" in {outcome.elapsed_ms / 1000:.1f} s"
    why = outcome.error or (outcome.evidence if outcome.status is Status.SKIPPED else "")
    how = "" if outcome.status is Status.SKIPPED else took
    came = f"{outcome.gate}: {outcome.status}{how}" + (f" ({printable(why)})" if why else "")
    said = judgement_lines(recorded_judgement(outcome.judgement)) if outcome.judgement else ()
    return "\n".join((came, *(f"  {line}" for line in said)))
