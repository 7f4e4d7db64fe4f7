"""The time of an answer: clocks that nobody can set, what is left, and what makes way while somebody waits."""

from __future__ import annotations

import math
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def elapsed_ms(started: float) -> float:
    """Since then, by `time.perf_counter`."""
    return round((time.perf_counter() - started) * 1000, 3)


@dataclass(frozen=True, slots=True)
class Deadline:
    at: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        return cls(time.monotonic() + seconds)

    @classmethod
    def never(cls) -> Deadline:
        return cls(math.inf)

    def within(self, seconds: float) -> Deadline:
        """No later than that from now."""
        return Deadline(min(self.at, time.monotonic() + seconds))

    def passed(self) -> bool:
        return time.monotonic() >= self.at

    def left(self) -> float:
        return max(0.0, self.at - time.monotonic())


# Two clocks of one machine drift apart by less than a thousandth; asking both takes a moment, too.
_DRIFT, _ASKING = 1_000, 2_000_000


class MonotonicClock:
    """In nanoseconds. Not thread-safe: whoever asks holds the lock of what the moments are for."""

    def __init__(self, clock: Callable[[], int] = time.time_ns, steady: Callable[[], int] = time.monotonic_ns) -> None:
        self._clock = clock
        self._steady = steady
        self._last = clock(), steady()
        self.behind = 0  # by how much the times of files may be earlier than our own

    def now(self) -> int:
        """The clock's own time; once it was set back, as if it had not been."""
        asked = self._clock(), self._steady()
        passed = asked[1] - self._last[1]
        lost = passed - (asked[0] - self._last[0])
        if lost > passed // _DRIFT + _ASKING:
            self.behind += lost
        self._last = asked
        return asked[0] + self.behind


# Where one answer follows the other without a pause, the rest has to be done all the same.
_LONGEST = 2.0


class Precedence:
    """Thread-safe: how many answers are being worked on, and who stands aside meanwhile."""

    def __init__(self) -> None:
        self._free = threading.Condition()
        self._awaited = 0

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Somebody waits for what is done in here; nothing in here gives way."""
        with self._free:
            self._awaited += 1
        try:
            yield
        finally:
            with self._free:
                self._awaited -= 1
                if not self._awaited:
                    self._free.notify_all()

    def aside(self, longest: float = _LONGEST, unless: Callable[[], bool] = lambda: False) -> Callable[[], None]:
        """To be called now and then by what can wait: it stands aside while somebody waits, and so long in all.

        Not where an answer waits for just that: then `unless` says so, and `look_again` was called.
        """
        left = longest

        def give_way() -> None:
            nonlocal left
            if self._awaited and left > 0 and not unless():
                began = time.monotonic()
                with self._free:
                    self._free.wait_for(lambda: not self._awaited or unless(), left)
                left -= time.monotonic() - began

        return give_way

    def look_again(self) -> None:
        """To whoever stands aside: whether there is still a reason."""
        with self._free:
            self._free.notify_all()


ANSWERS = Precedence()
