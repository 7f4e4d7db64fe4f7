"""Whether what is remembered of a session is as vetgate wrote it: a sealed sum over its rows, kept beside them.

Rows without a seal of their own can be added, changed and deleted by whoever opens the database; the sum shows it.
"""

from __future__ import annotations

import time
from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from vetgate.store.chain import Seal

# Of one session each; what remotes have belongs to none.
SUMMED = tuple(
    "asked attempt began guarded held mark seen swept task tips uncommitted_at_start visited".split()  # noqa: SIM905 - names
)
_OF_NOBODY = "remote_tip"
NOBODYS = ""
_IN, _OUT = "vetgate_row_in", "vetgate_row_out"
_MODULUS = 1 << 128


class _Sum(NamedTuple):
    """`writes` only grows: an older sum that is put back with its rows is known to whoever saw the later one."""

    writes: int
    value: int


class RowSums:
    """Of one connection, which adds up what it writes by triggers that nobody else has."""

    def __init__(self, seal: Seal) -> None:
        self._seal = seal
        self._pending: defaultdict[str, int] = defaultdict(int)
        self._seen: dict[str, int] = {}

    def watch(self, connection: sqlite3.Connection) -> None:
        connection.create_function(_IN, -1, partial(self._note, 1))
        connection.create_function(_OUT, -1, partial(self._note, -1))
        triggers = (each for table in (*SUMMED, _OF_NOBODY) for each in _triggers(connection, table))
        # Without recursive ones, what is replaced would go without a word.
        pragmas = "PRAGMA recursive_triggers = ON; PRAGMA temp_store = MEMORY"
        connection.executescript(";\n".join((pragmas, "BEGIN", *triggers, "COMMIT")))

    def _note(self, sign: int, session: object, table: str, *values: object) -> None:
        if isinstance(session, str):
            self._pending[session] += sign * self._of_row(table, values)

    def _of_row(self, table: str, values: tuple[object, ...]) -> int:
        return self._seal.number(msgspec.msgpack.encode((table, values)))

    def forget(self) -> None:
        """What was written in a transaction that did not end well."""
        self._pending.clear()

    def settle(self, connection: sqlite3.Connection) -> None:
        """In the transaction that wrote the rows. A sum that is not ours stays so."""
        for session, change in self._pending.items():
            known = self._kept(connection, session)
            if known is not None:
                self._put(connection, session, _Sum(known.writes + 1, (known.value + change) % _MODULUS))
        self._pending.clear()

    def changed(self, connection: sqlite3.Connection, session: str) -> bool:
        """Whether rows of this session are not those that vetgate left; in a transaction."""
        if _foreign_code(connection):
            return True
        known = self._kept(connection, session)
        if known is None or known.value != self._total(connection, session):
            return True
        was = self._seen.pop(session, 0)
        self._seen[session] = known.writes
        if len(self._seen) > _SESSIONS:
            del self._seen[next(iter(self._seen))]
        return known.writes < was

    def begin(self, connection: sqlite3.Connection, session: str) -> None:
        """What is there counts from now on, without what others would have happen; in a transaction."""
        for kind, name in _foreign_code(connection):
            quoted = name.replace('"', '""')
            connection.execute(f'DROP {kind} main."{quoted}"')
        self._pending.pop(session, None)
        self._seen.pop(session, None)
        kept = self._kept(connection, session)
        self._put(connection, session, _Sum(kept.writes + 1 if kept else 1, self._total(connection, session)))

    def begin_all(self, connection: sqlite3.Connection) -> None:
        for session in sessions(connection):
            self.begin(connection, session)

    def _total(self, connection: sqlite3.Connection, session: str) -> int:
        return sum(self._of_row(table, row) for table, row in _rows(connection, session)) % _MODULUS

    def _kept(self, connection: sqlite3.Connection, session: str) -> _Sum | None:
        """None for one that is not ours; nothing where there is none."""
        row = connection.execute("SELECT writes, value, mark FROM row_sum WHERE session = ?", (session,)).fetchone()
        if row is None:
            return _Sum(0, 0)
        writes, value, mark = row
        is_ours = isinstance(value, str) and mark == self._mark(session, writes, value)
        return _Sum(int(writes), int(value, 16)) if is_ours else None

    def _put(self, connection: sqlite3.Connection, session: str, found: _Sum) -> None:
        value = f"{found.value:x}"
        row = (session, found.writes, value, time.time(), self._mark(session, found.writes, value))
        connection.execute("INSERT OR REPLACE INTO row_sum VALUES (?, ?, ?, ?, ?)", row)

    def _mark(self, session: str, writes: object, value: str) -> str:
        return self._seal.of("row_sum", session, writes, value)


# So many sessions are remembered by a process that stays.
_SESSIONS = 64


def sessions(connection: sqlite3.Connection) -> tuple[str, ...]:
    """All that have rows, or had."""
    named = " UNION ".join(f"SELECT session FROM {table}" for table in (*SUMMED, "row_sum"))  # noqa: S608 - our own
    found = (name for (name,) in connection.execute(named) if isinstance(name, str))
    return tuple({*found, NOBODYS})


def _rows(connection: sqlite3.Connection, session: str) -> Iterator[tuple[str, tuple[object, ...]]]:
    for table in SUMMED:
        for row in connection.execute(f"SELECT * FROM {table} WHERE session = ?", (session,)):  # noqa: S608 - our own
            yield table, row
    if session == NOBODYS:
        for row in connection.execute(f"SELECT * FROM {_OF_NOBODY}"):  # noqa: S608 - our own
            yield _OF_NOBODY, row


def _triggers(connection: sqlite3.Connection, table: str) -> Iterator[str]:
    """Rows of these tables are added, replaced and deleted, and never updated."""
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    for event, function, row in (("INSERT", _IN, "NEW"), ("DELETE", _OUT, "OLD")):
        session = f"{row}.session" if table in SUMMED else f"'{NOBODYS}'"
        values = ", ".join((session, f"'{table}'", *(f"{row}.{name}" for name in columns)))
        name = f"temp.sum_{table}_{event}"
        yield f"CREATE TRIGGER {name} AFTER {event} ON main.{table} BEGIN SELECT {function}({values}); END"


def _foreign_code(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Triggers and views of others: what we write would do what they want, and be summed up as ours."""
    return connection.execute("SELECT type, name FROM main.sqlite_master WHERE type IN ('trigger', 'view')").fetchall()
