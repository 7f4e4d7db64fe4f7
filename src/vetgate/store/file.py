"""The SQLite file of a project: opened, migrated, written in transactions; when it fails, a copy in memory serves."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Self, TypeVar

from vetgate.ownership import fault, make
from vetgate.redact import redacted
from vetgate.store.connection import Connection
from vetgate.store.schema import MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

_BUSY_MS = 500
_KEPT_DAYS = 30
# How long a store that failed is left alone before it is tried again.
_REST = 20.0
_OF_SESSIONS = (
    "seen",
    "told",
    "held",
    "visited",
    "began",
    "swept",
    "guarded",
    "attempt",
    "asked",
    "task",
    "evidence",
    "first_tree",
)
_COPIED = ("fact", "granted", "waiver", *_OF_SESSIONS)

T = TypeVar("T")


class StoreFile:
    """`problem` says why it cannot be used, when it cannot."""

    def __init__(self, connection: sqlite3.Connection, file: Path | None, problem: str = "") -> None:
        self._connection = connection
        self._spare: sqlite3.Connection | None = None
        self._rests_until = 0.0
        self._lock = threading.RLock()
        self.file = file
        self.problem = problem

    @classmethod
    def open(cls, state_dir: Path, project: Path) -> Self:
        """Open the store of `project` (the git common directory, or the root where there is no git)."""
        folder = folder_of(state_dir, project)
        if why := fault(str(folder)):
            return cls(_in_memory(), None, f"the store {folder} is not used, because {why}: nothing will be remembered")
        try:
            make(str(folder))
            if not (folder / "project").exists():
                write(folder / "project", f"{project}\n")
            return cls(*_open(folder / "store.db"))
        except (OSError, sqlite3.Error) as error:
            return cls(_in_memory(), None, f"the store {folder} cannot be used ({error}): nothing will be remembered")

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _do(self, act: Callable[[sqlite3.Connection], T]) -> T:
        """On the file, or, when that fails, on the copy."""
        with self._lock:
            if self._spare is not None and time.monotonic() < self._rests_until:
                return act(self._spare)
            try:
                result = act(self._connection)
            except sqlite3.Error as error:
                return act(self._stand_in(error))
            self._spare = None
            return result

    def _stand_in(self, error: sqlite3.Error) -> sqlite3.Connection:
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute("ROLLBACK")
        self.problem = f"the store {self.file} failed ({error}): what happens now may not be remembered"
        if self.file is not None and type(error) is sqlite3.DatabaseError:
            with contextlib.suppress(OSError):
                self.problem += f"; it is damaged and kept as {_set_aside(self.file)}"
        self._rests_until = time.monotonic() + _REST
        spare = self._spare = _in_memory()
        for table in _COPIED:
            with contextlib.suppress(sqlite3.Error):  # what cannot be read any more is lost to this copy
                rows = self._connection.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - names of our own
                if rows:
                    marks = ", ".join("?" * len(rows[0]))
                    spare.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", rows)  # noqa: S608
        return spare

    def _change(self, act: Callable[[sqlite3.Connection], None]) -> None:
        """One transaction, whole or not at all."""

        def transaction(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            try:
                act(connection)
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

        self._do(transaction)

    def _rows(self, sql: str, *values: object) -> list[tuple[str, ...]]:
        return self._do(lambda connection: connection.execute(sql, values).fetchall())

    def _one(self, sql: str, *values: object) -> tuple[str, ...] | None:
        return next(iter(self._rows(sql, *values)), None)

    def _run(self, sql: str, *values: object) -> None:
        self._change(lambda connection: put_all(connection, sql, [values]))


def folder_of(state_dir: Path, project: Path) -> Path:
    return state_dir / "projects" / blake2b(os.fsencode(project), digest_size=8).hexdigest()


def _in_memory() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None, factory=Connection)
    _migrate(connection)
    return connection


def _open(file: Path) -> tuple[sqlite3.Connection, Path, str]:
    try:
        return _connect(file), file, ""
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise  # locked, full or read-only: the file itself may be sound
        aside = _set_aside(file)
        return _connect(file), file, f"the store was damaged ({error}) and starts anew; the old one is kept as {aside}"


def _set_aside(file: Path) -> Path:
    aside = file.with_name(f"store.damaged-{int(time.time())}.db")
    file.replace(aside)
    for leftover in (f"{file.name}-wal", f"{file.name}-shm", "chain.head"):
        file.with_name(leftover).unlink(missing_ok=True)
    return aside


def _connect(file: Path) -> sqlite3.Connection:
    # Created by us first: SQLite would follow the umask, and others must not read what an agent was refused.
    os.close(os.open(file, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600))
    connection = sqlite3.connect(
        file, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False, factory=Connection
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        _migrate(connection)
        cutoff = time.time() - _KEPT_DAYS * 86400
        for table in _OF_SESSIONS:
            connection.execute(f"DELETE FROM {table} WHERE time < ?", (cutoff,))  # noqa: S608 - names of our own
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == len(MIGRATIONS):
        return
    # Another process may be at the same: whoever gets the lock second finds the work done.
    connection.execute("BEGIN IMMEDIATE")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise sqlite3.OperationalError("it was written by a newer vetgate")
    for statements in MIGRATIONS[version:]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    connection.execute("COMMIT")


def put_all(connection: sqlite3.Connection, sql: str, rows: Iterable[tuple[object, ...]]) -> None:
    connection.executemany(sql, rows)


def encoded(value: object) -> str:
    # ASCII, so that lone surrogates from a payload are text like any other.
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def plain(text: str) -> str:
    """As it is kept, and found again: a name may hold a secret like any other text."""
    return redacted(text.encode("utf-8", "backslashreplace").decode())


def write(path: Path, text: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(text.encode("utf-8", "surrogateescape"))
