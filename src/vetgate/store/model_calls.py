"""What language models were asked and what that cost: tokens and money, never what was said."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import msgspec

from vetgate.store.encoding import plain
from vetgate.store.file import UNREADABLE, StoreFile
from vetgate.store.records import ModelCall

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable

    Refuses = Callable[[list[ModelCall]], str]


class ModelCalls(StoreFile):
    """Rows that vetgate did not write cost nothing."""

    def begin_model_call(self, call: ModelCall, since: float, refuses: Refuses) -> str:
        """Puts a question on record at the most that it may cost, or says why not: what `refuses` makes of all others.

        It sees those `since` then and those of the same session. Two processes that ask at once see each other's.
        """
        sql = "SELECT * FROM model_call WHERE time >= ? OR session = ?"
        said = ""

        def begin(connection: sqlite3.Connection) -> None:
            nonlocal said
            said = refuses(self._calls(connection.execute(sql, (since, plain(call.session))).fetchall()))
            if not said:
                self._put(connection, call)

        self._change(begin)
        return said

    def end_model_call(self, begun: ModelCall, call: ModelCall) -> None:
        """What it really came to, in the place of what it might have cost."""
        mark = self.seal.of("model call", *_row(begun))

        def end(connection: sqlite3.Connection) -> None:
            first = "SELECT rowid FROM model_call WHERE time = ? AND mark = ? LIMIT 1"
            connection.execute(f"DELETE FROM model_call WHERE rowid = ({first})", (begun.time, mark))  # noqa: S608 - our own
            self._put(connection, call)

        self._change(end)

    def model_calls(self, since: float = 0.0, session: str | None = None) -> tuple[ModelCall, ...]:
        """Oldest first."""
        sql = "SELECT * FROM model_call WHERE time >= ? AND (? IS NULL OR session = ?) ORDER BY time"
        whose = None if session is None else plain(session)
        return tuple(self._calls(self._rows(sql, since, whose, whose)))

    def _calls(self, rows: Iterable[tuple[object, ...]]) -> list[ModelCall]:
        names = ModelCall.__struct_fields__
        found = []
        for row in rows:
            with contextlib.suppress(*UNREADABLE):
                call = msgspec.convert(dict(zip(names, row, strict=False)), ModelCall)
                if row[-1] == self.seal.of("model call", *_row(call)):
                    found.append(call)
        return found

    def _put(self, connection: sqlite3.Connection, call: ModelCall) -> None:
        row = _row(call)
        marks = ", ".join("?" * (len(row) + 1))
        sql = f"INSERT INTO model_call VALUES ({marks})"  # noqa: S608 - our own
        connection.execute(sql, (*row, self.seal.of("model call", *row)))


def _row(call: ModelCall) -> tuple[str | float | int, ...]:
    return tuple(plain(value) if isinstance(value, str) else value for value in msgspec.structs.astuple(call))
