"""What ends later: joined while it runs, kept in the store when nobody waits any more, and told once.

It is marked as told when the answer is out that carries it: who dies before that leaves it to the next.

Nothing is told about content that is gone; of a process that is gone, that its jobs are lost.
"""

from __future__ import annotations

import threading
import time
from contextvars import copy_context
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
    from collections.abc import Callable, Collection, Mapping

    from vetgate.project import Project
    from vetgate.store import Store

    Later = list[Callable[[], None]]


_BETWEEN = "//"  # two names of files; no path has it


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
                if (ended := _claim_ended(store, job)) is not None:
                    return ended
                run = self._runs[job.id] = _RunningJob(job, store)
                act_here = (self._act, run, act)
                threading.Thread(target=copy_context().run, args=act_here, name="gate", daemon=True).start()
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

    def settle(self, session: str, gates: Collection[str], seconds: float) -> None:
        """Waits for what is under way here for a session: nothing comes after it to be told of."""
        until = time.monotonic() + seconds
        with self._lock:
            pending = [run for run in self._runs.values() if run.job.session == session and run.job.gate in gates]
        for run in pending:
            run.done.wait(max(0.0, until - time.monotonic()))

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


def begin_job(project: Project, session: str, gate: str, path: str, text: str) -> Job:
    """What is being found out about a file's text, for the session; in the place of what was about an earlier one."""
    root = str(project.root)
    owner = presence(project.store.folder)
    job = Job(digest((root, session, gate, path)), root, session, gate, path, digest_of(text), owner)
    project.store.put_job(job)
    return job


def end_job(project: Project, job: Job, outcome: Outcome | None = None) -> None:
    """What it came to; of nothing that is worth telling nothing is kept."""
    if outcome is not None and outcome.findings:
        project.store.finish_job(msgspec.structs.replace(job, outcome=outcome))
    else:
        project.store.drop_own_jobs([job])


def quiet_jobs(project: Project, session: str, gates: Collection[str]) -> frozenset[str] | None:
    """The jobs of these gates by their ids, None where the agent should hear of one."""
    jobs = [job for job in project.store.jobs_of(str(project.root), session) if job.gate in gates]
    is_alive = partial(lives, project.store.folder)
    return None if any(_is_news(job, is_alive) for job in jobs) else frozenset(job.id for job in jobs)


def _is_news(job: Job, lives: Callable[[str], bool]) -> bool:
    """Nothing is what passed, what still runs, and what can be asked again."""
    if job.outcome is None:
        return not job.path and not lives(job.owner)
    return job.outcome.status is not Status.PASSED or bool(job.outcome.findings)


def claim_jobs(
    project: Project, session: str, gates: Collection[str], later: Later, *, quiet: frozenset[str] | None = None
) -> tuple[Job, ...]:
    """The jobs of these gates that are over, for whoever tells them now; without an outcome those that are lost.

    `later` is done after the answer. Nothing of what is about content that is gone. `quiet`: only these, as far as
    nobody has to hear of them even now.
    """
    store = project.store
    is_alive = partial(lives, store.folder)

    def wanted(job: Job) -> bool:
        is_quiet = quiet is None or (job.id in quiet and not _is_news(job, is_alive))
        return is_quiet and job.gate in gates

    jobs = store.claim_jobs(str(project.root), session, wanted, is_alive, partial(presence, store.folder))
    current = tuple(job for job in jobs if _is_current(project, job))
    store.drop_own_jobs(job for job in jobs if job not in current)
    if current:
        later.append(partial(store.drop_own_jobs, current))
    return current


def claim_finished(project: Project, session: str, gates: Collection[str], later: Later) -> tuple[Outcome, ...]:
    """What these gates came to meanwhile, each told once."""
    return tuple(replace(job.outcome or _lost(job), late=True) for job in claim_jobs(project, session, gates, later))


def _claim_ended(store: Store, job: Job) -> Outcome | None:
    """What it came to when nobody waited; what is lost, or never came to anything, is run anew."""
    known = store.claim_job(job.id, partial(lives, store.folder))
    outcome = known.outcome if known else None
    return None if outcome is None or outcome.status is Status.ERRORED else outcome


def _lost(job: Job) -> Outcome:
    return Outcome.errored(job.gate, LOST)


def subject_of(texts: Mapping[str, str]) -> tuple[str, str]:
    """What a job is about: the names of files, and what names their texts."""
    if len(texts) == 1:
        [(path, text)] = texts.items()
        return path, digest_of(text)
    names = sorted(texts)
    return _BETWEEN.join(names), digest_of("\n".join(digest_of(texts[name]) for name in names))


def paths_of(job: Job) -> list[str]:
    return job.path.split(_BETWEEN) if job.path else []


def _is_current(project: Project, job: Job) -> bool:
    if not job.content:
        return True
    if not job.path:
        return is_still_there(project, job.content)
    try:
        texts = {path: disk.read(project.root / path) for path in paths_of(job)}
    except (OSError, NotText):
        return False
    return subject_of(texts)[1] == job.content
