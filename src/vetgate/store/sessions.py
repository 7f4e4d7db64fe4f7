"""What is remembered of a session: its files and marks, where it has been, what was refused or waits, how it began."""

from __future__ import annotations

import json
import secrets
import time
from base64 import b32encode
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.model import Known
from vetgate.redact import redacted
from vetgate.store.encoding import encoded, plain
from vetgate.store.file import StoreFile, put_all
from vetgate.store.records import Attempt, PendingGrant, Seen, SessionMark, StartFiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_AT_ONCE = 500
_LONGEST = 300
_COLUMNS = "session, root, kind, subject, what, nonce, time"


class Sessions(StoreFile):
    # Files as a session saw them.

    def seen(self, session: str, path: str) -> Seen | None:
        sql = "SELECT config, findings, judged, unverified FROM seen WHERE session = ? AND path = ?"
        return self._first(_seen, sql, plain(session), plain(path))

    def seen_in(self, session: str) -> dict[str, Seen]:
        sql = "SELECT path, config, findings, judged, unverified FROM seen WHERE session = ? ORDER BY path"
        return dict(self._read(_seen_at, sql, plain(session)))

    def found_in(self, session: str) -> dict[str, Seen]:
        """Those of its files in which something was found; most have nothing, however many there are."""
        sql = "SELECT path, config, findings, judged, unverified FROM seen WHERE session = ? AND findings != '[]'"
        return dict(self._read(_seen_at, sql, plain(session)))

    def see(self, session: str, path: str, seen: Seen) -> None:
        findings = encoded([list(known) for known in seen.findings])
        known_by = " ".join((seen.config, *seen.checks))
        row = (plain(session), plain(path), known_by, findings, seen.judged, plain(seen.unverified), time.time())
        self._run("INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?, ?, ?)", *row)

    def owed_elsewhere(self, session: str, path: str, judged: str) -> Seen | None:
        """The file in another session that let exactly this pass, and owes something of it."""
        sql = (
            "SELECT config, findings, judged, unverified FROM seen WHERE judged = ? AND path = ? AND session != ?"
            " AND EXISTS (SELECT 1 FROM mark WHERE session = seen.session AND path = seen.path AND kind = ?)"
        )
        return self._first(_seen, sql, judged, plain(path), plain(session), SessionMark.OWED)

    def hold(self, session: str, reason: str) -> int:
        """How often in a row now for this reason."""
        sql = "SELECT rounds FROM held WHERE session = ? AND reason = ?"
        rounds = (self._first(int, sql, plain(session), reason) or 0) + 1
        self._run("INSERT OR REPLACE INTO held VALUES (?, ?, ?, ?)", plain(session), reason, rounds, time.time())
        return rounds

    def let_go(self, session: str) -> None:
        if self._one("SELECT 1 FROM held WHERE session = ?", plain(session)):
            self._run("DELETE FROM held WHERE session = ?", plain(session))

    def visit(self, session: str, root: Path) -> None:
        self._run("INSERT OR REPLACE INTO visited VALUES (?, ?, ?)", plain(session), plain(str(root)), time.time())

    def visited(self, session: str) -> tuple[Path, ...]:
        sql = "SELECT root FROM visited WHERE session = ? ORDER BY root"
        return tuple(self._read(Path, sql, plain(session)))

    def swept(self, session: str, root: Path) -> int | None:
        """Up to when, in nanoseconds, the session knows what changed below this root."""
        sql = "SELECT at FROM swept WHERE session = ? AND root = ?"
        return self._first(int, sql, plain(session), plain(str(root)))

    def began(self, session: str, root: Path) -> int | None:
        """Since when, in nanoseconds, the session answers for what changes below this root."""
        sql = "SELECT at FROM began WHERE session = ? AND root = ?"
        return self._first(int, sql, plain(session), plain(str(root)))

    def begin(self, session: str, root: Path, at: int) -> None:
        self._run("INSERT OR IGNORE INTO began VALUES (?, ?, ?, ?)", plain(session), plain(str(root)), at, time.time())
        self.sweep(session, root, at)

    def sweep(self, session: str, root: Path, at: int) -> None:
        row = (plain(session), plain(str(root)), at, time.time())
        self._run("INSERT OR REPLACE INTO swept VALUES (?, ?, ?, ?)", *row)

    def guarded(self, session: str) -> dict[str, tuple[str, object]]:
        """By path: what kind of protected file it is, and the facts it held when the session began."""
        sql = "SELECT path, kind, facts FROM guarded WHERE session = ?"
        return dict(self._read(lambda path, kind, facts: (path, (kind, json.loads(facts))), sql, plain(session)))

    def guarded_file(self, session: str, path: str) -> tuple[str, object]:
        """The same of one path; a kind of "" where nobody looked."""
        sql = "SELECT kind, facts FROM guarded WHERE session = ? AND path = ?"
        found = self._first(lambda kind, facts: (kind, json.loads(facts)), sql, plain(session), plain(path))
        return found or ("", None)

    def last_guarded(self, kind: str) -> dict[str, tuple[str, object]]:
        """Of one kind, as the session found them that began last."""
        sql = "SELECT path, kind, facts FROM guarded WHERE kind = ? ORDER BY time"
        return dict(self._read(lambda path, kind, facts: (path, (kind, json.loads(facts))), sql, kind))

    def guard(self, session: str, facts: Mapping[str, tuple[str, object]]) -> None:
        now = time.time()
        rows = [(plain(session), plain(path), kind, encoded(held), now) for path, (kind, held) in facts.items()]
        sql = "INSERT OR REPLACE INTO guarded VALUES (?, ?, ?, ?, ?)"
        self._change(lambda connection: put_all(connection, sql, rows))

    # Marks: what a session did to a file, what it was told, what it owes. Asking leaves none.

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

    # What was refused.

    def attempts(self, session: str, since: float) -> list[Attempt]:
        """Those of a session that are not older, oldest first."""
        columns = "place, finding, fingerprint, content, decision, time"
        sql = f"SELECT {columns} FROM attempt WHERE session = ? AND time >= ? ORDER BY time"  # noqa: S608 - of our own
        return self._read(_attempt, sql, plain(session), since)

    def attempt(self, session: str, attempts: Iterable[Attempt]) -> None:
        rows = [
            (plain(session), plain(a.place), a.finding, a.fingerprint, a.content, a.decision, a.time) for a in attempts
        ]
        sql = "INSERT OR REPLACE INTO attempt VALUES (?, ?, ?, ?, ?, ?, ?)"
        self._change(lambda connection: put_all(connection, sql, rows))

    def ask(self, session: str, call: str, decision: str) -> None:
        """This call is left to a person."""
        row = (plain(session), plain(call), decision, time.time())
        self._run("INSERT OR REPLACE INTO asked VALUES (?, ?, ?, ?)", *row)

    def asked(self, session: str, call: str) -> str:
        """The decision by which this call was left to a person; "" for one that was not."""
        row = self._one("SELECT decision FROM asked WHERE session = ? AND call = ?", plain(session), plain(call))
        return row[0] if row else ""

    def forget_asked(self, session: str, call: str) -> None:
        """It has shown what they said."""
        self._run("DELETE FROM asked WHERE session = ? AND call = ?", plain(session), plain(call))

    def task(self, session: str) -> str:
        """What the person asked for last."""
        row = self._one("SELECT text FROM task WHERE session = ?", plain(session))
        return row[0] if row else ""

    def set_task(self, session: str, text: str) -> None:
        self._run("INSERT OR REPLACE INTO task VALUES (?, ?, ?)", plain(session), text, time.time())

    def forget_task(self, session: str) -> None:
        self._run("DELETE FROM task WHERE session = ?", plain(session))

    def forget_attempts(self, before: float, session: str | None = None) -> None:
        """All that are older, for a session may end without a word; and those of a session that is over."""
        over = None if session is None else plain(session)
        self._run("DELETE FROM attempt WHERE time < ? OR session IS ?", before, over)

    # What waits for a person's word. Codes come from a key outside of the database: whoever reads the rows cannot tell
    # them.

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

    # What was there as it began: files that no commit had, and what refs named.

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

    def tips(self, session: str, place: str) -> tuple[str, ...] | None:
        """The objects that refs named as the session began, HEAD first; None where nobody looked."""
        row = self._one("SELECT ids FROM tips WHERE session = ? AND place = ?", plain(session), plain(place))
        return tuple(id_ for id_ in str(row[0]).split() if id_.isalnum()) if row else None

    def set_tips(self, session: str, place: str, ids: Iterable[str]) -> None:
        """What is known stays: the first look counts."""
        row = (plain(session), plain(place), " ".join(dict.fromkeys(ids)), time.time())
        self._run("INSERT OR IGNORE INTO tips VALUES (?, ?, ?, ?)", *row)

    def remote_tips(self) -> dict[str, set[str]]:
        """By the name of a remote, the objects that it is known to have."""
        found: dict[str, set[str]] = {}
        for remote, id_ in self._rows("SELECT remote, id FROM remote_tip"):
            if id_.isalnum():
                found.setdefault(remote, set()).add(id_)
        return found

    def remotes_since(self) -> int:
        """When the first was noted, in nanoseconds; 0 where none is."""
        return self._first(lambda at: int(at * 1_000_000_000), "SELECT min(time) FROM remote_tip") or 0

    def add_remote_tips(self, tips: Iterable[tuple[str, str]]) -> None:
        """Names of remotes, each with an object."""
        rows = [(plain(remote), id_, time.time()) for remote, id_ in tips]
        self._change(lambda connection: put_all(connection, "INSERT OR IGNORE INTO remote_tip VALUES (?, ?, ?)", rows))

    def searched(self, names: list[bytes]) -> set[bytes]:
        """Which of these were searched, and held nothing."""
        found: set[bytes] = set()
        signed = {self._signed(name): name for name in names}
        for at in range(0, len(names), _AT_ONCE):
            some = [*signed][at : at + _AT_ONCE]
            values = ", ".join("?" * len(some))
            sql = f"SELECT name FROM searched WHERE name IN ({values})"  # noqa: S608 - question marks
            rows = self._do(lambda connection, sql=sql, some=some: connection.execute(sql, some).fetchall())  # type: ignore[misc]
            found.update(signed[name] for (name,) in rows if name in signed)
        return found

    def add_searched(self, names: Iterable[bytes]) -> None:
        rows = [(self._signed(name),) for name in names]
        self._change(lambda connection: put_all(connection, "INSERT OR IGNORE INTO searched VALUES (?)", rows))

    def _signed(self, name: bytes) -> bytes:
        """Whoever writes one without our key claims nothing."""
        return bytes.fromhex(self.seal.of("searched", name.hex()))


def _attempt(*row: str) -> Attempt:
    place, id_, print_, content, said, at = row
    return Attempt(place, id_, print_, content, said, float(at))


def _seen_at(path: str, *row: str) -> tuple[str, Seen]:
    return path, _seen(*row)


def _seen(known_by: str, findings: str, judged: str, unverified: str) -> Seen:
    config, *checks = known_by.split(" ")
    known = tuple(Known(*values) for values in json.loads(findings))
    return Seen(config, known, judged, unverified, tuple(checks))
