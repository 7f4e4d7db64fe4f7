"""The log as a chain: each row carries the digest of the one before, and its own, made with our key."""

from __future__ import annotations

import json
import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.store.encoding import encoded, plain
from vetgate.store.records import AcceptanceKind, RecordedDecision

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from vetgate.store.anchor import Head
    from vetgate.store.seal import Seal

COLUMNS = "seq, id, time, session, event, body, digest, before"

# What a person accepted, and what ended it: these rows are also chained to each other, by "after" in their bodies.
# To the letter as the index of these rows has it: see schema.py.
IS_ACCEPTANCE = "event IN ('baseline', 'grant', 'store', 'trust', 'waiver')"
# To the letter as its index has it, too.
IS_REVIEW = "event = 'review'"
IS_RECONCILED = "event = 'reconcile'"


class Link(NamedTuple):
    """One row as it lies in the database."""

    seq: int
    id: str
    time: float
    session: str
    event: str
    body: str
    digest: str
    before: str

    def is_ours(self, seal: Seal) -> bool:
        is_text = not any(isinstance(value, bytes) for value in self)
        return is_text and self.digest == _digest(seal, self.before, *self[:6])

    @property
    def row(self) -> RecordedDecision:
        return RecordedDecision(self.id, self.time, self.session, self.event, self.content)

    @property
    def content(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found

    @property
    def end(self) -> tuple[int, str]:
        return self.seq, self.digest


def last(connection: sqlite3.Connection) -> tuple[int, str]:
    found = connection.execute("SELECT seq, digest FROM decision ORDER BY seq DESC LIMIT 1").fetchone()
    return (int(found[0]), str(found[1])) if found else (0, "")


def acceptances(connection: sqlite3.Connection) -> list[Link]:
    sql = f"SELECT {COLUMNS} FROM decision WHERE {IS_ACCEPTANCE} ORDER BY seq"  # noqa: S608 - names of our own
    return [Link(*row) for row in connection.execute(sql)]


def add(connection: sqlite3.Connection, seal: Seal, row: RecordedDecision, end: tuple[int, str]) -> Link:
    """After the row at the end, or after the anchor where that knows of more."""
    seq, before = max(last(connection), end, key=lambda each: each[0])
    values = (seq + 1, row.id, row.time, plain(row.session), row.event, encoded(row.stored))
    link = Link(*values, _digest(seal, before, *values), before)
    connection.execute(f"INSERT INTO decision ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", link)  # noqa: S608
    return link


def accepting(kind: AcceptanceKind, body: dict[str, Any], after: tuple[int, str]) -> RecordedDecision:
    """A row of what a person accepted, chained to the one of that kind before."""
    at = time.time()
    whole = {**body, "after": list(after)}
    name = "d" + blake2b(encoded([kind, at, whole]).encode(), digest_size=5).hexdigest()
    return RecordedDecision(name, at, "", kind, whole)


def unanchored(connection: sqlite3.Connection, head: Head | None) -> str:
    """Why the anchor cannot say where the log ends; "" when it can."""
    seq, _ = last(connection)
    if head is None:
        return f"the anchor is gone, which says that row {seq} is the last one" if seq else ""
    return "" if head.valid else "the log was not written with the key of this machine"


def broken(links: Iterable[Link], seal: Seal, start: tuple[int, str]) -> str:
    """What was done to these rows behind our back, at the first one where it shows."""
    seq, before = start
    for link in links:
        if link.seq != seq + 1:
            where = f"between row {seq} and row {link.seq}, {link.id}"
            return f"{rows_named(seq + 1, link.seq - 1)} gone ({where})"
        if link.before != before or not link.is_ours(seal):
            return f"row {link.seq} ({link.id}) is not what was written"
        seq, before = link.end
    return ""


def rows_named(first: int, last: int) -> str:
    return f"row {first} is" if first == last else f"rows {first} to {last} are"


def _digest(seal: Seal, before: str, *values: object) -> str:
    return seal.of(before, *values)


def keep_text(connection: sqlite3.Connection, text: str) -> str:
    """A long text, under the digest by which rows name it: what was changed is not found under that any more."""
    name = _name(text)
    connection.execute("INSERT OR REPLACE INTO content VALUES (?, ?)", (name, text))
    return name


def kept_text(connection: sqlite3.Connection, name: str) -> str | None:
    """None where it is gone, or is not what was kept."""
    row = connection.execute("SELECT text FROM content WHERE digest = ?", (name,)).fetchone()
    return row[0] if row and isinstance(row[0], str) and _name(row[0]) == name else None


def _name(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=32).hexdigest()
