"""What the log says that a person accepted: rows in, values out. Only rows that are ours and all there count."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from vetgate.model import Waiver
from vetgate.store.records import AcceptanceAct, AcceptanceKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vetgate.store.chain import Head, Link, Seal

TRUSTED_AGAIN = (
    "nothing that was accepted before counts: run `vetgate trust` in a terminal to accept vetgate.yaml again"
)


@dataclass(frozen=True, slots=True)
class Standing:
    """`trusted` is a digest and the name of the text, `grants` codes and until when, `overrides` trees with why.

    `loss` says what became of rows that were there, until a person accepts anew; `forged` which rows are not ours;
    `changed` what was done to the memory of sessions; `since` is the row with which a person began
    anew, `end` the last of these rows.
    """

    trusted: tuple[str, str] | None = None
    baseline: str | None = None
    waivers: Mapping[tuple[str, str], Waiver] = field(default_factory=dict)
    grants: Mapping[str, float] = field(default_factory=dict)
    overrides: Mapping[str, str] = field(default_factory=dict)
    set_up: bool = False
    loss: str = ""
    forged: str = ""
    changed: str = ""
    since: int = 0
    end: tuple[int, str] = (0, "")


def standing_of(links: Iterable[Link], seal: Seal, head: Head | None) -> Standing:
    """`head` is the anchor; None where there is none, and the log was never written to a file."""
    now = Standing()
    met = head is None or not head.accepted_seq
    for link in links:
        if not link.is_ours(seal):
            now = replace(now, forged=f"row {link.seq} ({link.id}) of the log was not written by vetgate")
            continue
        body = link.content
        if body.get("acknowledges"):
            now = Standing(set_up=now.set_up, since=link.seq)
        elif tuple(body.get("after", ())) != now.end:
            now = lost(now, f"rows with acceptances before row {link.seq} ({link.id}) are gone")
        now = replace(_with(now, link, body), end=link.end)
        met = met or head is None or link.end == (head.accepted_seq, head.accepted_digest)
    if head is not None and (not head.valid or not met):
        gone = "rows with acceptances are gone, or from another time" if head.valid else _STRANGE
        return lost(replace(now, set_up=now.set_up or head.set_up or not head.valid), now.loss or gone)
    return now


_LOG_LOST = "the log was lost"
_STRANGE = "the log was not written with the key of this machine"


def lost(now: Standing, what: str) -> Standing:
    """Nothing that was accepted counts any more."""
    return Standing(set_up=now.set_up, loss=what, forged=now.forged, changed=now.changed, since=now.since, end=now.end)


def _with(now: Standing, link: Link, body: dict[str, Any]) -> Standing:
    """One more row; after a loss nothing counts before a person begins anew."""
    event, decision = link.event, str(body.get("decision"))
    if event == AcceptanceKind.STORE:
        what = "; ".join(map(str, body.get("notes", ())))
        if decision == AcceptanceAct.CHANGED:
            return replace(now, changed=f"{what} (row {link.seq} of the log)")
        return lost(now, what or _LOG_LOST)
    if event == AcceptanceKind.TRUST:
        return _trust(now, decision, body.get("trust") or {})
    if now.loss:
        return now
    if event == AcceptanceKind.BASELINE:
        return replace(now, baseline=str(body["baseline"]["text"]))
    if event == AcceptanceKind.WAIVER:
        return replace(now, waivers=_waived(now.waivers, decision, body["waiver"]))
    assert event == AcceptanceKind.GRANT  # noqa: S101 - there are no others
    grant = body["grant"]
    overrides = {str(grant["tree"]): str(grant.get("reason", ""))} if grant.get("tree") else {}
    return replace(now, grants=_granted(now.grants, decision, grant), overrides={**now.overrides, **overrides})


def _trust(now: Standing, decision: str, trust: dict[str, Any]) -> Standing:
    if decision == AcceptanceAct.WITHDRAWN:
        return replace(now, trusted=None, set_up=False)
    if decision == AcceptanceAct.ACCEPTED and not now.loss:
        return replace(now, trusted=(str(trust["digest"]), str(trust["text"])), set_up=True)
    return replace(now, set_up=True)


def _waived(
    known: Mapping[tuple[str, str], Waiver], decision: str, told: dict[str, Any]
) -> Mapping[tuple[str, str], Waiver]:
    value = told.get("value")
    waiver = Waiver(
        told["what"],
        told["glob"],
        told["reason"],
        told["by"],
        date.fromisoformat(told["until"]),
        None if value is None else int(value),
    )
    rest = {key: each for key, each in known.items() if key != (waiver.what, waiver.glob)}
    return {**rest, (waiver.what, waiver.glob): waiver} if decision == AcceptanceAct.WAIVED else rest


def _granted(known: Mapping[str, float], decision: str, grant: dict[str, Any]) -> Mapping[str, float]:
    code = str(grant["code"])
    rest = {key: until for key, until in known.items() if key != code}
    return {**rest, code: float(grant["until"])} if decision == AcceptanceAct.ALLOWED else rest
