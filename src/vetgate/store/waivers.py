"""Findings that a person allowed on purpose, and the baseline that one accepted."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from vetgate.model import Waiver
from vetgate.store.file import StoreFile, put_all

if TYPE_CHECKING:
    import sqlite3


class Waivers(StoreFile):
    def waivers(self) -> tuple[Waiver, ...]:
        """Those that have ended, too: somebody has to be told."""
        rows = self._rows("SELECT what, glob, reason, by, until, value FROM waiver ORDER BY until, what, glob")
        return tuple(
            Waiver(what, glob, reason, by, date.fromisoformat(until), None if value is None else int(value))
            for what, glob, reason, by, until, value in rows
        )

    def waive(self, waiver: Waiver) -> None:
        row = (waiver.what, waiver.glob, waiver.reason, waiver.by, waiver.until.isoformat(), waiver.value)
        self._run("INSERT OR REPLACE INTO waiver VALUES (?, ?, ?, ?, ?, ?)", *row)

    def unwaive(self, waivers: tuple[Waiver, ...]) -> None:
        rows = [(waiver.what, waiver.glob) for waiver in waivers]

        def remove(connection: sqlite3.Connection) -> None:
            put_all(connection, "DELETE FROM waiver WHERE what = ? AND glob = ?", rows)

        self._change(remove)
