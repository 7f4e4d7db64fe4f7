"""What reviewers of a project remember: answers that were paid for, findings that were raised, those refuted."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from vetgate.store.encoding import plain
from vetgate.store.file import StoreFile
from vetgate.store.records import KeptAnswer, RaisedFinding, RefutedFinding

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
        return kept if row[3] == self.seal.of("kept answer", *_row(kept)) else None

    def keep_answer(self, answer: KeptAnswer) -> None:
        """In the place of an older one; those that nobody can use any more are dropped with their age."""
        row = _row(answer)
        self._run("INSERT OR REPLACE INTO kept_answer VALUES (?, ?, ?, ?)", *row, self.seal.of("kept answer", *row))

    def raised(self, branch: str) -> tuple[RaisedFinding, ...]:
        sql = "SELECT branch, fingerprint, path, symbol, category, message, blocked, time, mark FROM raised_finding"
        rows = self._rows(f"{sql} WHERE branch = ?", plain(branch))
        found = [(_record(RaisedFinding, row), row[-1]) for row in rows]
        return tuple(each for each, mark in found if mark == self.seal.of("raised", *_row(each)))

    def note_raised(self, finding: RaisedFinding) -> None:
        """The first time counts: one that blocked once is not let through for being raised again."""
        row = _row(finding)
        sql = "INSERT OR IGNORE INTO raised_finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._run(sql, *row, self.seal.of("raised", *row))

    def refuted(self) -> tuple[RefutedFinding, ...]:
        """Oldest first."""
        sql = (
            "SELECT fingerprint, path, symbol, category, message, reason, by, content, time, mark FROM refuted_finding"
        )
        rows = self._rows(f"{sql} ORDER BY time")
        found = [(_record(RefutedFinding, row), row[-1]) for row in rows]
        return tuple(each for each, mark in found if mark == self.seal.of("refuted", *_row(each)))

    def refute(self, finding: RefutedFinding) -> None:
        """In the place of an earlier reason."""
        row = _row(finding)
        sql = "INSERT OR REPLACE INTO refuted_finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._run(sql, *row, self.seal.of("refuted", *row))

    def forget_refuted(self, fingerprint: str) -> None:
        """From now on it may be raised again."""
        self._run("DELETE FROM refuted_finding WHERE fingerprint = ?", fingerprint)


def _record(kind: type[T], row: tuple[object, ...]) -> T:
    return msgspec.convert(dict(zip(kind.__struct_fields__, row, strict=False)), kind, strict=False)


def _row(record: msgspec.Struct) -> tuple[str | float | int, ...]:
    values = msgspec.structs.astuple(record)
    return tuple(
        plain(each) if isinstance(each, str) else int(each) if isinstance(each, bool) else each for each in values
    )
