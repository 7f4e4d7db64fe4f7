"""What is remembered: one SQLite file per project, outside the repository. The only place that speaks SQL."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from vetgate.store.rows import DecisionRow, Known, Seen
from vetgate.store.schema import MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["DecisionRow", "Known", "Seen", "Store"]

_BUSY_MS = 1000
_KEPT_DAYS = 30
_ENCODER = msgspec.json.Encoder(order="sorted")


class Store:
    """Thread-safe. A store that cannot be opened is replaced by one in memory: `problem` says why."""

    def __init__(self, connection: sqlite3.Connection, file: Path | None, problem: str = "") -> None:
        self._connection = connection
        self._lock = threading.RLock()
        self.file = file
        self.problem = problem

    @classmethod
    def open(cls, state_dir: Path, project: Path) -> Store:
        """Open the store of `project` (the git common directory, or the root where there is no git)."""
        name = blake2b(os.fsencode(project), digest_size=8).hexdigest()
        folder = state_dir / "projects" / name
        try:
            for each in (state_dir, state_dir / "projects", folder):
                each.mkdir(mode=0o700, parents=True, exist_ok=True)  # parents alone would follow the umask
            (folder / "project").write_text(f"{project}\n", encoding="utf-8", errors="surrogateescape")
            return cls(*_open(folder / "store.db"))
        except (OSError, sqlite3.Error) as error:
            memory = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
            _migrate(memory)
            return cls(memory, None, f"the store {folder} cannot be used ({error}): nothing will be remembered")

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def _one(self, sql: str, values: Iterable[object] = ()) -> tuple[str, ...] | None:
        with self._lock:
            row: tuple[str, ...] | None = self._connection.execute(sql, tuple(values)).fetchone()
            return row

    # The configuration a person accepted, and the last one that could be read.

    def trusted(self) -> tuple[str, str] | None:
        """Digest and text of the configuration that a person accepted last."""
        digest, text = self._fact("trusted_digest"), self._fact("trusted_text")
        return (digest, text) if digest is not None and text is not None else None

    def set_trusted(self, digest: str, text: str) -> None:
        self._set_facts({"trusted_digest": digest, "trusted_text": text, "last_good": text})

    def forget_trusted(self) -> None:
        """As if nobody had ever set this project up; decisions stay."""
        with self._writing() as connection:
            connection.execute("DELETE FROM fact WHERE name IN ('trusted_digest', 'trusted_text', 'last_good')")

    def last_good(self) -> str | None:
        return self._fact("last_good")

    def set_last_good(self, text: str) -> None:
        if self.last_good() != text:
            self._set_facts({"last_good": text})

    def _fact(self, name: str) -> str | None:
        row = self._one("SELECT value FROM fact WHERE name = ?", (name,))
        return row[0] if row else None

    def _set_facts(self, facts: dict[str, str]) -> None:
        with self._writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO fact VALUES (?, ?)", facts.items())

    # Files as a session saw them.

    def seen(self, session: str, path: str) -> Seen | None:
        row = self._one(
            "SELECT config, findings, judged, unverified FROM seen WHERE session=? AND path=?", (session, path)
        )
        return _seen(row) if row else None

    def seen_in(self, session: str) -> dict[str, Seen]:
        with self._lock:
            rows = self._connection.execute(
                "SELECT path, config, findings, judged, unverified FROM seen WHERE session = ? ORDER BY path",
                (session,),
            ).fetchall()
        return {path: _seen(rest) for path, *rest in rows}

    def see(self, session: str, path: str, seen: Seen) -> None:
        findings = _ENCODER.encode(seen.findings).decode()
        row = (session, path, seen.config, findings, seen.judged, seen.unverified, time.time())
        with self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def told(self, session: str, path: str) -> frozenset[str]:
        with self._lock:
            rows = self._connection.execute(
                "SELECT fingerprint FROM told WHERE session = ? AND path = ?", (session, path)
            ).fetchall()
        return frozenset(fingerprint for (fingerprint,) in rows)

    def tell(self, session: str, path: str, fingerprints: Iterable[str]) -> None:
        rows = [(session, path, fingerprint, time.time()) for fingerprint in fingerprints]
        if rows:
            with self._writing() as connection:
                connection.executemany("INSERT OR IGNORE INTO told VALUES (?, ?, ?, ?)", rows)

    def held(self, session: str) -> int:
        row = self._one("SELECT rounds FROM held WHERE session = ?", (session,))
        return int(row[0]) if row else 0

    def hold(self, session: str, rounds: int) -> None:
        with self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO held VALUES (?, ?, ?)", (session, rounds, time.time()))

    # Decisions.

    def record(self, row: DecisionRow) -> None:
        body = _ENCODER.encode(row.body).decode()
        with self._writing() as connection:
            last = connection.execute("SELECT seq, digest FROM decision ORDER BY seq DESC LIMIT 1").fetchone()
            seq, before = last or (0, "")
            digest = _chained(before, seq + 1, row, body)
            values = (seq + 1, row.id, row.time, row.session, row.event, body, digest)
            connection.execute("INSERT INTO decision VALUES (?, ?, ?, ?, ?, ?, ?)", values)
            # Under the same lock, or two writers could leave the older head.
            self._anchor(seq + 1, digest)

    def decision(self, decision_id: str) -> DecisionRow | None:
        """The newest decision of that id."""
        row = self._one(
            "SELECT id, time, session, event, body FROM decision WHERE id = ? ORDER BY seq DESC LIMIT 1", (decision_id,)
        )
        return _decision(row) if row else None

    def decisions(self, limit: int = 100) -> list[DecisionRow]:
        """The newest decisions, newest first."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT id, time, session, event, body FROM decision ORDER BY seq DESC LIMIT ?", (limit,)
            ).fetchall()
        return [_decision(row) for row in rows]

    def unbroken(self) -> bool:
        """Whether every decision still stands as it was written, up to the one that was anchored last."""
        before, last = "", 0
        with self._lock:
            rows = self._connection.execute("SELECT * FROM decision ORDER BY seq").fetchall()
        for seq, identity, when, session, event, body, digest in rows:
            row = DecisionRow(identity, when, session, event, {})
            if seq != last + 1 or digest != _chained(before, seq, row, body):
                return False
            before, last = digest, seq
        return self._anchored() in {f"{last} {before}", None}

    def _anchor(self, seq: int, digest: str) -> None:
        """Keep the chain's head outside of the database, so that a cut tail shows."""
        if self.file is None:
            return
        temporary = self.file.with_name(f"chain.{os.getpid()}.{threading.get_ident()}")
        with contextlib.suppress(OSError):
            temporary.write_text(f"{seq} {digest}", encoding="ascii")
            temporary.replace(self.file.with_name("chain.head"))

    def _anchored(self) -> str | None:
        if self.file is None:
            return None
        try:
            return self.file.with_name("chain.head").read_text(encoding="ascii")
        except OSError:
            return None


