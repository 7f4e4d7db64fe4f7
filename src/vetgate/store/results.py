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


class Ledger(StoreFile):
    """Rows that vetgate did not write prove nothing."""

    def prove(self, evidence: Evidence) -> None:
        """The last run on a content counts."""
        row = (evidence.tree, evidence.command, evidence.kind, evidence.status, evidence.time, plain(evidence.who))
        self._run("INSERT OR REPLACE INTO evidence VALUES (?, ?, ?, ?, ?, ?, ?)", *row, self.seal.of("evidence", *row))

    def proofs(self, tree: str) -> tuple[Evidence, ...]:
        """Newest first."""
        sql = "SELECT tree, command, kind, status, time, who, mark FROM evidence WHERE tree = ? ORDER BY time DESC"
        found = self._read(_sealed, sql, tree)
        return tuple(each for each, seal in found if seal == self.seal.of("evidence", *msgspec.structs.astuple(each)))

    def first_tree(self, session: str, root: str) -> str | None:
        """The content with which a session began there."""
        sql = "SELECT tree, mark FROM first_tree WHERE session = ? AND root = ?"
        tree, seal = self._one(sql, plain(session), plain(root)) or ("", "")
        return tree if seal == self.seal.of("first tree", plain(session), plain(root), tree) else None

    def set_first_tree(self, session: str, root: str, tree: str, now: float) -> None:
        seal = self.seal.of("first tree", plain(session), plain(root), tree)
        row = (plain(session), plain(root), tree, now, seal)
        self._run("INSERT OR IGNORE INTO first_tree VALUES (?, ?, ?, ?, ?)", *row)


def _sealed(*row: str) -> tuple[Evidence, str]:
    tree, command, kind, status, at, who, seal = row
    return Evidence(tree, command, kind, int(status), float(at), who), seal


class ModelCalls(StoreFile):
    """Rows that vetgate did not write cost nothing."""

    def begin_model_call(self, call: ModelCall, since: float, refuses: Refuses) -> str:
        """Puts a question on record at the most that it may cost, or says why not: what `refuses` makes of all others.

        It sees those `since` then and those of the same session. Two processes that ask at once see each other's.
        """
        sql = "SELECT * FROM model_call WHERE time >= ? OR session = ?"
        said = ""

        def begin(connection: sqlite3.Connection) -> None:
            nonlocal said
            said = refuses(self._calls(connection.execute(sql, (since, plain(call.session))).fetchall()))
            if not said:
                self._put(connection, call)

        self._change(begin)
        return said

    def end_model_call(self, begun: ModelCall, call: ModelCall) -> None:
        """What it really came to, in the place of what it might have cost."""
        mark = self.seal.of("model call", *_row(begun))

        def end(connection: sqlite3.Connection) -> None:
            first = "SELECT rowid FROM model_call WHERE time = ? AND mark = ? LIMIT 1"
            connection.execute(f"DELETE FROM model_call WHERE rowid = ({first})", (begun.time, mark))  # noqa: S608 - our own
            self._put(connection, call)

        self._change(end)

    def model_calls(self, since: float = 0.0, session: str | None = None) -> tuple[ModelCall, ...]:
        """Oldest first."""
        sql = "SELECT * FROM model_call WHERE time >= ? AND (? IS NULL OR session = ?) ORDER BY time"
        whose = None if session is None else plain(session)
        return tuple(self._calls(self._rows(sql, since, whose, whose)))

    def _calls(self, rows: Iterable[tuple[object, ...]]) -> list[ModelCall]:
        names = ModelCall.__struct_fields__
        found = []
        for row in rows:
            with contextlib.suppress(*UNREADABLE):
                call = msgspec.convert(dict(zip(names, row, strict=False)), ModelCall)
                if row[-1] == self.seal.of("model call", *_row(call)):
                    found.append(call)
        return found

    def _put(self, connection: sqlite3.Connection, call: ModelCall) -> None:
        row = _row(call)
        marks = ", ".join("?" * (len(row) + 1))
        sql = f"INSERT INTO model_call VALUES ({marks})"  # noqa: S608 - our own
        connection.execute(sql, (*row, self.seal.of("model call", *row)))


def _row(call: ModelCall) -> tuple[str | float | int, ...]:
    return tuple(plain(value) if isinstance(value, str) else value for value in msgspec.structs.astuple(call))


T = TypeVar("T", bound=msgspec.Struct)


class ReviewMemory(StoreFile):
    """Rows that vetgate did not write are nobody's word: neither an answer nor a refutation."""

    def kept_answer(self, key: str, since: float) -> KeptAnswer | None:
        """The newest from then on."""
        sql = "SELECT key, time, text, mark FROM kept_answer WHERE key = ? AND time >= ?"
        row = self._one(sql, key, since)
        if row is None:
            return None
        kept = KeptAnswer(row[0], float(row[1]), row[2])
        return kept if row[3] == self.seal.of("kept answer", *_answer_row(kept)) else None

    def keep_answer(self, answer: KeptAnswer) -> None:
        """In the place of an older one; those that nobody can use any more are dropped with their age."""
        row = _answer_row(answer)
        self._run("INSERT OR REPLACE INTO kept_answer VALUES (?, ?, ?, ?)", *row, self.seal.of("kept answer", *row))

    def raised(self, branch: str) -> tuple[RaisedFinding, ...]:
        sql = "SELECT branch, fingerprint, path, symbol, category, message, blocked, time, mark FROM raised_finding"
        rows = self._rows(f"{sql} WHERE branch = ?", plain(branch))
        found = [(_record(RaisedFinding, row), row[-1]) for row in rows]
        return tuple(each for each, mark in found if mark == self.seal.of("raised", *_answer_row(each)))

    def note_raised(self, finding: RaisedFinding) -> None:
        """The first time counts: one that blocked once is not let through for being raised again."""
        row = _answer_row(finding)
        sql = "INSERT OR IGNORE INTO raised_finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._run(sql, *row, self.seal.of("raised", *row))

    def refuted(self) -> tuple[RefutedFinding, ...]:
        """Oldest first."""
        sql = (
            "SELECT fingerprint, path, symbol, category, message, reason, by, content, time, mark FROM refuted_finding"
        )
        rows = self._rows(f"{sql} ORDER BY time")
        found = [(_record(RefutedFinding, row), row[-1]) for row in rows]
        return tuple(each for each, mark in found if mark == self.seal.of("refuted", *_answer_row(each)))

    def refute(self, finding: RefutedFinding) -> None:
        """In the place of an earlier reason."""
        row = _answer_row(finding)
        sql = "INSERT OR REPLACE INTO refuted_finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._run(sql, *row, self.seal.of("refuted", *row))

    def forget_refuted(self, fingerprint: str) -> None:
        """From now on it may be raised again."""
        self._run("DELETE FROM refuted_finding WHERE fingerprint = ?", fingerprint)


def _record(kind: type[T], row: tuple[object, ...]) -> T:
    return msgspec.convert(dict(zip(kind.__struct_fields__, row, strict=False)), kind, strict=False)


def _answer_row(record: msgspec.Struct) -> tuple[str | float | int, ...]:
    values = msgspec.structs.astuple(record)
    return tuple(
        plain(each) if isinstance(each, str) else int(each) if isinstance(each, bool) else each for each in values
    )
