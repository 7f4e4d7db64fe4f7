"""What was worked out about contents, by a digest of all that it depends on. Nothing in here is precious.

Only `vetgate check` over whole files reads it. A hook, a commit, a review and the ship gate look for themselves.
"""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING

from vetgate.store.encoding import make_database, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

FILE = "contents.db"
_MOST = 50_000
_BUSY_MS = 2_000
_AT_ONCE = 500
_TABLE = "CREATE TABLE IF NOT EXISTS content (key BLOB PRIMARY KEY, value BLOB NOT NULL)"

_PRUNE = "DELETE FROM content WHERE rowid IN (SELECT rowid FROM content ORDER BY rowid DESC LIMIT -1 OFFSET ?)"


class ContentStore:
    """Of one project. Several processes may use it; one that cannot has nothing on record."""

    def __init__(self, folder: Path) -> None:
        self._connection: sqlite3.Connection | None = None
        path = folder / FILE
        try:
            self._connection = _connect(path)
        except (OSError, sqlite3.OperationalError):
            return
        except sqlite3.Error:  # damaged: it is thrown away and filled anew
            with contextlib.suppress(OSError, sqlite3.Error):
                path.unlink()
                self._connection = _connect(path)

    def get(self, key: bytes) -> bytes | None:
        if self._connection is None:
            return None
        try:
            row = self._connection.execute("SELECT value FROM content WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error:
            return None
        return row[0] if row and isinstance(row[0], bytes) else None

    def get_all(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What there is for any of the keys: few questions for many."""
        if self._connection is None:
            return {}
        found: dict[bytes, bytes] = {}
        for at in range(0, len(keys), _AT_ONCE):
            some = keys[at : at + _AT_ONCE]
            marks = ",".join("?" * len(some))
            asked = f"SELECT key, value FROM content WHERE key IN ({marks})"  # noqa: S608 - nothing but question marks
            try:
                rows = self._connection.execute(asked, some).fetchall()
            except sqlite3.Error:
                continue
            found.update((key, value) for key, value in rows if isinstance(value, bytes))
        return found

    def put(self, key: bytes, value: bytes) -> None:
        """Unless it holds a secret: the path of a file, say, may have one in it."""
        text = value.decode("utf-8", "replace")
        if self._connection is None or plain(text) != text:
            return
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute("INSERT OR REPLACE INTO content VALUES (?, ?)", (key, value))

    def put_marks(self, keys: Iterable[bytes]) -> None:
        """Keys with nothing behind them, all at once."""
        if self._connection is None:
            return
        with contextlib.suppress(sqlite3.Error), self._connection:
            self._connection.execute("BEGIN")
            self._connection.executemany("INSERT OR REPLACE INTO content VALUES (?, x'')", ((key,) for key in keys))

    def prune(self) -> None:
        """The oldest go where there are too many."""
        if self._connection is None:
            return
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute(_PRUNE, (_MOST,))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _connect(path: Path) -> sqlite3.Connection:
    make_database(path)
    connection = sqlite3.connect(path, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=OFF")  # after a crash of the machine it is filled anew
        connection.execute(_TABLE)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
