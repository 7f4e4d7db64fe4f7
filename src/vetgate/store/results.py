"""What need not be worked out again: how commands ended on which content, what models cost, what reviewers said."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, TypeVar

import msgspec

from vetgate.store.encoding import plain
from vetgate.store.file import UNREADABLE, StoreFile
from vetgate.store.records import Evidence, KeptAnswer, ModelCall, RaisedFinding, RefutedFinding

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable

    Refuses = Callable[[list[ModelCall]], str]


T = TypeVar("T", bound=msgspec.Struct)
_CALL = "model call"


class _SealedRows(StoreFile):
    """Each ends in its seal: rows that vetgate did not write prove, cost, answer and refute nothing."""

    def _sealed(self, purpose: str, record: msgspec.Struct) -> tuple[str | float | int, ...]:
        row = _row(record)
        return (*row, self.seal.of(purpose, *row))

    def _unsealed(self, kind: type[T], purpose: str, rows: Iterable[tuple[object, ...]]) -> list[T]:
        found = []
        for *row, seal in rows:
            with contextlib.suppress(*UNREADABLE):
                if seal == self.seal.of(purpose, *row):
                    values = dict(zip(kind.__struct_fields__, row, strict=False))
                    found.append(msgspec.convert(values, kind, strict=False))
        return found


def _row(record: msgspec.Struct) -> tuple[str | float | int, ...]:
    values = msgspec.structs.astuple(record)
    return tuple(
        plain(each) if isinstance(each, str) else int(each) if isinstance(each, bool) else each for each in values
    )


class Ledger(_SealedRows):
    def prove(self, evidence: Evidence) -> None:
        """The last run on a content counts."""
        row = (evidence.tree, evidence.command, evidence.kind, evidence.status, evidence.time, plain(evidence.who))
        self._run("INSERT OR REPLACE INTO evidence VALUES (?, ?, ?, ?, ?, ?, ?)", *row, self.seal.of("evidence", *row))

    def proofs(self, tree: str) -> tuple[Evidence, ...]:
        """Newest first."""
        rows = self._rows("SELECT * FROM evidence WHERE tree = ? ORDER BY time DESC", tree)
        return tuple(self._unsealed(Evidence, "evidence", rows))

    def first_tree(self, session: str, root: str) -> str | None:
        """The content with which a session began there."""
        sql = "SELECT tree, mark FROM first_tree WHERE session = ? AND root = ?"
        tree, seal = self._one(sql, plain(session), plain(root)) or ("", "")
        return tree if seal == self.seal.of("first tree", plain(session), plain(root), tree) else None

    def set_first_tree(self, session: str, root: str, tree: str, now: float) -> None:
        seal = self.seal.of("first tree", plain(session), plain(root), tree)
        row = (plain(session), plain(root), tree, now, seal)
        self._run("INSERT OR IGNORE INTO first_tree VALUES (?, ?, ?, ?, ?)", *row)


class ModelCalls(_SealedRows):
    def begin_model_call(self, call: ModelCall, since: float, refuses: Refuses) -> str:
        """Puts a question on record at the most that it may cost, or says why not: what `refuses` makes of all others.

        It sees those `since` then and those of the same session. Two processes that ask at once see each other's.
        """
        sql = "SELECT * FROM model_call WHERE time >= ? OR session = ?"
        said = ""

        def begin(connection: sqlite3.Connection) -> None:
            nonlocal said
            said = refuses(self._unsealed(ModelCall, _CALL, connection.execute(sql, (since, plain(call.session)))))
            if not said:
                self._put(connection, call)

        self._change(begin)
        return said

    def end_model_call(self, begun: ModelCall, call: ModelCall) -> None:
        """What it really came to, in the place of what it might have cost."""
        *_, mark = self._sealed(_CALL, begun)

        def end(connection: sqlite3.Connection) -> None:
            first = "SELECT rowid FROM model_call WHERE time = ? AND mark = ? LIMIT 1"
            connection.execute(f"DELETE FROM model_call WHERE rowid = ({first})", (begun.time, mark))  # noqa: S608 - our own
            self._put(connection, call)

        self._change(end)

    def model_calls(self, since: float = 0.0, session: str | None = None) -> tuple[ModelCall, ...]:
        """Oldest first."""
        sql = "SELECT * FROM model_call WHERE time >= ? AND (? IS NULL OR session = ?) ORDER BY time"
        whose = None if session is None else plain(session)
        return tuple(self._unsealed(ModelCall, _CALL, self._rows(sql, since, whose, whose)))

    def _put(self, connection: sqlite3.Connection, call: ModelCall) -> None:
        row = self._sealed(_CALL, call)
        connection.execute(f"INSERT INTO model_call VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608 - our own


class ReviewMemory(_SealedRows):
    def kept_answer(self, key: str, since: float) -> KeptAnswer | None:
        """The newest from then on."""
        rows = self._rows("SELECT * FROM kept_answer WHERE key = ? AND time >= ?", key, since)
        return next(iter(self._unsealed(KeptAnswer, "kept answer", rows)), None)

    def keep_answer(self, answer: KeptAnswer) -> None:
        """In the place of an older one; those that nobody can use any more are dropped with their age."""
        self._run("INSERT OR REPLACE INTO kept_answer VALUES (?, ?, ?, ?)", *self._sealed("kept answer", answer))

    def raised(self, branch: str) -> tuple[RaisedFinding, ...]:
        rows = self._rows("SELECT * FROM raised_finding WHERE branch = ?", plain(branch))
        return tuple(self._unsealed(RaisedFinding, "raised", rows))

    def note_raised(self, finding: RaisedFinding) -> None:
        """The first time counts: one that blocked once is not let through for being raised again."""
        sql = "INSERT OR IGNORE INTO raised_finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._run(sql, *self._sealed("raised", finding))

    def refuted(self) -> tuple[RefutedFinding, ...]:
        """Oldest first."""
        rows = self._rows("SELECT * FROM refuted_finding ORDER BY time")
        return tuple(self._unsealed(RefutedFinding, "refuted", rows))

    def refute(self, finding: RefutedFinding) -> None:
        """In the place of an earlier reason."""
        sql = "INSERT OR REPLACE INTO refuted_finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._run(sql, *self._sealed("refuted", finding))

    def forget_refuted(self, fingerprint: str) -> None:
        """From now on it may be raised again."""
        self._run("DELETE FROM refuted_finding WHERE fingerprint = ?", fingerprint)
