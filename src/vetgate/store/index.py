"""The index of a project on disk: facts of texts by their content, and which file of which work tree holds which.

Nothing here is precious: what is damaged is thrown away and built anew. A second connection only reads, so that
nobody who asks waits for one who writes.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections import Counter
from typing import TYPE_CHECKING

from vetgate.store.encoding import make_database
from vetgate.store.file import Connection
from vetgate.store.records import Stamp, Twin, UnusableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence, Sized
    from pathlib import Path

    from vetgate.store.protocol import IndexStore
    from vetgate.store.records import Text

FILE = "index.db"
# Of the tables, and of what the readers note: a file that has not changed is not read again, so a new one starts anew.
VERSION = 25
_BUSY_MS = 2_000
_SHARED = 2  # values of a sketch that two functions have to share
_CANDIDATES = 60
# A value that more functions of about that length have is passed over, while so many others are left; otherwise those
# that are nearest in length stand for all that have it.
_COMMON = 150
_TELLING = 10
_NEAREST = 100
_AT_ONCE = 500
# Of the pages of an index of 30,000 functions about half; and how many may wait to be written back.
_CACHE_KB = 12_000
_LOG_PAGES = 4_000
# What SQLite says of a damaged file may be no text itself. And how errors begin that it does not take for damage.
_ERRORS = (sqlite3.Error, UnicodeDecodeError)
_DAMAGED = ("no such table", "no such column", "Could not decode")

_TABLES = (
    "CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE text (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, facts BLOB NOT NULL)",
    """
    CREATE TABLE file (
        root TEXT NOT NULL,
        path TEXT NOT NULL,
        text INTEGER,
        mtime INTEGER NOT NULL,
        size INTEGER NOT NULL,
        inode INTEGER NOT NULL,
        PRIMARY KEY (root, path)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX file_text ON file (text)",
    """
    CREATE TABLE function (
        id INTEGER PRIMARY KEY,
        text INTEGER NOT NULL,
        name TEXT NOT NULL,
        line INTEGER NOT NULL,
        tokens INTEGER NOT NULL,
        blind BLOB NOT NULL,
        kept BLOB NOT NULL
    )
    """,
    "CREATE INDEX function_text ON function (text)",
    """
    CREATE TABLE sketch (
        value INTEGER NOT NULL,
        tokens INTEGER NOT NULL,
        function INTEGER NOT NULL,
        PRIMARY KEY (value, tokens, function)
    ) WITHOUT ROWID
    """,
    "CREATE TABLE word (word TEXT NOT NULL, text INTEGER NOT NULL, PRIMARY KEY (word, text)) WITHOUT ROWID",
)


