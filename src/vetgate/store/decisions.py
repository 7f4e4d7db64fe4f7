"""Decisions, written down: append-only, each row chained to the one before, the last one anchored outside."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from hashlib import blake2b
from typing import TYPE_CHECKING

from vetgate.store.file import StoreFile, encoded, plain, write
from vetgate.store.rows import DecisionRow

if TYPE_CHECKING:
    import sqlite3

_COLUMNS = "id, time, session, event, body"


class Decisions(StoreFile):
    def record(self, row: DecisionRow) -> None:
        body = encoded(row.body)
        session = plain(row.session)
        written: list[tuple[int, str]] = []

        def append(connection: sqlite3.Connection) -> None:
            last = connection.execute("SELECT seq, digest FROM decision ORDER BY seq DESC LIMIT 1").fetchone()
            # From the anchor, where rows were cut off or changed behind our back: the next one must not hide it.
            seq, before = max(self._anchored() or (0, ""), last or (0, ""), key=lambda each: each[0])
            values = (seq + 1, row.id, row.time, session, row.event, body)
            digest = _chained(before, values)
            connection.execute("INSERT INTO decision VALUES (?, ?, ?, ?, ?, ?, ?)", (*values, digest))
            written[:] = [(seq + 1, digest)] if connection is self._connection else []

        with self._lock:
            self._change(append)
            for seq, digest in written:
                self._anchor(seq, digest)

    def decision(self, decision_id: str) -> list[DecisionRow]:
        """All of that id, newest first: what is sent again in the same words is decided again."""
        sql = f"SELECT {_COLUMNS} FROM decision WHERE id = ? ORDER BY seq DESC"  # noqa: S608 - names of our own
        return [_decision(row) for row in self._rows(sql, decision_id)]

    def decisions(self, limit: int = 100) -> list[DecisionRow]:
        """The newest decisions, newest first."""
        sql = f"SELECT {_COLUMNS} FROM decision ORDER BY seq DESC LIMIT ?"  # noqa: S608 - names of our own
        return [_decision(row) for row in self._rows(sql, limit)]

    def decisions_after(self, seq: int, since: float = 0.0) -> list[tuple[int, DecisionRow]]:
        """Those written after that number and not before that time, oldest first, with their numbers."""
        sql = f"SELECT seq, {_COLUMNS} FROM decision WHERE seq > ? AND time >= ? ORDER BY seq"  # noqa: S608
        return [(int(number), _decision(tuple(row))) for number, *row in self._rows(sql, seq, since)]

    def last_number(self) -> int:
        row = self._one("SELECT max(seq) FROM decision")
        return int(row[0] or 0) if row else 0

    def unbroken(self) -> bool:
        """Whether every decision still stands as it was written, up to the one that was anchored last."""
        return not self.broken()

    def broken(self) -> str:
        """What was done to the decisions behind our back, at the first row where it shows; "" for nothing."""
        anchored = self._anchored()  # before the rows: somebody may be writing
        before, last, anchor_met = "", 0, anchored is None
        for *values, digest in self._rows("SELECT * FROM decision ORDER BY seq"):
            number = int(values[0])
            if number != last + 1:
                return f"{_rows_named(last + 1, number - 1)} gone (between row {last} and row {number}, {values[1]})"
            if digest != _chained(before, tuple(values)):
                return f"row {number} ({values[1]}) is not what was written"
            anchor_met = anchor_met or anchored == (number, digest)
            before, last = digest, number
        if last and anchored is None:
            return f"chain.head is gone, which says that row {last} is the last one"
        if anchored is not None and anchored[0] > last:
            return f"{_rows_named(last + 1, anchored[0])} gone, at the end"
        return "" if anchor_met or anchored is None else f"row {anchored[0]} is not what was written"

    def _anchor(self, seq: int, digest: str) -> None:
        """Keep the chain's head outside of the database, so that a cut tail shows."""
        if self.file is None:
            return
        temporary = self.file.with_name(f"chain.{os.getpid()}.{threading.get_ident()}")
        with contextlib.suppress(OSError):
            write(temporary, f"{seq} {digest}")
            temporary.replace(self.file.with_name("chain.head"))

    def _anchored(self) -> tuple[int, str] | None:
        if self.file is None:
            return None
        try:
            seq, digest = self.file.with_name("chain.head").read_text(encoding="ascii").split()
            return int(seq), digest
        except (OSError, ValueError):
            return None


def _rows_named(first: int, last: int) -> str:
    return f"row {first} is" if first == last else f"rows {first} to {last} are"


def _chained(before: str, values: tuple[object, ...]) -> str:
    return blake2b(encoded([before, *values]).encode(), digest_size=16).hexdigest()


def _decision(row: tuple[str, ...]) -> DecisionRow:
    identity, when, session, event, body = row
    return DecisionRow(identity, float(when), session, event, json.loads(body))
