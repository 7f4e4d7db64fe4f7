"""A command that runs already in this process is waited for, not started again."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.model import Outcome

    Key = tuple[str, ...]


class Flight:
    """One run under way."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self.done = threading.Event()
        self.result: Outcome | None = None
        self.error: BaseException | None = None
        self.is_awaited = True


class Runs:
    """Thread-safe. What ends after nobody waited any more is kept until somebody asks for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._flights: dict[Key, Flight] = {}
        self._late: dict[Key, Outcome] = {}

    def joined(self, key: Key, act: Callable[[], Outcome], seconds: float | None) -> Outcome | None:
        """The result of the run of that key, which `act` is unless there is one; None if it takes longer than that."""
        with self._lock:
            if key in self._late:
                return self._late.pop(key)
            flight = self._flights.get(key)
            if flight is None:
                flight = self._flights[key] = Flight(key)
                threading.Thread(target=self._fly, args=(flight, act), name="gate", daemon=True).start()
            flight.is_awaited = True  # again, if somebody gave up before: it is told once
        if not flight.done.wait(seconds):
            with self._lock:
                if not flight.done.is_set():
                    flight.is_awaited = False
                    return None
        if flight.error is not None:
            raise flight.error
        return flight.result

    def late(self, root: str) -> tuple[Outcome, ...]:
        """Runs in this project that ended meanwhile; each is given once."""
        with self._lock:
            mine = [key for key in self._late if key[0] == root]
            return tuple(self._late.pop(key) for key in mine)

    @property
    def is_busy(self) -> bool:
        with self._lock:
            return bool(self._flights)

    def _fly(self, flight: Flight, act: Callable[[], Outcome]) -> None:
        try:
            flight.result = act()
        except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits
            flight.error = error
        with self._lock:
            self._flights.pop(flight.key, None)
            if not flight.is_awaited and flight.result is not None:
                self._late[flight.key] = flight.result
            flight.done.set()
