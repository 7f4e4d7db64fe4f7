"""What ends later, a row each: made before anybody is promised a result, deleted by whoever tells it."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import msgspec

from vetgate.model import Outcome
from vetgate.store.encoding import all_plain, encoded, plain
from vetgate.store.file import StoreFile

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable

_COLUMNS = "id, root, session, gate, path, content, owner, outcome"


class Job(msgspec.Struct, frozen=True):
    """A run of `gate` for the project at `root`, and its outcome once there is one.

    `session` is whose it is, "" for whoever works there. `content` names what it is about: the text of `path`, or all
    of the project; "" where nobody can name it. `owner` is the process that runs it.
    """

    id: str
    root: str
    session: str
    gate: str
    path: str
    content: str
    owner: str
    outcome: Outcome | None = None


class Jobs(StoreFile):
    """Rows that vetgate did not write tell nothing."""

    def put_job(self, job: Job) -> None:
        """In the place of one with the same id."""
        row = _row(job)
        sql = "INSERT OR REPLACE INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._run(sql, *row, time.time(), self.seal.of("job", *row))

    def finish_job(self, job: Job) -> None:
        """Unless it is there no more: then somebody else got the same."""
        row = _row(job)
        sql = "UPDATE job SET outcome = ?, time = ?, mark = ? WHERE id = ? AND owner = ?"
        self._run(sql, row[-1], time.time(), self.seal.of("job", *row), job.id, job.owner)

    def drop_job(self, id_: str) -> None:
        if self._one("SELECT 1 FROM job WHERE id = ?", id_):
            self._run("DELETE FROM job WHERE id = ?", id_)

    def claim_job(self, id_: str, lives: Callable[[str], bool]) -> Job | None:
        """The one with this id, if it has ended or its owner no longer `lives`; nobody else gets it."""
        found = self._claimed("id = ?", (id_,), lambda job: job.outcome is not None or not lives(job.owner))
        return found[0] if found else None

    def claim_jobs(self, root: str, session: str, gates: Iterable[str], lives: Callable[[str], bool]) -> list[Job]:
        """Those of these gates, in the same way."""
        wanted = frozenset(gates)
        where = "root = ? AND session IN ('', ?)"
        return self._claimed(
            where,
            (plain(root), plain(session)),
            lambda job: job.gate in wanted and (job.outcome is not None or not lives(job.owner)),
        )

    def _claimed(self, where: str, values: tuple[str, ...], wanted: Callable[[Job], bool]) -> list[Job]:
        sql = f"SELECT {_COLUMNS}, mark FROM job WHERE {where} ORDER BY time"  # noqa: S608 - words of our own
        if not self._rows(sql, *values):
            return []
        claimed: list[Job] = []

        def claim(connection: sqlite3.Connection) -> None:
            claimed.clear()
            for *row, mark in connection.execute(sql, values).fetchall():
                is_ours = mark == self.seal.of("job", *row)
                job = _job(row) if is_ours else None
                if job is None or wanted(job):
                    connection.execute("DELETE FROM job WHERE id = ?", (row[0],))
                    claimed.extend([job] if job else [])

        self._change(claim)
        return claimed


def _row(job: Job) -> tuple[str, ...]:
    outcome = "" if job.outcome is None else encoded(all_plain(msgspec.to_builtins(job.outcome)))
    return (job.id, plain(job.root), plain(job.session), job.gate, plain(job.path), job.content, job.owner, outcome)


def _job(row: list[str]) -> Job | None:
    """None for one of another version, whose outcome is not known here."""
    id_, root, session, gate, path, content, owner, body = row
    try:
        outcome = msgspec.convert(json.loads(body), Outcome) if body else None
        return Job(id_, root, session, gate, path, content, owner, outcome)
    except (ValueError, msgspec.ValidationError):
        return None