class SqliteIndexStore:
    """Thread-safe. `problem` says why what was there had to go. Raises OSError or UnusableError where it cannot be."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.problem = ""
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._reader, self._writer = self._opened()
        self._inode = _inode(self.path)

    def _opened(self) -> tuple[sqlite3.Connection, sqlite3.Connection]:
        try:
            return _connect(self.path), _connect(self.path)
        except _ERRORS as error:
            if isinstance(error, sqlite3.OperationalError) and not str(error).startswith(_DAMAGED):
                raise UnusableError(f"the index {self.path} cannot be used ({error})") from error
            self.problem = f"the index could not be read ({error}) and is built anew"
            remove_index(self.path)
            return _connect(self.path), _connect(self.path)

    @property
    def is_replaced(self) -> bool:
        """Whether somebody else has thrown the file away that this one still reads."""
        return _inode(self.path) != self._inode

    def close(self) -> None:
        with self._lock, self._writing:
            self._reader.close()
            self._writer.close()

    def _rows(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """Nothing, where the file gives no answer: no verdict waits for it, and `problem` says why."""
        try:
            with self._lock:
                return self._reader.execute(sql, values).fetchall()
        except _ERRORS as error:
            self._broke(error)
            return []

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """One transaction, whole or not at all; raises UnusableError where there can be none."""
        try:
            with self._writing:
                self._writer.execute("BEGIN IMMEDIATE")
                try:
                    yield self._writer
                except BaseException:
                    self._writer.execute("ROLLBACK")
                    raise
                self._writer.execute("COMMIT")
        except _ERRORS as error:
            self._broke(error)
            raise UnusableError(self.problem) from error

    def _broke(self, error: Exception) -> None:
        self.problem = f"the index gave no answer ({error})"
        is_damaged = str(error).startswith(_DAMAGED)
        if isinstance(error, sqlite3.OperationalError | sqlite3.ProgrammingError) and not is_damaged:
            return  # locked, full or closed: the file itself may be sound
        self.discard(error)

    def discard(self, error: Exception) -> None:
        """What is in there cannot be relied on."""
        with self._lock, self._writing, contextlib.suppress(sqlite3.Error, OSError):
            self._reader.close()
            self._writer.close()
            remove_index(self.path)
            self._reader, self._writer = _connect(self.path), _connect(self.path)
            self._inode = _inode(self.path)
            self.problem = f"the index could not be read ({error}) and is built anew"

    # What is written.

    def put(self, texts: Iterable[Text]) -> None:
        with self._transaction() as connection:
            sketches: list[tuple[int, int, int]] = []
            for each in texts:
                added = connection.execute(
                    "INSERT OR IGNORE INTO text (digest, facts) VALUES (?, ?)", (each.digest, each.facts)
                )
                if not added.rowcount:
                    continue  # somebody else has just read the same text
                key = added.lastrowid
                connection.executemany("INSERT OR IGNORE INTO word VALUES (?, ?)", [(word, key) for word in each.words])
                for shape in each.shapes:
                    row = (key, shape.name, shape.line, len(shape.blind), shape.blind, shape.kept)
                    sql = "INSERT INTO function (text, name, line, tokens, blind, kept) VALUES (?, ?, ?, ?, ?, ?)"
                    number = connection.execute(sql, row).lastrowid or 0
                    sketches += [(value, len(shape.blind), number) for value in shape.sketch]
            # In order, or every row would touch another page.
            connection.executemany("INSERT OR IGNORE INTO sketch VALUES (?, ?, ?)", sorted(sketches))

    def set_files(self, root: str, files: Iterable[tuple[str, bytes | None, Stamp]]) -> None:
        """Each path with the digest of its text; None for a file that is only known to be there."""
        sql = "INSERT OR REPLACE INTO file VALUES (?, ?, (SELECT id FROM text WHERE digest = ?), ?, ?, ?)"
        with self._transaction() as connection:
            connection.executemany(sql, [(root, path, digest, *stamp) for path, digest, stamp in files])

    def drop_files(self, root: str, paths: Iterable[str]) -> None:
        with self._transaction() as connection:
            connection.executemany("DELETE FROM file WHERE root = ? AND path = ?", [(root, path) for path in paths])

    def forget_unused(self, roots: Iterable[str]) -> None:
        """What no file of these work trees holds any more."""
        kept = list(roots)
        placeholders = _placeholders(kept)
        unused = "SELECT id FROM text WHERE id NOT IN (SELECT text FROM file WHERE text IS NOT NULL)"
        with self._transaction() as connection:
            connection.execute(f"DELETE FROM file WHERE root NOT IN ({placeholders})", kept)  # noqa: S608 - placeholders alone
            gone = f"SELECT id FROM function WHERE text IN ({unused})"  # noqa: S608 - our own words
            connection.execute(f"DELETE FROM sketch WHERE function IN ({gone})")  # noqa: S608
            connection.execute(f"DELETE FROM function WHERE text IN ({unused})")  # noqa: S608
            connection.execute(f"DELETE FROM word WHERE text IN ({unused})")  # noqa: S608
            connection.execute(f"DELETE FROM text WHERE id IN ({unused})")  # noqa: S608

    def set_state(self, name: str, value: str) -> None:
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))

    # What is asked.

    def state(self, name: str) -> str:
        rows = self._rows("SELECT value FROM state WHERE name = ?", name)
        return str(rows[0][0]) if rows else ""

    def known(self, digests: Sequence[bytes]) -> set[bytes]:
        found: set[bytes] = set()
        for at in range(0, len(digests), _AT_ONCE):
            part = digests[at : at + _AT_ONCE]
            placeholders = _placeholders(part)
            rows = self._rows(f"SELECT digest FROM text WHERE digest IN ({placeholders})", *part)  # noqa: S608 - placeholders alone
            found.update(bytes(row[0]) for row in rows if isinstance(row[0], bytes))
        return found

    def stamps(self, root: str) -> dict[str, Stamp]:
        rows = self._rows("SELECT path, mtime, size, inode FROM file WHERE root = ?", root)
        return {str(path): Stamp(*map(_whole, stamp)) for path, *stamp in rows}

    def stamp(self, root: str, path: str) -> Stamp | None:
        rows = self._rows("SELECT mtime, size, inode FROM file WHERE root = ? AND path = ?", root, path)
        return Stamp(*map(_whole, rows[0])) if rows else None

    def manifests(self, root: str) -> list[str]:
        """Files that say how others are imported; nothing is kept of what is in them."""
        rows = self._rows("SELECT path FROM file WHERE root = ? AND text IS NULL", root)
        return [str(path) for (path,) in rows]

    def facts(self, root: str, path: str) -> bytes | None:
        sql = "SELECT facts FROM file JOIN text ON text.id = file.text WHERE root = ? AND path = ?"
        rows = self._rows(sql, root, path)
        return bytes(rows[0][0]) if rows and isinstance(rows[0][0], bytes) else None

    def below(self, root: str, folder: str, suffix: str) -> list[tuple[str, bytes]]:
        """The files right in a folder, with their facts."""
        prefix = f"{folder}/" if folder else ""
        sql = (
            "SELECT path, facts FROM file JOIN text ON text.id = file.text WHERE root = ? AND path >= ? AND path < ? "
            "AND path LIKE ? AND path NOT LIKE ?"
        )
        values = (root, prefix, f"{prefix}\U0010ffff", f"{prefix}%{suffix}", f"{prefix}%/%")
        return [(str(path), bytes(facts)) for path, facts in self._rows(sql, *values) if isinstance(facts, bytes)]

    def holding(
        self, root: str, words: Sequence[Sequence[str]], folder: str = "", most: int = -1
    ) -> list[tuple[str, bytes, Stamp]]:
        """The files below a folder whose texts hold one of each of these lists of words, with their facts.

        The last list is gone through, and each text that it gives asked for the others: names are rarer than modules.
        """
        *others, rare = words
        also = " ".join(
            f"AND EXISTS (SELECT 1 FROM word WHERE word.text = one.text AND word IN ({_placeholders(each)}))"  # noqa: S608
            for each in others
        )
        below = "AND path >= ? AND path < ? " if folder else ""
        sql = (
            "SELECT path, facts, mtime, size, inode "  # noqa: S608 - placeholders alone
            f"FROM (SELECT DISTINCT text FROM word AS one WHERE word IN ({_placeholders(rare)}) {also}) AS found "
            "CROSS JOIN file ON file.text = found.text CROSS JOIN text ON text.id = found.text "
            f"WHERE root = ? {below}ORDER BY path LIMIT ?"
        )
        edges = (f"{folder}/", f"{folder}0") if folder else ()  # `0` comes after `/`
        rows = self._rows(sql, *rare, *(word for each in others for word in each), root, *edges, most)
        return [(str(path), _raw(facts), Stamp(*map(_whole, stamp))) for path, facts, *stamp in rows]

    def alike(self, root: str, sketch: Sequence[int], tokens: int, band: tuple[int, int]) -> list[Twin]:
        """Functions of this work tree that may be like one with this sketch and length, the likeliest first."""
        shared = self._sharing(sketch, tokens, band)
        placeholders = _placeholders(shared)
        # A cross join keeps to the order: first these few functions, then whose they are.
        sql = (
            "SELECT function.id, path, name, line, blind, kept FROM function "  # noqa: S608 - placeholders alone
            f"CROSS JOIN file ON file.text = function.text WHERE function.id IN ({placeholders}) AND root = ?"
        )
        rows = self._rows(sql, *shared, root) if shared else []
        rows.sort(key=lambda row: -shared[row[0]])
        return [Twin(str(p), str(n), _whole(at), _raw(blind), _raw(kept)) for _, p, n, at, blind, kept in rows]

    def _sharing(self, sketch: Sequence[int], tokens: int, band: tuple[int, int]) -> dict[object, int]:
        """The functions that share most values of a sketch, with how many; what everybody has says little."""
        sharing: list[tuple[object, ...]] = []
        common = []
        sql = "SELECT function FROM sketch WHERE value = ? AND tokens BETWEEN ? AND ? "
        for value in sketch:
            rows = self._rows(sql + "LIMIT ?", value, *band, _COMMON + 1)
            if len(rows) <= _COMMON:
                sharing += rows
            else:
                common.append(value)
        for value in common if len(sketch) - len(common) < _TELLING else ():
            longer = self._rows(sql + "ORDER BY tokens LIMIT ?", value, tokens, band[1], _NEAREST)
            shorter = self._rows(sql + "ORDER BY tokens DESC LIMIT ?", value, band[0], tokens - 1, _NEAREST)
            sharing += (*longer, *shorter)
        found = [(number, count) for (number,), count in Counter(sharing).items() if count >= _SHARED]
        return dict(sorted(found, key=lambda each: -each[1])[:_CANDIDATES])

    def counts(self, root: str) -> tuple[int, int]:
        """How many files and functions of this work tree are known."""
        files = self._rows("SELECT COUNT(*) FROM file WHERE root = ? AND text IS NOT NULL", root)
        sql = "SELECT COUNT(*) FROM file JOIN function ON function.text = file.text WHERE root = ?"
        functions = self._rows(sql, root)
        return _whole(files[0][0]) if files else 0, _whole(functions[0][0]) if functions else 0

    def roots(self) -> list[str]:
        return [str(root) for (root,) in self._rows("SELECT DISTINCT root FROM file")]


def open_index_store(folder: Path) -> IndexStore:
    """Raises OSError or UnusableError where there can be none."""
    return SqliteIndexStore(folder)


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def remove_index(path: Path) -> None:
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)


def _connect(path: Path) -> sqlite3.Connection:
    make_database(path)
    connection = sqlite3.connect(
        path, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False, factory=Connection
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
        _create(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _create(connection: sqlite3.Connection) -> None:
    if _version(connection) == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    if _version(connection) not in {0, VERSION}:
        connection.execute("ROLLBACK")
        raise sqlite3.DatabaseError("it was written by another version of vetgate")
    if _version(connection) == 0:
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _raw(value: object) -> bytes:
    return value if isinstance(value, bytes) else b""


def _placeholders(values: Sized) -> str:
    return ", ".join("?" * len(values))
