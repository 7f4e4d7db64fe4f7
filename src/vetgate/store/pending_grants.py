"""What waits for a person's word, each with a code that only they are shown; and what a session found uncommitted."""

from __future__ import annotations

import json
import secrets
import time
from base64 import b32encode
from typing import TYPE_CHECKING

from vetgate.redact import redacted
from vetgate.store.acceptances import Acceptances
from vetgate.store.encoding import encoded, plain
from vetgate.store.records import PendingGrant, StartFiles

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST = 300
_COLUMNS = "session, root, kind, subject, what, nonce, time"


class PendingGrants(Acceptances):
    """Codes come from a key outside of the database: whoever reads the rows cannot tell them."""

    def await_grant(self, session: str, root: str, kind: str, subject: str, what: str) -> None:
        """From now on a person may let this through; the same thing again keeps its code."""
        row = (plain(session), plain(root), kind, subject)
        if self._one("SELECT 1 FROM pending_grant WHERE session = ? AND root = ? AND kind = ? AND subject = ?", *row):
            self._run(
                "UPDATE pending_grant SET time = ? WHERE session = ? AND root = ? AND kind = ? AND subject = ?",
                time.time(),
                *row,
            )
            return
        words = redacted(plain(what))[:_LONGEST]
        nonce = secrets.token_hex(8)
        self._run("INSERT OR IGNORE INTO pending_grant VALUES (?, ?, ?, ?, ?, ?, ?)", *row, words, nonce, time.time())

    def pending_grants(self, since: float = 0.0) -> tuple[PendingGrant, ...]:
        sql = f"SELECT {_COLUMNS} FROM pending_grant WHERE time >= ? ORDER BY time"  # noqa: S608 - our own columns
        return tuple(self._read(self._pending, sql, since))

    def _pending(self, *row: str) -> PendingGrant:
        session, root, kind, subject, what, nonce, at = row
        digest = bytes.fromhex(self.seal.of("grant", session, root, kind, subject, nonce))
        return PendingGrant(session, root, kind, subject, what, b32encode(digest)[:8].decode().lower(), float(at))

    def forget_pending_grant(self, pending: PendingGrant) -> None:
        """Used, or void: what is refused next has another code."""
        row = (pending.session, pending.root, pending.kind, pending.subject)
        sql = "DELETE FROM pending_grant WHERE session = ? AND root = ? AND kind = ? AND subject = ?"
        self._run(sql, *row)

    def forget_pending_grants(self, before: float) -> None:
        self._run("DELETE FROM pending_grant WHERE time < ?", before)

    def start_files(self, session: str, root: Path) -> StartFiles | None:
        """None where nobody looked."""
        sql = "SELECT files FROM uncommitted_at_start WHERE session = ? AND root = ?"
        row = self._one(sql, plain(session), plain(str(root)))
        names, inodes = json.loads(row[0]) if row else ((), ())
        return StartFiles(frozenset(names), frozenset(inodes)) if row else None

    def set_start_files(self, session: str, root: Path, files: StartFiles) -> None:
        found = encoded([sorted(map(plain, files.names)), sorted(files.inodes)])
        row = (plain(session), plain(str(root)), found, time.time())
        self._run("INSERT OR IGNORE INTO uncommitted_at_start VALUES (?, ?, ?, ?)", *row)