def _open(file: Path) -> tuple[sqlite3.Connection, Path, str]:
    try:
        return _connect(file), file, ""
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise  # locked, full or read-only: the file itself may be sound
        aside = file.with_name(f"store.damaged-{int(time.time())}.db")
        file.replace(aside)
        for leftover in ("-wal", "-shm"):
            file.with_name(file.name + leftover).unlink(missing_ok=True)
        return _connect(file), file, f"the store was damaged ({error}) and starts anew; the old one is kept as {aside}"


def _connect(file: Path) -> sqlite3.Connection:
    # Created by us first: SQLite would follow the umask, and others must not read what an agent was refused.
    os.close(os.open(file, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600))
    connection = sqlite3.connect(file, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        _migrate(connection)
        cutoff = time.time() - _KEPT_DAYS * 86400
        for table in ("seen", "told", "held"):
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


def _chained(before: str, seq: int, row: DecisionRow, body: str) -> str:
    content = _ENCODER.encode([before, seq, row.id, row.time, row.session, row.event, body])
    return blake2b(content, digest_size=16).hexdigest()


def _seen(row: Iterable[str]) -> Seen:
    config, findings, judged, unverified = row
    known = msgspec.json.decode(findings, type=tuple[Known, ...])
    return Seen(config, known, judged, unverified)


def _decision(row: tuple[str, ...]) -> DecisionRow:
    identity, when, session, event, body = row
    return DecisionRow(identity, float(when), session, event, msgspec.json.decode(body))
