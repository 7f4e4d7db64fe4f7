"""What ends later, a row each: made before anybody is promised a result, deleted once it was told."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import msgspec

from vetgate.model import Outcome
from vetgate.store.encoding import all_plain, encoded, plain
from vetgate.store.file import StoreFile
from vetgate.store.records import Job

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable

    Teller = Callable[[], str]

_LONGEST_ANSWER = 900.0
_COLUMNS = "id, root, session, gate, path, content, owner, outcome"
_OF_SESSION = "root = ? AND session IN ('', ?)"


class Jobs(StoreFile):
    """Rows that vetgate did not write tell nothing."""

    def put_job(self, job: Job) -> None:
        """In the place of one with the same id."""
        row = _row(job)
        sql = "INSERT OR REPLACE INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._run(sql, *row, time.time(), self.seal.of("job", *row))

    def finish_job(self, job: Job) -> None:
        """Unless it is there no more, or about another content: then somebody else got the same, or nobody wants it."""
        row = _row(msgspec.structs.replace(job, owner=""))
        sql = "UPDATE job SET owner = '', outcome = ?, time = ?, mark = ? WHERE id = ? AND owner = ? AND content = ?"
        self._run(sql, row[-1], time.time(), self.seal.of("job", *row), job.id, job.owner, job.content)

    def drop_job(self, id_: str) -> None:
        if self._one("SELECT 1 FROM job WHERE id = ?", id_):
            self._run("DELETE FROM job WHERE id = ?", id_)

    def drop_own_jobs(self, jobs: Iterable[Job]) -> None:
        """These, as far as they are still their owner's, and about the same content."""
        for job in jobs:
            self._run("DELETE FROM job WHERE id = ? AND owner = ? AND content = ?", job.id, job.owner, job.content)

    def claim_job(self, id_: str, lives: Callable[[str], bool]) -> Job | None:
        """The one with this id, if it has ended or its owner no longer `lives`; nobody else gets it."""
        found = self._claimed("id = ?", (id_,), lambda job, since: _is_free(job, since, lives))
        return found[0] if found else None

    def jobs_of(self, root: str, session: str) -> list[Job]:
        """All of a session, whoever they belong to; nobody claims them."""
        sql = f"SELECT {_COLUMNS}, mark FROM job WHERE {_OF_SESSION}"  # noqa: S608 - words of our own
        rows = ([*row] for row in self._rows(sql, plain(root), plain(session)))
        known = (_job(row) for *row, seal in rows if seal == self.seal.of("job", *row))
        return [job for job in known if job is not None]

    def claim_jobs(
        self,
        root: str,
        session: str,
        wanted: Callable[[Job], bool],
        lives: Callable[[str], bool],
        teller: Teller = str,
    ) -> list[Job]:
        """Those that are `wanted`, in the same way.

        They stay there as those of the process that the `teller` names, until it drops them: if it dies before that,
        somebody else tells them. Without a name they are gone at once.
        """
        return self._claimed(
            _OF_SESSION,
            (plain(root), plain(session)),
            lambda job, since: wanted(job) and _is_free(job, since, lives),
            teller,
        )

    def _claimed(
        self, where: str, values: tuple[str, ...], wanted: Callable[[Job, float], bool], teller: Teller = str
    ) -> list[Job]:
        sql = f"SELECT {_COLUMNS}, time, mark FROM job WHERE {where} ORDER BY time"  # noqa: S608 - words of our own
        if not self._rows(sql, *values):
            return []
        claimed: list[Job] = []

        def claim(connection: sqlite3.Connection) -> None:
            claimed.clear()
            for *row, since, seal in connection.execute(sql, values).fetchall():
                job = _job(row) if seal == self.seal.of("job", *row) else None
                if job is None:
                    connection.execute("DELETE FROM job WHERE id = ?", (row[0],))
                elif wanted(job, since):
                    claimed.append(self._hand_over(connection, job, teller()))

        self._change(claim)
        return claimed

    def _hand_over(self, connection: sqlite3.Connection, job: Job, teller: str) -> Job:
        if not teller:
            connection.execute("DELETE FROM job WHERE id = ?", (job.id,))
            return job
        job = msgspec.structs.replace(job, owner=teller)
        row = _row(job)
        change = "UPDATE job SET owner = ?, outcome = ?, time = ?, mark = ? WHERE id = ?"
        connection.execute(change, (teller, row[-1], time.time(), self.seal.of("job", *row), job.id))
        return job


def _is_free(job: Job, since: float, lives: Callable[[str], bool]) -> bool:
    """Its owner is gone; or it has ended, and nobody tells it, or has tried to for longer than any answer takes."""
    if not lives(job.owner):
        return True
    return job.outcome is not None and (not job.owner or time.time() - since > _LONGEST_ANSWER)


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
