"""How commands ended, and on which content: what makes running them again unnecessary."""

from __future__ import annotations

import msgspec

from vetgate.store.encoding import plain
from vetgate.store.file import StoreFile
from vetgate.store.records import Evidence


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
