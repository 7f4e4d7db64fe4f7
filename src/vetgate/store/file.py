"""The SQLite file of a project: opened, migrated, written in transactions; when it fails, a copy in memory serves."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
import time
from os.path import lexists
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

from vetgate.ownership import fault, make
from vetgate.store import chain
from vetgate.store.chain import NAME as KEY_NAME
from vetgate.store.chain import Seal
from vetgate.store.encoding import make_database, read_file, write
from vetgate.store.row_sums import SUMMED, RowSums
from vetgate.store.schema import MIGRATIONS, SEALED_SINCE, SUMMED_SINCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from vetgate.store.chain import Head

_BUSY_MS = 500
# Another process may be taking over an older store, and that is worth waiting for.
_MIGRATING_MS = 10_000
_KEPT_DAYS = 30
# How long a store that failed is left alone before it is tried again.
_REST = 20.0
_OF_SESSIONS = (*SUMMED, "evidence", "first_tree")
_COPIED = ("fact", "remote_tip", *_OF_SESSIONS)
# A job stays in one place, or it would be told from both.
_AGING = (*_OF_SESSIONS, "job", "kept_answer", "row_sum")
_NOBODYS = Seal.passing()

# What reading a value can raise that somebody else wrote there.
UNREADABLE = (ValueError, TypeError, ArithmeticError, AttributeError, RecursionError)

T = TypeVar("T")


class Connection(sqlite3.Connection):
    """Nobody closes a project while another thread may still answer from it, so it closes itself when all are done."""

    def __del__(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self.close()


class Ground(NamedTuple):
    """Where a project's store lies, and what shows that its rows are ours."""

    file: Path
    anchor: Path
    seal: Seal
    project: Path
    state_dir: Path

    @property
    def key(self) -> Path:
        return self.state_dir / KEY_NAME


