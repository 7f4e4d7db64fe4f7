"""What is remembered: one SQLite file per project, outside the repository. The only place that speaks SQL."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
import time
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from vetgate.store.rows import Attempt, DecisionRow, Known, Seen
from vetgate.store.schema import MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["Attempt", "DecisionRow", "Known", "Seen", "Store", "folder_of"]

_BUSY_MS = 500
_KEPT_DAYS = 30
# How long a store that failed is left alone before it is tried again.
_REST = 20.0
_OF_SESSIONS = ("seen", "told", "held", "visited", "swept", "guarded", "attempt")
_COPIED = ("fact", "granted", *_OF_SESSIONS)

T = TypeVar("T")


class Store:
    """Thread-safe. No verdict depends on it: when the file fails, a copy in memory serves, and `problem` says why."""

    def __init__(self, connection: sqlite3.Connection, file: Path | None, problem: str = "") -> None:
        self._connection = connection
        self._spare: sqlite3.Connection | None = None
        self._rests_until = 0.0
        self._lock = threading.RLock()
        self.file = file
        self.problem = problem

    @classmethod
    def open(cls, state_dir: Path, project: Path) -> Store:
        """Open the store of `project` (the git common directory, or the root where there is no git)."""
        folder = folder_of(state_dir, project)
        try:
            for each in (state_dir, state_dir / "projects", folder):
                each.mkdir(mode=0o700, parents=True, exist_ok=True)  # parents alone would follow the umask
            if not (folder / "project").exists():
                _write(folder / "project", f"{project}\n")
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

    # The configuration a person accepted, and the last one that could be read.

    def trusted(self) -> tuple[str, str] | None:
        """Digest and text of the configuration that a person accepted last."""
        digest, text = self._fact("trusted_digest"), self._fact("trusted_text")
        return (digest, text) if digest is not None and text is not None else None

    def set_trusted(self, digest: str, text: str) -> None:
        self._set_facts({"trusted_digest": digest, "trusted_text": text, "last_good": text})

    def forget_trusted(self) -> None:
        """As if nobody had ever set this project up; decisions stay."""
        self._run("DELETE FROM fact WHERE name IN ('trusted_digest', 'trusted_text', 'last_good')")

    def last_good(self) -> str | None:
        return self._fact("last_good")

    def set_last_good(self, text: str) -> None:
        if self.last_good() != text:
            self._set_facts({"last_good": text})

    def _fact(self, name: str) -> str | None:
        row = self._one("SELECT value FROM fact WHERE name = ?", name)
        return row[0] if row else None

    def _set_facts(self, facts: dict[str, str]) -> None:
        self._change(lambda connection: _each(connection, "INSERT OR REPLACE INTO fact VALUES (?, ?)", facts.items()))

    # Files as a session saw them.

    def seen(self, session: str, path: str) -> Seen | None:
        sql = "SELECT config, findings, judged, unverified FROM seen WHERE session = ? AND path = ?"
        row = self._one(sql, _plain(session), _plain(path))
        return _seen(row) if row else None

    def seen_in(self, session: str) -> dict[str, Seen]:
        sql = "SELECT path, config, findings, judged, unverified FROM seen WHERE session = ? ORDER BY path"
        return {path: _seen(rest) for path, *rest in self._rows(sql, _plain(session))}

    def see(self, session: str, path: str, seen: Seen) -> None:
        findings = _encoded([list(msgspec.structs.astuple(known)) for known in seen.findings])
        row = (_plain(session), _plain(path), seen.config, findings, seen.judged, _plain(seen.unverified), time.time())
        self._run("INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?, ?, ?)", *row)

    def told(self, session: str, path: str) -> frozenset[str]:
        rows = self._rows("SELECT fingerprint FROM told WHERE session = ? AND path = ?", _plain(session), _plain(path))
        return frozenset(fingerprint for (fingerprint,) in rows)

    def tell(self, session: str, path: str, fingerprints: Iterable[str]) -> None:
        rows = [(_plain(session), _plain(path), fingerprint, time.time()) for fingerprint in fingerprints]
        self._change(lambda connection: _each(connection, "INSERT OR IGNORE INTO told VALUES (?, ?, ?, ?)", rows))

    def hold(self, session: str, reason: str) -> int:
        """How often in a row now for this reason."""
        row = self._one("SELECT rounds FROM held WHERE session = ? AND reason = ?", _plain(session), reason)
        rounds = int(row[0]) + 1 if row else 1
        self._run("INSERT OR REPLACE INTO held VALUES (?, ?, ?, ?)", _plain(session), reason, rounds, time.time())
        return rounds

    def let_go(self, session: str) -> None:
        if self._one("SELECT 1 FROM held WHERE session = ?", _plain(session)):
            self._run("DELETE FROM held WHERE session = ?", _plain(session))

    def visit(self, session: str, root: Path) -> None:
        self._run("INSERT OR REPLACE INTO visited VALUES (?, ?, ?)", _plain(session), _plain(str(root)), time.time())

    def visited(self, session: str) -> tuple[Path, ...]:
        rows = self._rows("SELECT root FROM visited WHERE session = ? ORDER BY root", _plain(session))
        return tuple(Path(root) for (root,) in rows)

    def swept(self, session: str, root: Path) -> int | None:
        """Up to when, in nanoseconds, the session knows what changed below this root."""
        row = self._one("SELECT at FROM swept WHERE session = ? AND root = ?", _plain(session), _plain(str(root)))
        return int(row[0]) if row else None

    def sweep(self, session: str, root: Path, at: int) -> None:
        row = (_plain(session), _plain(str(root)), at, time.time())
        self._run("INSERT OR REPLACE INTO swept VALUES (?, ?, ?, ?)", *row)

    def guarded(self, session: str) -> dict[str, tuple[str, object]]:
        """By path: what kind of protected file it is, and the facts it held when the session began."""
        rows = self._rows("SELECT path, kind, facts FROM guarded WHERE session = ?", _plain(session))
        return {path: (kind, json.loads(facts)) for path, kind, facts in rows}

    def guard(self, session: str, facts: Mapping[str, tuple[str, object]]) -> None:
        now = time.time()
        rows = [(_plain(session), _plain(path), kind, _encoded(held), now) for path, (kind, held) in facts.items()]
        sql = "INSERT OR REPLACE INTO guarded VALUES (?, ?, ?, ?, ?)"
        self._change(lambda connection: _each(connection, sql, rows))

    # What was refused, and what a person allowed once.

    def attempts(self, session: str, since: float) -> list[Attempt]:
        """Oldest first; those before `since` are forgotten."""
        sql = "SELECT place, finding, fingerprint, content, decision, time FROM attempt WHERE session = ? ORDER BY time"
        rows = self._rows(sql, _plain(session))
        found = (Attempt(place, id_, mark, content, said, float(at)) for place, id_, mark, content, said, at in rows)
        return [attempt for attempt in found if attempt.time >= since]

    def attempt(self, session: str, attempts: Iterable[Attempt]) -> None:
        rows = [
            (_plain(session), _plain(a.place), a.finding, a.fingerprint, a.content, a.decision, a.time)
            for a in attempts
        ]
        sql = "INSERT OR REPLACE INTO attempt VALUES (?, ?, ?, ?, ?, ?, ?)"
        self._change(lambda connection: _each(connection, sql, rows))

    def forget_attempts(self, session: str) -> None:
        self._run("DELETE FROM attempt WHERE session = ?", _plain(session))

    def grant(self, code: str, until: float) -> None:
        self._run("INSERT OR REPLACE INTO granted VALUES (?, ?)", code, until)

    def take_grant(self, code: str, now: float) -> bool:
        """Whether a person allowed this; from now on it is used up."""
        taken: list[bool] = []

        def take(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM granted WHERE until < ?", (now,))
            taken.append(connection.execute("DELETE FROM granted WHERE code = ?", (code,)).rowcount > 0)

        self._change(take)
        return taken[-1]

    def _run(self, sql: str, *values: object) -> None:
        self._change(lambda connection: _each(connection, sql, [values]))

    # Decisions.

    def record(self, row: DecisionRow) -> None:
        body = _encoded(row.body)
        session = _plain(row.session)

        def append(connection: sqlite3.Connection) -> None:
            last = connection.execute("SELECT seq, digest FROM decision ORDER BY seq DESC LIMIT 1").fetchone()
            seq, before = last or (0, "")
            values = (seq + 1, row.id, row.time, session, row.event, body)
            digest = _chained(before, values)
            connection.execute("INSERT INTO decision VALUES (?, ?, ?, ?, ?, ?, ?)", (*values, digest))
            if connection is self._connection:
                # Under the same lock, or two writers could leave the older head.
                self._anchor(seq + 1, digest)

        self._change(append)

    def decision(self, decision_id: str) -> DecisionRow | None:
        """The newest decision of that id."""
        sql = "SELECT id, time, session, event, body FROM decision WHERE id = ? ORDER BY seq DESC LIMIT 1"
        row = self._one(sql, decision_id)
        return _decision(row) if row else None

    def decisions(self, limit: int = 100) -> list[DecisionRow]:
        """The newest decisions, newest first."""
        sql = "SELECT id, time, session, event, body FROM decision ORDER BY seq DESC LIMIT ?"
        return [_decision(row) for row in self._rows(sql, limit)]

    def unbroken(self) -> bool:
        """Whether every decision still stands as it was written, up to the one that was anchored last."""
        before, last = "", 0
        for *values, digest in self._rows("SELECT * FROM decision ORDER BY seq"):
            if int(values[0]) != last + 1 or digest != _chained(before, tuple(values)):
                return False
            before, last = digest, int(values[0])
        return self._anchored() == (f"{last} {before}" if last else None)

    def _anchor(self, seq: int, digest: str) -> None:
        """Keep the chain's head outside of the database, so that a cut tail shows."""
        if self.file is None:
            return
        temporary = self.file.with_name(f"chain.{os.getpid()}.{threading.get_ident()}")
        with contextlib.suppress(OSError):
            _write(temporary, f"{seq} {digest}")
            temporary.replace(self.file.with_name("chain.head"))

    def _anchored(self) -> str | None:
        if self.file is None:
            return None
        try:
            return self.file.with_name("chain.head").read_text(encoding="ascii")
        except OSError:
            return None


def folder_of(state_dir: Path, project: Path) -> Path:
    return state_dir / "projects" / blake2b(os.fsencode(project), digest_size=8).hexdigest()


def _in_memory() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
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
    connection = sqlite3.connect(file, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
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


def _chained(before: str, values: tuple[object, ...]) -> str:
    return blake2b(_encoded([before, *values]).encode(), digest_size=16).hexdigest()


def _each(connection: sqlite3.Connection, sql: str, rows: Iterable[tuple[object, ...]]) -> None:
    connection.executemany(sql, rows)


def _encoded(value: object) -> str:
    # ASCII, so that lone surrogates from a payload are text like any other.
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _plain(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _write(path: Path, text: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(text.encode("utf-8", "surrogateescape"))


def _seen(row: Iterable[str]) -> Seen:
    config, findings, judged, unverified = row
    known = tuple(Known(*values) for values in json.loads(findings))
    return Seen(config, known, judged, unverified)


def _decision(row: tuple[str, ...]) -> DecisionRow:
    identity, when, session, event, body = row
    return DecisionRow(identity, float(when), session, event, json.loads(body))
