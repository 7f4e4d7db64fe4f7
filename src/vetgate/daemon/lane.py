"""Requests that wait for a worker, in the order in which they came."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.answer import Request
    from vetgate.daemon.exchange import Exchange

# Where no worker has finished anything for so long, whoever waits is better off alone.
BLOCKED = 2.5


class PendingRequest:
    """One acknowledged request: by when its answer is due, and since when a worker has been at it."""

    __slots__ = ("came", "due", "exchange", "request", "since")

    def __init__(self, exchange: Exchange, request: Request) -> None:
        self.exchange = exchange
        self.request = request
        self.came = time.monotonic()
        self.due = self.came + request.seconds
        self.since = 0.0


class Lane:
    """Workers that do one kind of request. Edits do not wait behind the commands of a project."""

    def __init__(self, name: str, workers: int, work: Callable[[PendingRequest], None]) -> None:
        self._workers = ThreadPoolExecutor(workers, thread_name_prefix=name)
        self._work = work
        self._guard = threading.Lock()
        self._waiting: dict[PendingRequest, None] = {}
        self._working: dict[PendingRequest, None] = {}
        self._moved = time.monotonic()

    def take(self, job: PendingRequest) -> None:
        with self._guard:
            if not self._waiting and not self._working:
                self._moved = time.monotonic()
            self._waiting[job] = None
        self._workers.submit(self._run, job)

    def _run(self, job: PendingRequest) -> None:
        with self._guard:
            if job not in self._waiting:
                return  # sent away while it waited
            del self._waiting[job]
            job.since = time.monotonic()
            self._working[job] = None
        try:
            self._work(job)
        finally:
            with self._guard:
                del self._working[job]
                self._moved = time.monotonic()

    def jobs(self) -> list[PendingRequest]:
        with self._guard:
            return [*self._waiting, *self._working]

    def __len__(self) -> int:
        with self._guard:
            return len(self._waiting) + len(self._working)

    @property
    def held_bytes(self) -> int:
        with self._guard:
            return sum(len(job.request.payload) for job in self._waiting)

    def is_stuck(self, now: float, beyond: float) -> bool:
        """Whether a worker is so far past its time that it will not come back."""
        with self._guard:
            return any(now > job.due + beyond for job in self._working)

    def give_up(self, now: float, longest: float) -> None:
        """A worker that takes so long is past what a check may take: its client is better off alone, too."""
        with self._guard:
            late = [job for job in self._working if now - job.since > longest]
        for job in late:
            job.exchange.close()

    def send_away(self, now: float, *, all_of_them: bool = False) -> None:
        """Those that waited in vain: past their time, or behind workers that finish nothing."""
        with self._guard:
            blocked = now - self._moved > BLOCKED
            gone = [
                job for job in self._waiting if all_of_them or now > job.due or (blocked and now - job.came > BLOCKED)
            ]
            for job in gone:
                del self._waiting[job]
        for job in gone:
            job.exchange.close()
