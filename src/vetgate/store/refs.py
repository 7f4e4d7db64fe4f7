"""What git's refs named when a session began, what remotes are known to have, and what was searched before a push."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from vetgate.store.encoding import plain
from vetgate.store.file import StoreFile, put_all

if TYPE_CHECKING:
    from collections.abc import Iterable

_AT_ONCE = 500


class Refs(StoreFile):
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