class StoreFile:
    """`failure` says why it cannot be used, when it cannot; `lost` what became of the one that was there before."""

    def __init__(self, ground: Ground | None, failure: str = "") -> None:
        self._ground = ground
        self._spare: sqlite3.Connection | None = None
        self._rests_until = 0.0
        self._lock = threading.RLock()
        self.failure = failure
        self.lost = ""
        self._next: Head | None = None
        self._sums: RowSums | None = None
        self._connection = self._opened(ground) if ground else _in_memory()

    @classmethod
    def open(cls, state_dir: Path, project: Path) -> Self:
        """Open the store of `project` (the git common directory, or the root where there is no git)."""
        folder = folder_of(state_dir, project)
        if why := fault(str(folder)):
            return cls(None, f"the store {folder} is not used, because {why}: nothing will be remembered")
        try:
            for each in (folder, state_dir / chain.FOLDER):
                make(str(each))
            if not (folder / "project").exists():
                write(folder / "project", f"{project}\n")
            place = chain.file_of(state_dir, project)
            return cls(Ground(folder / "store.db", place, Seal.of_project(state_dir, project), project, state_dir))
        except (OSError, sqlite3.Error) as error:
            return cls(None, f"the store {folder} cannot be used ({error}): nothing will be remembered")

    @property
    def file(self) -> Path | None:
        return self._ground.file if self._ground else None

    @property
    def where(self) -> str:
        return str(self.file)

    @property
    def folder(self) -> Path | None:
        return self._ground.file.parent if self._ground else None

    @property
    def seal(self) -> Seal:
        return self._ground.seal if self._ground else _NOBODYS

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _opened(self, ground: Ground) -> sqlite3.Connection:
        # The anchor first: when it names rows, the database was there before we looked.
        head = chain.read_head(ground.anchor, ground.seal)
        if not lexists(ground.file) and (head.seq if head is not None else _was_set_up_here(ground)):
            self.lost = self.lost or _what_became_of(ground.file)
        try:
            connection, self._sums = _connect(ground)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise  # locked, full or read-only: the file itself may be sound
            self.lost = f"the store was damaged ({error}); it is kept as {_set_aside(ground.file)}"
            connection, self._sums = _connect(ground)
        if head is None and connection.execute("SELECT 1 FROM decision LIMIT 1").fetchone() is None:
            chain.put_first_head(ground.anchor, ground.seal)
        self._identity, self._size = _identity(ground.file)
        return connection

    def _follow(self) -> None:
        """Whoever deletes, replaces or cuts the file must not leave us with one that nobody else can see."""
        if self._ground is None:
            return
        identity, size = _identity(self._ground.file)
        is_same = identity[:2] == self._identity[:2]
        was_cut = is_same and size < self._size  # which no transaction of ours does
        if identity == self._identity and not was_cut:
            self._size = size
            return
        try:
            if was_cut:
                self.lost = f"the store was damaged (it was cut); it is kept as {_set_aside(self._ground.file)}"
            elif is_same:  # its journal is gone: with the last connection goes what that held into the file
                self._connection.close()
            make(str(self._ground.file.parent))
            make(str(self._ground.anchor.parent))
            self._connection = self._opened(self._ground)
            self._spare, self.failure = None, ""
        except (OSError, sqlite3.Error) as error:
            self.failure = f"the store {self._ground.file} is gone ({error}): nothing will be remembered"

    def _follow_key(self) -> None:
        """With another key than ours, what we write and what others write would not be one record."""
        if self._ground is None:
            return
        with contextlib.suppress(OSError):
            found = Seal.of_project(self._ground.state_dir, self._ground.project)
            if found != self._ground.seal:
                self._ground = self._ground._replace(seal=found)
                self._connection = self._opened(self._ground)

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
        self._next = None  # a row that was not written is not anchored
        self.failure = f"the store {self.file} failed ({error}): what happens now may not be remembered"
        if self.file is not None and _is_damage(error) and not _is_newer(self._connection):
            with contextlib.suppress(OSError):
                self.lost = f"the store was damaged ({error}); it is kept as {_set_aside(self.file)}"
                self.failure += "; it is damaged"
        self._rests_until = time.monotonic() + _REST
        spare = self._spare = _in_memory()
        for table in _COPIED:
            with contextlib.suppress(sqlite3.Error):  # what cannot be read any more is lost to this copy
                rows = self._connection.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - names of our own
                if rows:
                    values = ", ".join("?" * len(rows[0]))
                    spare.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({values})", rows)  # noqa: S608
        return spare

    def _change(self, act: Callable[[sqlite3.Connection], object]) -> None:
        """One transaction, whole or not at all."""
        self._do(lambda connection: self._transaction(connection, act))

    def _transaction(self, connection: sqlite3.Connection, act: Callable[[sqlite3.Connection], object]) -> None:
        _transaction(connection, self._sums if connection is self._connection else None, act)

    def _rows(self, sql: str, *values: object) -> list[tuple[str, ...]]:
        """Without those that hold bytes: where text belongs we write text."""
        rows = self._do(lambda connection: connection.execute(sql, values).fetchall())
        return [row for row in rows if not any(isinstance(value, bytes) for value in row)]

    def _read(self, decode: Callable[..., T], sql: str, *values: object) -> list[T]:
        """Rows as values; one that cannot be read is not ours, tells nothing, and must not end an answer."""
        found = []
        for row in self._rows(sql, *values):
            with contextlib.suppress(*UNREADABLE):
                found.append(decode(*row))
        return found

    def _first(self, decode: Callable[..., T], sql: str, *values: object) -> T | None:
        return next(iter(self._read(decode, sql, *values)), None)

    def _one(self, sql: str, *values: object) -> tuple[str, ...] | None:
        return next(iter(self._rows(sql, *values)), None)

    def _run(self, sql: str, *values: object) -> None:
        self._change(lambda connection: put_all(connection, sql, [values]))


def folder_of(state_dir: Path, project: Path) -> Path:
    return state_dir / "projects" / chain.name_of(project)


