"""Decisions, written down: append-only, each row chained to the one before, the last one anchored outside."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from vetgate.store import chain
from vetgate.store.chain import Head, Link
from vetgate.store.file import StoreFile
from vetgate.store.records import RecordedDecision

if TYPE_CHECKING:
    import sqlite3

_COLUMNS = "id, time, session, event, body"


class Decisions(StoreFile):
    _furthest = 0  # the last row that this process knows of

    def record(self, row: RecordedDecision) -> None:
        with self._lock:
            self._change(lambda connection: self._append(connection, row))
            self._settle_anchor()

    def _append(self, connection: sqlite3.Connection, row: RecordedDecision) -> Link:
        """In a transaction; `_settle_anchor` follows it."""
        head = self._head()
        # From the anchor, where rows were cut off behind our back: the next one must not hide it.
        link = chain.add(connection, self.seal, row, (head.seq, head.digest) if head else (0, ""))
        if connection is self._connection and self._ground is not None:
            known = head if head is not None and head.valid else Head(valid=False)
            self._next = known._replace(seq=link.seq, digest=link.digest)
        return link

    def _settle_anchor(self) -> None:
        """Keep the end of the log outside of the database, so that a cut tail shows."""
        head, self._next = self._next, None
        # One that is gone, or not ours, stays so until it is on record: see `_note_loss`.
        if head is not None and head.valid and self._ground is not None:
            chain.put_head(self._ground.anchor, head, self.seal)
            self._furthest = head.seq

    def _head(self) -> Head | None:
        return chain.read_head(self._ground.anchor, self.seal) if self._ground else None

    def decision(self, decision_id: str) -> list[RecordedDecision]:
        """All of that id, newest first: what is sent again in the same words is decided again."""
        sql = f"SELECT {_COLUMNS} FROM decision WHERE id = ? ORDER BY seq DESC"  # noqa: S608 - names of our own
        return self._read(_decision, sql, decision_id)

    def decisions(self, limit: int = 100, *, accepted: bool = False) -> list[RecordedDecision]:
        """The newest decisions, newest first: those of the gates, and on demand what people accepted."""
        wanted = "TRUE" if accepted else f"NOT {chain.IS_ACCEPTANCE}"
        sql = f"SELECT {_COLUMNS} FROM decision WHERE {wanted} ORDER BY seq DESC LIMIT ?"  # noqa: S608 - our own names
        return self._read(_decision, sql, limit)

    def decisions_after(self, seq: int, since: float = 0.0) -> list[tuple[int, RecordedDecision]]:
        """Those written after that number and not before that time, oldest first, with their numbers."""
        sql = f"SELECT seq, {_COLUMNS} FROM decision WHERE seq > ? AND time >= ? ORDER BY seq"  # noqa: S608
        return self._read(lambda number, *row: (int(number), _decision(*row)), sql, seq, since)

    def reviews(self, limit: int = 50) -> list[RecordedDecision]:
        """The newest records of reviews, newest first; rows that vetgate did not write are none.

        What is older than the row with which a person began anew does not count: later ones may have been taken away.
        """
        return self._ours(chain.IS_REVIEW, limit, self._began_anew())

    def reconciled(self, limit: int = 5000) -> list[RecordedDecision]:
        """What became of findings and comments, newest first; rows that vetgate did not write are none."""
        return self._ours(chain.IS_RECONCILED, limit)

    def _ours(self, wanted: str, limit: int, after: int = 0) -> list[RecordedDecision]:
        sql = f"SELECT {chain.COLUMNS} FROM decision WHERE {wanted} AND seq > ? ORDER BY seq DESC LIMIT ?"  # noqa: S608
        links = self._do(lambda connection: [Link(*row) for row in connection.execute(sql, (after, limit))])
        return [link.row for link in links if link.is_ours(self.seal)]

    def _began_anew(self) -> int:
        """The row with which a person acknowledged that the log was damaged; 0 where it never was."""
        return 0

    def last_number(self) -> int:
        return self._do(chain.last)[0]

    def _damage(self, since: int, newest: int | None) -> str:
        """What was done to the rows behind our back, at the first one where it shows; "" for nothing."""
        head = self._head()  # before the rows: somebody may be writing
        sql = f"SELECT {chain.COLUMNS} FROM decision WHERE seq >= ? ORDER BY seq DESC LIMIT ?"  # noqa: S608
        rows = self._do(lambda connection: connection.execute(sql, (since, newest or -1)).fetchall())
        links = [Link(*row) for row in reversed(rows)]
        is_whole = newest is None or len(links) < newest
        start = (0, "") if is_whole and since <= 1 else (links[0].seq - 1, links[0].before) if links else (0, "")
        if found := chain.broken(links, self.seal, start):
            return found
        end = links[-1].end if links else (since, "")
        if head is None:
            return ""
        if head.seq > end[0]:
            return f"{chain.rows_named(end[0] + 1, head.seq)} gone, at the end"
        anchored = next(islice((link for link in links if link.seq == head.seq), 1), None)
        is_other = anchored is not None and anchored.digest != head.digest
        return f"row {head.seq} is not what was written" if is_other else ""


def _decision(identity: str, when: float, session: str, event: str, body: str) -> RecordedDecision:
    return RecordedDecision(identity, float(when), session, event, json.loads(body))
