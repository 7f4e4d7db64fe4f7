"""Marks on a session: what it did to a file, what it was told, what it owes. Asking leaves none."""

from __future__ import annotations

import enum
import time

from vetgate.store.encoding import plain
from vetgate.store.file import StoreFile


class SessionMark(enum.StrEnum):
    """Marks stand on a file, a folder or a project; one with a subject is about that alone."""

    ASKED = "asked"  # put to a person: the decision, and the content as they see it
    CLAIM = "claim"  # that tests pass was answered: the tree
    EDITED = "edited"  # the session answers for it when its turn ends
    FORCED = "forced"  # git took it in against the ignore rules
    GATES_RAN = "gates_ran"  # commands ran after a tool: the event, the tree and the files
    GATES_TOLD = "gates_told"  # what failed
    HALF_WRITTEN = "half_written"
    OUTSIDE = "outside"  # a folder in no project in which a command ran
    OWED = "owed"  # let pass, to be fixed before the turn ends: whose turn, where it is a subagent's
    RECORD_HELD = "record_held"  # a turn was held for what became of the record
    RECORD_KNOWN = "record_known"  # the same when the session began
    RECORD_TOLD = "record_told"
    SAID = "said"  # a finding: its fingerprint and value
    SWEPT = "swept"  # what a command left: the content
    TAMPERED = "tampered"  # the findings
    THEIRS = "theirs"  # a person had changed it before the session began
    UNCHECKED = "unchecked"  # the turn was held for it once: the reason


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

    def marked(self, session: str, kind: SessionMark, subject: str = "") -> tuple[str, ...]:
        """The paths that have this mark."""
        sql = "SELECT path FROM mark WHERE session = ? AND kind = ? AND subject = ? ORDER BY path"
        return tuple(path for (path,) in self._rows(sql, plain(session), kind, plain(subject)))