def _in_memory() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None, factory=Connection)
    _migrate(connection)
    return connection


def _was_set_up_here(ground: Ground) -> bool:
    """Without store and anchor: what `init` wrote is on record apart from both."""
    root = ground.project.parent if ground.project.name == ".git" else ground.project
    wanted = json.dumps(os.fspath(root)).encode()
    for receipt in (ground.state_dir / "init").glob("*/receipt.json"):
        with contextlib.suppress(OSError):
            if wanted in read_file(receipt).partition(b'"projects"')[2]:
                return True
    return False


def _what_became_of(file: Path) -> str:
    """One that is not there: another process may have set it aside a moment ago."""
    kept = sorted(file.parent.glob("store.damaged-*.db"))
    return f"the store was damaged; it is kept as {kept[-1]}" if kept else "the store was deleted"


def _is_damage(error: sqlite3.Error) -> bool:
    """No database, or one without tables of ours: what we ask is always the same, so it cannot be wrong otherwise."""
    return type(error) is sqlite3.DatabaseError or getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR


def _is_newer(connection: sqlite3.Connection) -> bool:
    """A newer vetgate may have taken it over while we ran: then our tables are gone, and nothing is damaged."""
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        return False
    return bool(version > len(MIGRATIONS))


def _set_aside(file: Path) -> Path:
    aside = file.with_name(f"store.damaged-{int(time.time())}.db")
    file.replace(aside)
    for leftover in (f"{file.name}-wal", f"{file.name}-shm"):
        file.with_name(leftover).unlink(missing_ok=True)
    return aside


def _transaction(
    connection: sqlite3.Connection, sums: RowSums | None, act: Callable[[sqlite3.Connection], object]
) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if sums is not None:
            sums.forget()
        act(connection)
        if sums is not None:
            sums.settle(connection)
    except BaseException:
        with contextlib.suppress(sqlite3.Error):  # a full disk has ended it already; that is what went wrong
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _connect(ground: Ground) -> tuple[sqlite3.Connection, RowSums]:
    make_database(ground.file)
    connection = sqlite3.connect(
        ground.file, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False, factory=Connection
    )
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        _migrate(connection, ground.seal)
        sums = RowSums(ground.seal)
        sums.watch(connection)
        _transaction(connection, sums, _forget_old)
    except BaseException:
        connection.close()
        raise
    return connection, sums


def _forget_old(connection: sqlite3.Connection) -> None:
    cutoff = time.time() - _KEPT_DAYS * 86400
    for table in _AGING:
        connection.execute(f"DELETE FROM {table} WHERE time < ?", (cutoff,))  # noqa: S608 - names of our own


def _migrate(connection: sqlite3.Connection, seal: Seal | None = None) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == len(MIGRATIONS):
        return
    # Another process may be at the same: whoever gets the lock second finds the work done.
    connection.execute(f"PRAGMA busy_timeout = {_MIGRATING_MS}")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise sqlite3.OperationalError("it was written by a newer vetgate")
    if 0 < version < SEALED_SINCE:
        raise sqlite3.DatabaseError("its log is not sealed")
    for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
        for statement in statements:
            connection.execute(statement)
        if number == SUMMED_SINCE and seal is not None and version:
            RowSums(seal).begin_all(connection)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    connection.execute("COMMIT")


def _identity(file: Path) -> tuple[tuple[int, int, int], int]:
    """Of the file and of its journal, without which what was written last is not in it; and how long it is."""
    try:
        found = os.stat(file)  # noqa: PTH116 - asked at every event
    except OSError:
        return (0, 0, 0), 0
    try:
        journal = os.stat(f"{file}-wal").st_ino  # noqa: PTH116
    except OSError:
        journal = 0
    return (found.st_dev, found.st_ino, journal), found.st_size


def put_all(connection: sqlite3.Connection, sql: str, rows: Iterable[tuple[object, ...]]) -> None:
    connection.executemany(sql, rows)
