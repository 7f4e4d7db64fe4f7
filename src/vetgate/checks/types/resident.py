"""The project's own type checker, kept warm beside the daemon: asked after an answer, heard at the next event.

Nobody waits for it. What it does not say in time is not said, and one that fails again and again is left alone.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.types.checkers import checker_of
from vetgate.checks.types.server import LanguageServer
from vetgate.source.deadline import Deadline

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.checks.types.checkers import Checker
    from vetgate.checks.types.server import Diagnostic

_SECONDS = 10.0
_IDLE = 300.0
_FAILURES = 3
_KEPT = 4
_FILES = 500
_LOOKED_AGAIN = 60.0


class _Job(NamedTuple):
    session: str
    path: str
    text: str
    language: str
    landed: bool


class Resident:
    """Thread-safe. One server for a project, one thread that speaks with it, both gone after a while without work."""

    def __init__(self, root: Path, checker: Checker, command: tuple[str, ...]) -> None:
        self.checker = checker
        self._root, self._command = root, command
        self._lock = threading.Lock()
        self._jobs: queue.Queue[_Job | None] = queue.Queue()
        self._thread: threading.Thread | None = None
        self._stale = False
        self._failures = 0
        self._first: OrderedDict[tuple[str, str], Counter[tuple[str, str]] | None] = OrderedDict()
        self._latest: dict[tuple[str, str], tuple[Diagnostic, ...]] = {}
        self._told: set[tuple[str, str, str, str]] = set()

    @property
    def given_up(self) -> bool:
        return self._failures >= _FAILURES

    def before(self, session: str, path: str, text: str, language: str) -> None:
        """A file is about to be edited: what is said of it now is nothing new."""
        with self._lock:
            if (session, path) in self._first:
                return
            self._first[session, path] = None
            while len(self._first) > _FILES:
                self._latest.pop(self._first.popitem(last=False)[0], None)
        self._give(_Job(session, path, text, language, landed=False))

    def after(self, session: str, path: str, text: str, language: str) -> None:
        """A file is on disk as it was edited."""
        if (session, path) in self._first:
            self._give(_Job(session, path, text, language, landed=True))

    def forget_files(self) -> None:
        """Files may have changed that nobody told it of: it starts anew with the next question."""
        self._stale = True

    def settle(self, deadline: Deadline) -> None:
        """Wait until it has nothing to do."""
        with self._jobs.all_tasks_done:
            while self._jobs.unfinished_tasks and not deadline.passed():
                self._jobs.all_tasks_done.wait(deadline.left())

    def close(self) -> None:
        with self._lock:
            thread = self._thread
            self._jobs.put(None)
        if thread is not None:
            thread.join()

    def news(self, session: str) -> list[tuple[str, Diagnostic]]:
        """What came with the session's edits and is still there; each is told once."""
        with self._lock:
            return [
                (path, each)
                for (of, path), said in self._latest.items()
                if of == session
                for each in self._new(session, path, said)
            ]

    def _new(self, session: str, path: str, said: tuple[Diagnostic, ...]) -> Iterator[Diagnostic]:
        left = Counter(self._first.get((session, path)) or ())
        for each in said:
            key = (each.code, each.message)
            left[key] -= 1
            if left[key] < 0 and (session, path, *key) not in self._told:
                self._told.add((session, path, *key))
                yield each

    def _give(self, job: _Job) -> None:
        if self.given_up:
            return
        with self._lock:
            self._jobs.put(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="resident checker", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        server: LanguageServer | None = None
        while True:
            job = self._next()
            if job is None:
                break
            try:
                server = self._answered(server, job)
            except (OSError, ValueError, KeyError, TypeError):
                self._failures += 1  # it cannot be started, or speaks another language
            finally:
                self._jobs.task_done()
        if server is not None:
            server.close()

    def _next(self) -> _Job | None:
        """None when there has been nothing to do for long."""
        while True:
            try:
                return self._jobs.get(timeout=_IDLE)
            except queue.Empty:
                with self._lock:
                    if self._jobs.empty():
                        self._thread = None
                        return None

    def _answered(self, server: LanguageServer | None, job: _Job) -> LanguageServer | None:
        if server is not None and self._stale:
            server.close()
            server = None
        self._stale = False
        server = server or LanguageServer(self._command, self._root)
        if job.landed:
            server.landed(job.path)
        language = self.checker.languages[job.language]
        said = server.diagnostics(job.path, job.text, language, Deadline.after(_SECONDS))
        if said is None:
            self._failures += 1
            server.close()
            return None
        self._failures = 0
        self._keep(job, said)
        return server

    def _keep(self, job: _Job, said: tuple[Diagnostic, ...]) -> None:
        key = (job.session, job.path)
        incomplete = any(each.code in self.checker.incomplete for each in said)
        worth = tuple(each for each in said if each.code in self.checker.codes)
        with self._lock:
            if not job.landed and not incomplete:
                self._first[key] = Counter((each.code, each.message) for each in worth)
            elif job.landed and not incomplete and self._first.get(key) is not None:
                self._latest[key] = worth
            else:
                # Where something is missing it guesses, and what it said of the file before is no measure for later.
                self._first.pop(key, None)
                self._latest.pop(key, None)


class _Residents:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[Path, str], tuple[float, Resident | None]] = OrderedDict()

    def of(self, root: Path, language: str) -> Resident | None:
        """None where the project has none installed for this language."""
        checker = checker_of(language)
        if checker is None:
            return None
        now = time.monotonic()
        with self._lock:
            looked, known = self._known.get((root, checker.name), (0.0, None))
            if known is None and (not looked or now - looked > _LOOKED_AGAIN):
                command = checker.command(root)
                known = Resident(root, checker, command) if command else None
                self._known[root, checker.name] = (now, known)
                while len(self._known) > _KEPT:
                    self._known.popitem(last=False)
            return known

    def at(self, root: Path) -> list[Resident]:
        """Those that were asked for."""
        with self._lock:
            return [known for (place, _), (_, known) in self._known.items() if place == root and known is not None]


RESIDENTS = _Residents()
