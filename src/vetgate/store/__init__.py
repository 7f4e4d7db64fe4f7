"""What is remembered: one SQLite file per project, outside the repository. The only place that speaks SQL."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vetgate.store.acceptances import Acceptances
from vetgate.store.anchor import was_set_up
from vetgate.store.encoding import encoded, plain
from vetgate.store.evidence import Evidence, Ledger
from vetgate.store.file import folder_of, put_all
from vetgate.store.jobs import Job, Jobs
from vetgate.store.marks import Marks, SessionMark
from vetgate.store.protocol import DecisionSink, SessionStore
from vetgate.store.records import NOBODY, AcceptanceAct, Accepted, Attempt, Hand, Known, RecordedDecision, Seen
from vetgate.store.refs import Refs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "NOBODY",
    "AcceptanceAct",
    "Accepted",
    "Attempt",
    "DecisionSink",
    "Evidence",
    "Hand",
    "Job",
    "Known",
    "RecordedDecision",
    "Seen",
    "SessionMark",
    "SessionStore",
    "Store",
    "folder_of",
    "was_set_up",
]


class Store(Acceptances, Jobs, Ledger, Marks, Refs):
    """Thread-safe. No verdict depends on it: when the file fails, a copy in memory serves, and `problem` says why."""

    # Files as a session saw them.

    def seen(self, session: str, path: str) -> Seen | None:
        sql = "SELECT config, findings, judged, unverified FROM seen WHERE session = ? AND path = ?"
        row = self._one(sql, plain(session), plain(path))
        return _seen(row) if row else None

    def seen_in(self, session: str) -> dict[str, Seen]:
        sql = "SELECT path, config, findings, judged, unverified FROM seen WHERE session = ? ORDER BY path"
        return {path: _seen(rest) for path, *rest in self._rows(sql, plain(session))}

    def found_in(self, session: str) -> dict[str, Seen]:
        """Those of its files in which something was found; most have nothing, however many there are."""
        sql = "SELECT path, config, findings, judged, unverified FROM seen WHERE session = ? AND findings != '[]'"
        return {path: _seen(rest) for path, *rest in self._rows(sql, plain(session))}

    def see(self, session: str, path: str, seen: Seen) -> None:
        findings = encoded([list(msgspec.structs.astuple(known)) for known in seen.findings])
        row = (plain(session), plain(path), seen.config, findings, seen.judged, plain(seen.unverified), time.time())
        self._run("INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?, ?, ?)", *row)

    def owed_elsewhere(self, session: str, path: str, judged: str) -> Seen | None:
        """The file in another session that let exactly this pass, and owes something of it."""
        sql = (
            "SELECT config, findings, judged, unverified FROM seen WHERE judged = ? AND path = ? AND session != ?"
            " AND EXISTS (SELECT 1 FROM mark WHERE session = seen.session AND path = seen.path AND kind = ?)"
        )
        row = self._one(sql, judged, plain(path), plain(session), SessionMark.OWED)
        return _seen(row) if row else None

    def hold(self, session: str, reason: str) -> int:
        """How often in a row now for this reason."""
        row = self._one("SELECT rounds FROM held WHERE session = ? AND reason = ?", plain(session), reason)
        rounds = int(row[0]) + 1 if row else 1
        self._run("INSERT OR REPLACE INTO held VALUES (?, ?, ?, ?)", plain(session), reason, rounds, time.time())
        return rounds

    def let_go(self, session: str) -> None:
        if self._one("SELECT 1 FROM held WHERE session = ?", plain(session)):
            self._run("DELETE FROM held WHERE session = ?", plain(session))

    def visit(self, session: str, root: Path) -> None:
        self._run("INSERT OR REPLACE INTO visited VALUES (?, ?, ?)", plain(session), plain(str(root)), time.time())

    def visited(self, session: str) -> tuple[Path, ...]:
        rows = self._rows("SELECT root FROM visited WHERE session = ? ORDER BY root", plain(session))
        return tuple(Path(root) for (root,) in rows)

    def swept(self, session: str, root: Path) -> int | None:
        """Up to when, in nanoseconds, the session knows what changed below this root."""
        row = self._one("SELECT at FROM swept WHERE session = ? AND root = ?", plain(session), plain(str(root)))
        return int(row[0]) if row else None

    def began(self, session: str, root: Path) -> int | None:
        """Since when, in nanoseconds, the session answers for what changes below this root."""
        row = self._one("SELECT at FROM began WHERE session = ? AND root = ?", plain(session), plain(str(root)))
        return int(row[0]) if row else None

    def begin(self, session: str, root: Path, at: int) -> None:
        self._run("INSERT OR IGNORE INTO began VALUES (?, ?, ?, ?)", plain(session), plain(str(root)), at, time.time())
        self.sweep(session, root, at)

    def sweep(self, session: str, root: Path, at: int) -> None:
        row = (plain(session), plain(str(root)), at, time.time())
        self._run("INSERT OR REPLACE INTO swept VALUES (?, ?, ?, ?)", *row)

    def guarded(self, session: str) -> dict[str, tuple[str, object]]:
        """By path: what kind of protected file it is, and the facts it held when the session began."""
        rows = self._rows("SELECT path, kind, facts FROM guarded WHERE session = ?", plain(session))
        return {path: (kind, json.loads(facts)) for path, kind, facts in rows}

    def guard(self, session: str, facts: Mapping[str, tuple[str, object]]) -> None:
        now = time.time()
        rows = [(plain(session), plain(path), kind, encoded(held), now) for path, (kind, held) in facts.items()]
        sql = "INSERT OR REPLACE INTO guarded VALUES (?, ?, ?, ?, ?)"
        self._change(lambda connection: put_all(connection, sql, rows))

    # What was refused.

    def attempts(self, session: str, since: float) -> list[Attempt]:
        """Those of a session that are not older, oldest first."""
        columns = "place, finding, fingerprint, content, decision, time"
        sql = f"SELECT {columns} FROM attempt WHERE session = ? AND time >= ? ORDER BY time"  # noqa: S608 - of our own
        rows = self._rows(sql, plain(session), since)
        return [Attempt(place, id_, mark, content, said, float(at)) for place, id_, mark, content, said, at in rows]

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


def _seen(row: Iterable[str]) -> Seen:
    config, findings, judged, unverified = row
    known = tuple(Known(*values) for values in json.loads(findings))
    return Seen(config, known, judged, unverified)
