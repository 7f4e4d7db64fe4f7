"""Long texts that rows of the log name by their digest: what was changed is not found under that name any more."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3


def keep(connection: sqlite3.Connection, text: str) -> str:
    name = _name(text)
    connection.execute("INSERT OR REPLACE INTO content VALUES (?, ?)", (name, text))
    return name


def kept(connection: sqlite3.Connection, name: str) -> str | None:
    """None where it is gone, or is not what was kept."""
    row = connection.execute("SELECT text FROM content WHERE digest = ?", (name,)).fetchone()
    return row[0] if row and isinstance(row[0], str) and _name(row[0]) == name else None


def _name(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=32).hexdigest()
