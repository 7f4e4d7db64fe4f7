"""Marks on a session: what it did to a file, what it was told, what it owes. Asking leaves none."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from vetgate.store.encoding import plain
from vetgate.store.file import StoreFile

if TYPE_CHECKING:
    from vetgate.store.records import SessionMark


class Marks(StoreFile):
    def is_marked(self, session: str, path: str, kind: SessionMark, subject: str = "") -> bool:
        sql = "SELECT 1 FROM mark WHERE session = ? AND path = ? AND kind = ? AND subject = ?"
        return self._one(sql, plain(session), plain(path), kind, plain(subject)) is not None

    def mark(self, session: str, path: str, kind: SessionMark, subject: str = "") -> None:
        if not self.is_marked(session, path, kind, subject):  # whoever only asks waits for no lock
            row = (plain(session), plain(path), kind, plain(subject), time.time())
            self._run("INSERT OR IGNORE INTO mark VALUES (?, ?, ?, ?, ?)", *row)

    def unmark(self, session: str, path: str, kind: SessionMark) -> None:
        """Whatever its subject."""
        self._run("DELETE FROM mark WHERE session = ? AND path = ? AND kind = ?", plain(session), plain(path), kind)

    def subjects(self, session: str, path: str, kind: SessionMark) -> tuple[str, ...]:
        """Of the marks of a kind that stand there, oldest first."""
        sql = "SELECT subject FROM mark WHERE session = ? AND path = ? AND kind = ? ORDER BY time, subject"
        return tuple(subject for (subject,) in self._rows(sql, plain(session), plain(path), kind))

    def marked(self, session: str, kind: SessionMark, subject: str = "") -> tuple[str, ...]:
        """The paths that have this mark."""
        sql = "SELECT path FROM mark WHERE session = ? AND kind = ? AND subject = ? ORDER BY path"
        return tuple(path for (path,) in self._rows(sql, plain(session), kind, plain(subject)))
