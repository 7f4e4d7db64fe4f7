"""How commands ended, and on which content: what makes running them again unnecessary."""

from __future__ import annotations

import msgspec

from vetgate.store.encoding import plain
from vetgate.store.file import StoreFile


class Evidence(msgspec.Struct, frozen=True):
    """`tree` names the content, `command` is a digest of its words, `kind` what it is for (test, lint, ...).

    `who` is the gate that ran it, or the agent.
    """

    tree: str
    command: str
    kind: str
    status: int
    time: float
    who: str


class Ledger(StoreFile):
    """Rows that vetgate did not write prove nothing."""

    def prove(self, evidence: Evidence) -> None:
        """The last run on a content counts."""
        row = (evidence.tree, evidence.command, evidence.kind, evidence.status, evidence.time, plain(evidence.who))
        self._run("INSERT OR REPLACE INTO evidence VALUES (?, ?, ?, ?, ?, ?, ?)", *row, self.seal.of("evidence", *row))

    def proofs(self, tree: str) -> tuple[Evidence, ...]:
        """Newest first."""
        sql = "SELECT tree, command, kind, status, time, who, mark FROM evidence WHERE tree = ? ORDER BY time DESC"
        found = [
            (Evidence(name, command, kind, int(status), float(at), who), mark)
            for name, command, kind, status, at, who, mark in self._rows(sql, tree)
        ]
        return tuple(each for each, mark in found if mark == self.seal.of("evidence", *msgspec.structs.astuple(each)))

    def first_tree(self, session: str, root: str) -> str | None:
        """The content with which a session began there."""
        sql = "SELECT tree, mark FROM first_tree WHERE session = ? AND root = ?"
        tree, mark = self._one(sql, plain(session), plain(root)) or ("", "")
        return tree if mark == self.seal.of("first tree", plain(session), plain(root), tree) else None

    def set_first_tree(self, session: str, root: str, tree: str, now: float) -> None:
        mark = self.seal.of("first tree", plain(session), plain(root), tree)
        row = (plain(session), plain(root), tree, now, mark)
        self._run("INSERT OR IGNORE INTO first_tree VALUES (?, ?, ?, ?, ?)", *row)
