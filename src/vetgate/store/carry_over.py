"""Once, from a version that kept what people accepted in tables of their own: from now on it stands in the log."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from vetgate.store import chain
from vetgate.store.anchor import Head
from vetgate.store.encoding import encoded
from vetgate.store.records import AcceptanceAct, AcceptanceKind

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.store.seal import Seal

_HOW = {"user": "", "terminal": "", "how": "carried over from an earlier version"}


def carry_over(connection: sqlite3.Connection, seal: Seal, file: Path) -> Head:
    """In the transaction of the migration. A log that was not whole is said to be so, and nothing is taken from it."""
    anchor = file.with_name("chain.head")
    was_set_up = connection.execute("SELECT 1 FROM fact WHERE name = 'trusted_digest'").fetchone() is not None
    wrong = _wrong(connection, anchor)
    end = chain.resealed(connection, seal)
    if wrong:
        rows: Iterator[tuple[AcceptanceKind, dict[str, Any]]] = iter(
            [(AcceptanceKind.STORE, {"decision": AcceptanceAct.LOST, "notes": [wrong]})]
        )
    else:
        rows = _accepted(connection)
    after = (0, "")
    for event, body in rows:
        link = chain.add(connection, seal, chain.accepting(event, {"agent": "person", **body}, after), end)
        after = end = link.end
    anchor.unlink(missing_ok=True)
    return Head(*end, *after, set_up=was_set_up)


def _wrong(connection: sqlite3.Connection, anchor: Path) -> str:
    before, seq, met = "", 0, False
    try:
        number, digest = anchor.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        number, digest = "0", ""
    sql = "SELECT seq, id, time, session, event, body, digest FROM decision ORDER BY seq"
    for *values, found in connection.execute(sql):
        if values[0] != seq + 1 or found != _unkeyed(before, values):
            return f"the log of an earlier version is not as it was written, at row {values[0]}"
        before, seq = found, values[0]
        met = met or (str(seq), found) == (number, digest)
    return "" if met or not seq else "the log of an earlier version does not end where its anchor says"


def _unkeyed(before: str, values: list[Any]) -> str:
    return blake2b(encoded([before, *values]).encode(), digest_size=16).hexdigest()


def _accepted(connection: sqlite3.Connection) -> Iterator[tuple[AcceptanceKind, dict[str, Any]]]:
    facts = dict(connection.execute("SELECT name, value FROM fact").fetchall())
    if "trusted_digest" in facts and "trusted_text" in facts:
        text = chain.keep_text(connection, facts["trusted_text"])
        yield (
            AcceptanceKind.TRUST,
            {
                "decision": AcceptanceAct.ACCEPTED,
                "by": _HOW,
                "trust": {"digest": facts["trusted_digest"], "text": text},
            },
        )
    if "baseline" in facts:
        yield (
            AcceptanceKind.BASELINE,
            {
                "decision": AcceptanceAct.ACCEPTED,
                "by": _HOW,
                "baseline": {"text": chain.keep_text(connection, facts["baseline"])},
            },
        )
    names = ("what", "glob", "reason", "by", "until", "value")
    for row in connection.execute(f"SELECT {', '.join(names)} FROM waiver").fetchall():  # noqa: S608 - names of our own
        yield (
            AcceptanceKind.WAIVER,
            {"decision": AcceptanceAct.WAIVED, "by": _HOW, "waiver": dict(zip(names, row, strict=True))},
        )
    for code, until in connection.execute("SELECT code, until FROM granted").fetchall():
        yield (
            AcceptanceKind.GRANT,
            {"decision": AcceptanceAct.ALLOWED, "by": _HOW, "grant": {"code": code, "until": until}},
        )
    connection.execute("DELETE FROM fact")
