"""Requests that wait for a worker, in the order in which they came, and those that a daemon did not survive."""

from __future__ import annotations

import os
import threading
import time
from contextlib import contextmanager
from hashlib import blake2b
from queue import SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from vetgate.answer import Request
    from vetgate.daemon.exchange import Exchange


REMEMBERED = 600.0


class Poison:
    """One empty file per request in progress: what is still there when the next daemon starts has killed the last."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(mode=0o700, exist_ok=True)
        self._until: dict[str, float] = {}
        for path in folder.iterdir():
            left = path.stat().st_mtime + REMEMBERED - time.time()
            if 0 < left <= REMEMBERED:
                self._until[path.name] = time.monotonic() + left
            else:
                path.unlink(missing_ok=True)

    def holds(self, digest: str) -> bool:
        return self._until.get(digest, 0.0) > time.monotonic()

    def begin(self, digest: str) -> None:
        try:
            os.close(os.open(self._folder / digest, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
        except OSError:  # a full disk: the daemon works, it only forgets
            return

    def end(self, digest: str) -> None:
        if digest not in self._until:
            (self._folder / digest).unlink(missing_ok=True)

    def leave(self) -> None:
        try:
            self._folder.rmdir()  # only when it is empty
        except OSError:
            return


def digest_of(payload: bytes) -> str:
    return blake2b(payload, digest_size=16).hexdigest()


# Where no worker has finished anything for so long, whoever waits is better off alone.
BLOCKED = 2.5
# Requests that wait for a judge have a worker in their place, up to so many.
_MOST_WAITING = 64


class PendingRequest:
    """One acknowledged request: by when its answer is due, and since when a worker has been at it.

    Until `waits_until` it waits for a judge, which takes as long as the agent's own settings leave.
    """

    __slots__ = ("came", "due", "exchange", "request", "since", "waits_until")

    def __init__(self, exchange: Exchange, request: Request) -> None:
        self.exchange = exchange
        self.request = request
        self.came = time.monotonic()
        self.due = self.came + request.seconds
        self.since = 0.0
        self.waits_until = 0.0

    @property
    def outlasts_its_time(self) -> bool:
        """Whether whoever asks has to be told that this takes longer than they allowed."""
        return self.waits_until > self.due


class Lane:
    """Workers that do one kind of request. Edits do not wait behind the commands of a project."""

    def __init__(self, name: str, workers: int, work: Callable[[PendingRequest], None]) -> None:
        self._name = name
        self._most = workers
        self._workers = 0
        self._surplus = 0
        self._waiting_long = 0
        self._queue: SimpleQueue[PendingRequest] = SimpleQueue()
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
            if self._workers < self._most:
                self._workers += 1
                self._start_worker()
        self._queue.put(job)

    def _start_worker(self) -> None:
        threading.Thread(target=self._serve, name=self._name, daemon=True).start()

    def _serve(self) -> None:
        while True:
            self._run(self._queue.get())
            with self._guard:
                if self._surplus:  # somebody who waited for a judge is back
                    self._surplus -= 1
                    return

    @contextmanager
    def long_wait(self, job: PendingRequest, seconds: float) -> Iterator[None]:
        """While a judge is waited for, another worker takes this one's place."""
        with self._guard:
            job.waits_until = time.monotonic() + seconds
            is_replaced = self._waiting_long < _MOST_WAITING
            self._waiting_long += 1
            if is_replaced:
                self._start_worker()
        try:
            yield
        finally:
            with self._guard:
                job.since, job.waits_until = time.monotonic(), 0.0
                self._waiting_long -= 1
                self._surplus += is_replaced

    def _run(self, job: PendingRequest) -> None:
        with self._guard:
            if job not in self._waiting:
                return  # sent away while it waited
            del self._waiting[job]
            job.since = time.monotonic()
            self._working[job] = None
        try:
            self._work(job)
        except Exception:  # noqa: BLE001, S110 - answers report themselves; a worker has to live for the next request
            pass
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
            return any(now > max(job.due, job.since, job.waits_until) + beyond for job in self._working)

    def give_up(self, now: float, longest: float) -> None:
        """A worker that takes so long is past what a check may take: its client is better off alone, too."""
        with self._guard:
            late = [job for job in self._working if now - job.since > longest and now > job.waits_until]
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
