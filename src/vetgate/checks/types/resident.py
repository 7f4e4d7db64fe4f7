"""The project's own type checker, kept warm beside the daemon: asked after an answer, heard when it says something.

Nobody waits for it. What it does not say in time is not said, and one that fails again and again is left alone.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks.types.checkers import checker_of
from vetgate.checks.types.server import LanguageServer
from vetgate.source.clock import Deadline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from vetgate.checks.types.checkers import Checker
    from vetgate.checks.types.server import Diagnostic

    Tell = Callable[[tuple[Diagnostic, ...]], None]

_SECONDS = 10.0
_IDLE = 300.0
_FAILURES = 3
_KEPT = 4
_FILES = 500
_LOOKED_AGAIN = 60.0


class _CheckerQuestion(NamedTuple):
    """About a file before an edit; or after it, and then whom to `tell` what came with the session's edits."""

    session: str
    path: str
    text: str
    language: str
    tell: Tell | None = None


class Resident:
    """Thread-safe. One server for a project, one thread that speaks with it, both gone after a while without work."""

    def __init__(self, root: Path, checker: Checker, command: tuple[str, ...]) -> None:
        self.checker = checker
        self._root, self._command = root, command
        self._lock = threading.Lock()
        self._questions: queue.Queue[_CheckerQuestion | None] = queue.Queue()
        self._thread: threading.Thread | None = None
        self._stale = False
        self._failures = 0
        self._first: OrderedDict[tuple[str, str], Counter[tuple[str, str]] | None] = OrderedDict()

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
                self._first.popitem(last=False)
        self._give(_CheckerQuestion(session, path, text, language))

    def after(self, session: str, path: str, text: str, language: str, tell: Tell) -> bool:
        """A file is on disk as it was edited. Whether it is asked: then it tells, if only that there is nothing."""
        if (session, path) not in self._first or self.given_up:
            return False
        self._give(_CheckerQuestion(session, path, text, language, tell))
        return True

    def forget_files(self) -> None:
        """Files may have changed that nobody told it of: it starts anew with the next question."""
        self._stale = True

    def settle(self, deadline: Deadline) -> None:
        """Wait until it has nothing to do."""
        with self._questions.all_tasks_done:
            while self._questions.unfinished_tasks and not deadline.passed():
                self._questions.all_tasks_done.wait(deadline.left())

    def close(self) -> None:
        with self._lock:
            thread = self._thread
            self._questions.put(None)
        if thread is not None:
            thread.join()

    def _give(self, question: _CheckerQuestion) -> None:
        if self.given_up:
            return
        with self._lock:
            self._questions.put(question)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="resident checker", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        server: LanguageServer | None = None
        try:
            while (question := self._next()) is not None:
                try:
                    server = self._answered(server, question)
                except (OSError, ValueError, KeyError, TypeError):
                    self._failures += 1  # it cannot be started, or speaks another language
                    _tell(question, ())
                finally:
                    self._questions.task_done()
        finally:
            with self._lock:
                if self._thread is threading.current_thread():
                    self._thread = None
            if server is not None:
                server.close()

    def _next(self) -> _CheckerQuestion | None:
        """None when there has been nothing to do for long."""
        while True:
            try:
                return self._questions.get(timeout=_IDLE)
            except queue.Empty:
                with self._lock:
                    if self._questions.empty():
                        self._thread = None
                        return None

    def _answered(self, server: LanguageServer | None, question: _CheckerQuestion) -> LanguageServer | None:
        if server is not None and self._stale:
            server.close()
            server = None
        self._stale = False
        server = server or LanguageServer(self._command, self._root)
        if question.tell is not None:
            server.landed(question.path)
        language = self.checker.languages[question.language]
        said = server.diagnostics(question.path, question.text, language, Deadline.after(_SECONDS))
        if said is None:
            self._failures += 1
            server.close()
            _tell(question, ())
            return None
        self._failures = 0
        self._keep(question, said)
        return server

    def _keep(self, question: _CheckerQuestion, said: tuple[Diagnostic, ...]) -> None:
        key = (question.session, question.path)
        incomplete = any(each.code in self.checker.incomplete for each in said)
        worth = tuple(each for each in said if each.code in self.checker.codes)
        with self._lock:
            first = self._first.get(key)
            if question.tell is None and not incomplete:
                self._first[key] = Counter((each.code, each.message) for each in worth)
            elif incomplete or first is None:
                # Where something is missing it guesses, and what it said of the file before is no measure for later.
                self._first.pop(key, None)
                first = None
        _tell(question, tuple(_new(worth, first)) if first is not None else ())


def _tell(question: _CheckerQuestion, said: tuple[Diagnostic, ...]) -> None:
    if question.tell is not None:
        with contextlib.suppress(Exception):  # what goes wrong there is no failure of the checker
            question.tell(said)


def _new(said: tuple[Diagnostic, ...], first: Counter[tuple[str, str]]) -> Iterator[Diagnostic]:
    """What was not there before the session edited the file."""
    left = first.copy()
    for each in said:
        left[each.code, each.message] -= 1
        if left[each.code, each.message] < 0:
            yield each


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
