"""What a session came to, for the person: refused, corrected, deferred, let through, and what it cost."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from vetgate.model import Decision, UserError
from vetgate.service.configuration import recorded_store
from vetgate.service.statistics import STOPPED, learned
from vetgate.service.status import RefusedCall

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vetgate.store import RecordedDecision


_ASKED = str(Decision.ASK)


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """Numbers of findings by rule, except `judged`: how many calls; of these `refused` and `asked` a person.

    `waiting_ms` is what the agent waited for, `cost` what models took, in dollars.
    """

    session: str
    began: float
    ended: float
    judged: int
    refused: tuple[RefusedCall, ...]
    asked: tuple[RefusedCall, ...]
    corrected: dict[str, int]
    deferred: dict[str, int]
    let_through: dict[str, int]
    waived: dict[str, int]
    waiting_ms: float
    cost: float

    def plain(self) -> dict[str, Any]:
        return asdict(self)


def session_summary(root: Path, session: str = "") -> SessionSummary:
    """Of the session whose id begins so; of the last one without."""
    with recorded_store(root) as store:
        rows = [row for _, row in store.decisions_after(0, 0.0)]
    wanted = session or next((row.session for row in reversed(rows) if row.session), "")
    found = [row for row in rows if wanted and row.session.startswith(wanted)]
    if not found:
        named = f"no session {session!r} is on record" if session else "no session is on record in this project"
        raise UserError(named, hint="a session begins when a gated agent starts; `vetgate log` shows all decisions")
    return _summary(found)


def _summary(rows: Sequence[RecordedDecision]) -> SessionSummary:
    rules = learned(rows).rules
    deferred: dict[str, set[tuple[str, str]]] = {}
    for row in rows:
        for each in row.body.findings:
            if each.later:
                deferred.setdefault(each.id, set()).add((each.path, each.fingerprint))
    return SessionSummary(
        session=rows[-1].session,
        began=rows[0].time,
        ended=rows[-1].time,
        judged=len(rows),
        refused=tuple(RefusedCall.of(row) for row in rows if row.body.decision in STOPPED - {_ASKED}),
        asked=tuple(RefusedCall.of(row) for row in rows if row.body.decision == _ASKED),
        corrected={each.rule: each.fixed for each in rules if each.fixed},
        deferred={rule: len(found) for rule, found in deferred.items()},
        let_through={each.rule: each.overridden for each in rules if each.overridden},
        waived={each.rule: each.waived for each in rules if each.waived},
        waiting_ms=round(sum(row.body.elapsed_ms or 0.0 for row in rows), 1),
        cost=round(sum(row.body.cost or 0.0 for row in rows), 6),
    )
