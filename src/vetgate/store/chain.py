"""The log as a chain: each row carries the digest of the one before, and its own, made with our key.

The key lies in the state folder, outside of the repository and of the database: it shows what was written behind our
back. A process of the same user can in the end read any key of that user. The head of the chain is kept apart from
both, in a file that is its anchor: what is cut off or put back shows.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import threading
import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.ownership import fault
from vetgate.store.encoding import encoded, plain, read_file, write, write_new
from vetgate.store.records import AcceptanceKind, RecordedDecision

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from pathlib import Path


NAME = "key"
_BYTES = 32


class Seal:
    """The key of one project: rows of another project's log are not valid here."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def of(self, *values: object) -> str:
        return blake2b(encoded(values).encode(), key=self._key, digest_size=16).hexdigest()

    def number(self, data: bytes) -> int:
        """Of 128 bits; another than any of `of`, as long as the data do not begin like JSON."""
        return int.from_bytes(blake2b(data, key=self._key, digest_size=16).digest(), "big")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seal) and other._key == self._key

    def __hash__(self) -> int:
        return hash(self._key)

    @classmethod
    def of_project(cls, state_dir: Path, project: Path) -> Seal:
        """Raises OSError where the key can be neither read nor made."""
        return cls(blake2b(os.fsencode(project), key=_key(state_dir / NAME), digest_size=_BYTES).digest())

    @classmethod
    def passing(cls) -> Seal:
        """For a store that nobody will read again."""
        return cls(secrets.token_bytes(_BYTES))


def _key(file: Path) -> bytes:
    for _ in range(2):
        with contextlib.suppress(FileNotFoundError):
            return _read(file)
        write_new(file, secrets.token_hex(_BYTES))
    return _read(file)


def _read(file: Path) -> bytes:
    if file.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(file))
    data = read_file(file, 4 * _BYTES).strip()
    try:
        key = bytes.fromhex(data.decode("ascii"))
    except ValueError:
        key = b""
    # Damaged: still one value that all processes agree on, under which nothing that was written before is valid.
    return key if len(key) == _BYTES else blake2b(data, digest_size=_BYTES, person=b"damaged key").digest()


FOLDER = "anchors"


class Head(NamedTuple):
    """The last row, and the last one of those that say what a person accepted; `set_up` once a person chose the gate.

    One that is not `valid` was damaged, or was not written by us; its number may still be right.
    """

    seq: int = 0
    digest: str = ""
    accepted_seq: int = 0
    accepted_digest: str = ""
    set_up: bool = False
    valid: bool = True


def name_of(project: Path) -> str:
    return blake2b(os.fsencode(project), digest_size=8).hexdigest()


def file_of(state_dir: Path, project: Path) -> Path:
    return state_dir / FOLDER / name_of(project)


def was_set_up(state_dir: Path, project: Path) -> bool:
    """Whether a person chose the gate for this project. What cannot be read, or is not ours to believe, may say so."""
    file = file_of(state_dir, project)
    try:
        text = read_file(file).decode("ascii", "replace")
        if fault(os.fspath(file)):
            return True
        sealed = Seal.of_project(state_dir, project)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    found = _parsed(text)
    # Not ours: damaged, or written to switch the gate off.
    return found is None or found[0].set_up or found[1] != _seal_of(found[0], sealed)


def read_head(file: Path, seal: Seal) -> Head | None:
    """None where there is none."""
    try:
        text = read_file(file).decode("ascii", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return Head(valid=False)
    found = _parsed(text)
    if found is None:
        return Head(valid=False)
    head, found_seal = found
    return head._replace(valid=found_seal == _seal_of(head, seal))


def put_head(file: Path, head: Head, seal: Seal) -> None:
    """Best effort: one that lags behind hides nothing but the rows after it. It never goes back."""
    known = read_head(file, seal)
    if known is not None and known.valid:
        head = _later(known, head)
    temporary = file.with_name(f"{file.name}.{os.getpid()}.{threading.get_ident()}")
    with contextlib.suppress(OSError):
        write(temporary, _text(head, seal))
        temporary.replace(file)


def _later(one: Head, other: Head) -> Head:
    """Another process may have written a row meanwhile."""
    end = max(one, other, key=lambda each: each.seq)
    accepted = max(one, other, key=lambda each: each.accepted_seq)
    return accepted._replace(seq=end.seq, digest=end.digest)


def put_first_head(file: Path, seal: Seal) -> None:
    """Before there is a row; never over one that another process put there meanwhile."""
    with contextlib.suppress(OSError):
        write_new(file, _text(Head(), seal))


def _text(head: Head, seal: Seal) -> str:
    return encoded([*head[:5], _seal_of(head, seal)])


def _seal_of(head: Head, seal: Seal) -> str:
    return seal.of("anchor", *head[:5])


def _parsed(text: str) -> tuple[Head, str] | None:
    try:
        seq, digest, accepted, accepted_digest, set_up, found_seal = json.loads(text)
        return Head(int(seq), str(digest), int(accepted), str(accepted_digest), bool(set_up)), str(found_seal)
    except (ValueError, TypeError, ArithmeticError, RecursionError):
        return None


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
        return is_text and self.digest == seal.of(self.before, *self[:6])

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
    link = Link(*values, seal.of(before, *values), before)
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
