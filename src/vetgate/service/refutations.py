"""What became of items, on record; findings of models that were refuted are not raised again by the reviewer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from vetgate.judges.review_check import fingerprint, refutation
from vetgate.record import decision_id
from vetgate.store import DecisionBody, RecordedDecision

if TYPE_CHECKING:
    from vetgate.service.reconcile_items import Item
    from vetgate.store import RecordedReconciled, Store

EVENT = "reconcile"


def note_refuted(store: Store, item: Item, reason: str, by: str) -> None:
    store.refute(refutation((item.path, item.symbol, item.text), reason, by, now=time.time()))


def forget_refuted(store: Store, item: Item) -> None:
    store.forget_refuted(fingerprint(item.path, item.symbol, item.text))


def settled(store: Store, done: RecordedReconciled, by: str) -> None:
    """On record."""
    body = DecisionBody(decision=done.status, agent=by, tool=EVENT, reconciled=done)
    name = decision_id(f"{EVENT} {time.time_ns()} {done.item}".encode())
    store.record(RecordedDecision(name, time.time(), "", EVENT, body.plain()))
