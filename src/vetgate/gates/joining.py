"""A command that runs already is waited for, not started again: in this process by a table, in others by a lock."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from vetgate.gates.sequence import GateRun

    Key = tuple[str, ...]

_LOOK_AGAIN = 0.05


class Flight:
    """One run under way."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self.done = threading.Event()
        self.result: GateRun | None = None
        self.error: BaseException | None = None
        self.is_awaited = True


class Runs:
    """Thread-safe. What ends after nobody waited any more is kept until somebody asks for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._flights: dict[Key, Flight] = {}
        self._late: list[tuple[str, GateRun]] = []

    def joined(self, key: Key, act: Callable[[], GateRun], seconds: float) -> GateRun | None:
        """The result of the run of that key, which `act` is unless there is one; None if it takes longer."""
        with self._lock:
            flight = self._flights.get(key)
            if flight is None:
                flight = self._flights[key] = Flight(key)
                threading.Thread(target=self._fly, args=(flight, act), name="gate", daemon=True).start()
        if not flight.done.wait(seconds):
            with self._lock:
                if not flight.done.is_set():
                    flight.is_awaited = False
                    return None
        if flight.error is not None:
            raise flight.error
        return flight.result

    def late(self, root: str) -> tuple[GateRun, ...]:
        """Runs in this project that ended meanwhile; each is given once."""
        with self._lock:
            mine = tuple(run for place, run in self._late if place == root)
            self._late = [(place, run) for place, run in self._late if place != root]
        return mine

    def under_way(self, root: str) -> tuple[str, ...]:
        with self._lock:
            return tuple(key[1] for key in self._flights if key[0] == root)

    def _fly(self, flight: Flight, act: Callable[[], GateRun]) -> None:
        try:
            flight.result = act()
        except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits
            flight.error = error
        with self._lock:
            self._flights.pop(flight.key, None)
            if not flight.is_awaited and flight.result is not None:
                self._late.append((flight.key[0], flight.result))
            flight.done.set()


@contextlib.contextmanager
def alone(folder: Path | None, words: Sequence[str], until: float) -> Iterator[bool]:
    """Hold the lock of these words among all processes; gives whether somebody else had it before.

    Where there is no folder, or no locks, nobody is kept waiting.
    """
    lock = _opened(folder, words)
    if lock is None:
        yield False
        return
    try:
        yield _taken(lock, until)
    finally:
        os.close(lock)


def _opened(folder: Path | None, words: Sequence[str]) -> int | None:
    if folder is None:
        return None
    name = blake2b("\0".join(words).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    try:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        return os.open(folder / f"gate-{name}.lock", flags, 0o600)
    except OSError:
        return None


def _taken(lock: int, until: float) -> bool:
    try:
        import fcntl  # noqa: PLC0415 - not on Windows
    except ImportError:
        return False
    waited = False
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waited = True
            if time.monotonic() >= until:
                return True
            time.sleep(_LOOK_AGAIN)
        except OSError:
            return waited
        else:
            return waited
