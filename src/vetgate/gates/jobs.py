"""What ends later: joined while it runs, kept in the store when nobody waits any more, and told once.

Nothing is told about content that is gone; of a process that is gone, that its jobs are lost.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from vetgate.engine.analysis import digest_of
from vetgate.gates.command_kinds import digest
from vetgate.gates.content import is_still_there
from vetgate.gates.locks import lives, presence
from vetgate.gates.process import LOST
from vetgate.model import Outcome, Status
from vetgate.source import disk
from vetgate.source.text import NotText
from vetgate.store import Job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vetgate.project import Project
    from vetgate.store import Store


class _RunningJob:
    """One that is under way in this process, and how many wait for it."""

    def __init__(self, job: Job, store: Store) -> None:
        self.job = job
        self.store = store
        self.done = threading.Event()
        self.outcome: Outcome | None = None
        self.error: BaseException | None = None
        self.waiting = 0


class Runs:
    """Thread-safe. All runs of a process, of whichever project."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[str, _RunningJob] = {}

    def join(self, store: Store, job: Job, act: Callable[[], Outcome], seconds: float | None) -> Outcome | None:
        """The outcome of this job, which `act` gives unless it runs already; None if it takes longer than that.

        Then it is kept in the store when it has ended.
        """
        with self._lock:
            run = self._runs.get(job.id)
            if run is None:
                if (ended := _ended(store, job)) is not None:
                    return ended
                run = self._runs[job.id] = _RunningJob(job, store)
                threading.Thread(target=self._act, args=(run, act), name="gate", daemon=True).start()
            run.waiting += 1
        if not run.done.wait(seconds):
            with self._lock:
                if not run.done.is_set():
                    run.waiting -= 1
                    if not run.waiting:
                        run.job = msgspec.structs.replace(job, owner=presence(store.folder))
                        store.put_job(run.job)
                    return None
        if run.error is not None:
            raise run.error
        return run.outcome

    @property
    def is_busy(self) -> bool:
        with self._lock:
            return bool(self._runs)

    def _act(self, run: _RunningJob, act: Callable[[], Outcome]) -> None:
        try:
            run.outcome = act()
        except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits
            run.error = error
        with self._lock:
            job, store = run.job, run.store
            del self._runs[job.id]
            try:
                if run.waiting:
                    store.drop_job(job.id)  # somebody gave up before: whoever waits now is told, and nobody else
                else:
                    store.finish_job(msgspec.structs.replace(job, outcome=run.outcome or _lost(job)))
            finally:
                run.done.set()


RUNS = Runs()


def keep_outcome(project: Project, session: str, path: str, text: str, outcome: Outcome) -> None:
    """What was found out about a text of a file, for the session; in the place of what was about an earlier one."""
    root = str(project.root)
    name = digest((root, session, outcome.gate, path))
    if outcome.findings:
        content = digest_of(text)
        project.store.put_job(Job(name, root, session, outcome.gate, path, content, "", outcome))
    else:
        project.store.drop_job(name)


def finished(project: Project, session: str, gates: Iterable[str]) -> tuple[Outcome, ...]:
    """What these gates came to meanwhile, each told once; nothing of what is about content that is gone."""
    store = project.store
    claimed = store.claim_jobs(str(project.root), session, gates, partial(lives, store.folder))
    return tuple(replace(job.outcome or _lost(job), late=True) for job in claimed if _is_current(project, job))


def _ended(store: Store, job: Job) -> Outcome | None:
    """What it came to when nobody waited; what is lost, or never came to anything, is run anew."""
    known = store.claim_job(job.id, partial(lives, store.folder))
    outcome = known.outcome if known else None
    return None if outcome is None or outcome.status is Status.ERRORED else outcome


def _lost(job: Job) -> Outcome:
    return Outcome(job.gate, Status.ERRORED, error=LOST)


def _is_current(project: Project, job: Job) -> bool:
    if not job.content:
        return True
    if not job.path:
        return is_still_there(project, job.content)
    try:
        return digest_of(disk.read(project.root / job.path)) == job.content
    except (OSError, NotText):
        return False
