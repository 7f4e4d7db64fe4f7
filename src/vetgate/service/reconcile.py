"""Reconcile: what a review or a pull request left open, each item settled by a commit or a reason, on record."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from vetgate import runtime
from vetgate.checks.secrets.text_redaction import without_secrets
from vetgate.config.person import require_person
from vetgate.judges.review_check import fingerprint, refutation
from vetgate.model import UserError
from vetgate.project import Project
from vetgate.record import decision_id
from vetgate.service.pull_request import read_comments, remote_of, transport_to
from vetgate.service.reconcile_items import Item, ItemSource, ItemStatus, ReconcileListing, of_reviews
from vetgate.source import git
from vetgate.source.git_process import ask
from vetgate.source.git_refs import branch, commit_named
from vetgate.source.git_shipping import is_ancestor
from vetgate.store import DecisionBody, RecordedDecision, RecordedReconciled

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.source.git import Repository
    from vetgate.store import Store


EVENT = "reconcile"


def note_refuted(store: Store, item: Item, reason: str, by: str) -> None:
    store.refute(refutation((item.path, item.symbol, item.text), reason, by, now=time.time()))


_AGENT, _PERSON = "agent", "person"
_SHORTEST_REASON = 10


@dataclass(frozen=True, slots=True)
class Reconcile:
    """`by_agent`: whoever asks is one, however this process was started."""

    repository: Repository
    project: Project
    by_agent: bool = False

    @classmethod
    def at(cls, folder: Path, *, by_agent: bool = False) -> Reconcile:
        repository = git.open_at(folder)
        return cls(repository, Project(repository.top, runtime.state_dir()), by_agent)

    @property
    def store(self) -> Store:
        return self.project.store

    def listing(self, source: ItemSource | None, number: int | None = None, api: str = "") -> ReconcileListing:
        """Of this source, or else of the first one that has something open; kept, so that items can be named."""
        found = self._with_state(self._chosen(ItemSource.PR if source is None and number else source, number, api))
        found = msgspec.structs.replace(found, where=without_secrets(found.where))
        self.store.set_reconcile_items(msgspec.json.encode(found).decode())
        return found

    def last(self) -> ReconcileListing:
        text = self.store.reconcile_items()
        if text is None:
            raise UserError("no items were listed yet", hint="`vetgate reconcile` lists the items")
        return self._with_state(msgspec.json.decode(text, type=ReconcileListing))

    def fixed(self, name: str, commit: str) -> ReconcileListing:
        item = self._item(name)
        found = self._commit(commit)
        if item.head and is_ancestor(self.repository.top, found, item.head):
            raise UserError(
                f"{found[:10]} was there when {item.id} was found, so it cannot be the fix",
                hint="name a commit that was made since",
            )
        if item.path and item.path not in self._touched(found):
            raise UserError(
                f"{found[:10]} does not change {item.path}, which {item.id} is about",
                hint="name the commit that does, or refute the item with a reason",
            )
        return self._settle(item, ItemStatus.FIXED, commit=found)

    def refuted(self, name: str, reason: str) -> ReconcileListing:
        words = " ".join(without_secrets(reason).split())
        if len(words) < _SHORTEST_REASON:
            raise UserError("a refutation needs a reason", hint='say what in the code proves it: --refuted "..."')
        return self._settle(self._item(name), ItemStatus.REFUTED, reason=words)

    def reopened(self, name: str) -> ReconcileListing:
        return self._settle(self._item(name), ItemStatus.OPEN)

    def _settle(self, item: Item, status: ItemStatus, *, commit: str = "", reason: str = "") -> ReconcileListing:
        by = _AGENT if self.by_agent else _who()
        notes: tuple[str, ...] = ()
        if status is ItemStatus.REFUTED and item.source == ItemSource.MODELS:
            # An agent's word does not silence what would stop it.
            if by == _PERSON or not item.blocks:
                note_refuted(self.store, item, reason, by)
            else:
                notes = (f"{item.id} blocks: the reviewer may raise it again until a person refutes it",)
        elif item.source == ItemSource.MODELS:
            self.store.forget_refuted(fingerprint(item.path, item.symbol, item.text))
        done = RecordedReconciled(item.id, status, item.source, item.path, commit, reason)
        body = DecisionBody(decision=done.status, agent=by, tool=EVENT, reconciled=done)
        row_id = decision_id(f"{EVENT} {time.time_ns()} {done.item}".encode())
        self.store.record(RecordedDecision(row_id, time.time(), "", EVENT, body.plain()))
        if self.store.failure:
            raise UserError(f"nothing can be recorded: {self.store.failure}")
        now = self.last()
        return msgspec.structs.replace(now, notes=(*now.notes, *notes))

    def _chosen(self, source: ItemSource | None, number: int | None, api: str) -> ReconcileListing:
        here = branch(self.repository.top)
        if source is ItemSource.PR:
            return self._pull_request(number, api, here)
        models, others = of_reviews(self.store.reviews(), here)
        if source is not None:
            return models if source is ItemSource.MODELS else others
        found = [models, others]
        for each in found:
            if self._with_state(each).count(ItemStatus.OPEN):
                return each
        try:
            request = self._pull_request(None, api, here)
        except UserError as error:
            best = next((each for each in found if each.items), others)
            note = f"the pull request was not asked: {error.message}"
            return msgspec.structs.replace(best, notes=(*best.notes, note))
        return request

    def _pull_request(self, number: int | None, api: str, branch: str) -> ReconcileListing:
        remote = remote_of(self.repository.top, api)
        return read_comments(remote, transport_to(remote, api), number, branch)

    def _with_state(self, listing: ReconcileListing) -> ReconcileListing:
        newest: dict[str, RecordedDecision] = {}
        for row in self.store.reconciled():
            if row.body.reconciled is not None:
                newest.setdefault(row.body.reconciled.item, row)
        items = tuple(_settled(item, newest.get(item.id)) for item in listing.items)
        return msgspec.structs.replace(listing, items=items)

    def _item(self, name: str) -> Item:
        found = [item for item in self.last().items if item.id.startswith(name)] if name else []
        if len(found) != 1:
            what = "names no item" if not found else f"names {len(found)} items"
            raise UserError(f"{name!r} {what} of the last list", hint="`vetgate reconcile` lists the items")
        return found[0]

    def _commit(self, name: str) -> str:
        found = commit_named(self.repository.top, name)
        if not found:
            raise UserError(f"git knows no commit called {name!r}", hint="commit the fix first, then name it")
        if not is_ancestor(self.repository.top, found, "HEAD"):
            raise UserError(f"{found[:10]} is not on this branch", hint="name a commit that HEAD builds on")
        return found

    def _touched(self, commit: str) -> frozenset[str]:
        listed = ("diff-tree", "--root", "-r", "-m", "-z", "--no-renames", "--name-only", "--no-commit-id", commit)
        answer = ask(listed, self.repository.top)
        return frozenset(answer.names)


def _settled(item: Item, row: RecordedDecision | None) -> Item:
    done = row.body.reconciled if row else None
    if done is None or row is None:
        return msgspec.structs.replace(item, status=ItemStatus.OPEN, commit="", reason="", by="")
    return msgspec.structs.replace(item, status=done.status, commit=done.commit, reason=done.reason, by=row.body.agent)


def _who() -> str:
    try:
        require_person("settle this", terminal=False)
    except UserError:
        return _AGENT
    return _PERSON
