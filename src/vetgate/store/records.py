"""What the store remembers, as values. Rows themselves never leave this room."""

from __future__ import annotations

import enum
from typing import Any, NamedTuple, Protocol

import msgspec

# Begins the id of what is known to be good and must not get lost, to tell it from findings.
MARK = "+"


class Named(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def symbol(self) -> str: ...
    @property
    def evidence(self) -> str: ...
    @property
    def value(self) -> int | None: ...


class Known(msgspec.Struct, frozen=True, array_like=True):
    """A finding, or a mark, reduced to what tells it from others: no message, no code."""

    id: str
    symbol: str
    evidence: str
    value: int | None = None

    @classmethod
    def of(cls, named: Named) -> Known:
        return cls(named.id, named.symbol, named.evidence, named.value)

    @property
    def is_mark(self) -> bool:
        return self.id.startswith(MARK)


class Seen(msgspec.Struct, frozen=True):
    """One file in one session.

    `findings` stood in it when the session first saw it, under the configuration `config`; `judged` is the digest of
    the content that passed last; `unverified` says why its content could not be checked, when it could not.
    """

    config: str
    findings: tuple[Known, ...]
    judged: str = ""
    unverified: str = ""


class AcceptanceKind(enum.StrEnum):
    """What a person accepted; `STORE` is a loss, which ends all of it."""

    BASELINE = "baseline"
    GRANT = "grant"
    STORE = "store"
    TRUST = "trust"
    WAIVER = "waiver"


class AcceptanceAct(enum.StrEnum):
    """What stands as the decision of such a record."""

    WAIVED = "waived"
    TAKEN_BACK = "taken back"
    ACCEPTED = "accepted"
    WITHDRAWN = "withdrawn"
    SET_UP = "set up"
    ALLOWED = "allowed"
    USED = "used"
    LOST = "lost"


_ACCEPTANCES = frozenset(AcceptanceKind)


class RecordedDecision(msgspec.Struct, frozen=True):
    """One recorded decision; `body` is the decision as plain data (see app.py)."""

    id: str
    time: float
    session: str
    event: str
    body: dict[str, Any]

    @property
    def is_acceptance(self) -> bool:
        return self.event in _ACCEPTANCES


class Attempt(msgspec.Struct, frozen=True):
    """One thing that was refused once: where, what was found, and digests of what was tried."""

    place: str
    finding: str
    fingerprint: str
    content: str
    decision: str
    time: float


class Hand(NamedTuple):
    """Who accepted something: the account, the terminal, and `how` where that was another way."""

    user: str = ""
    terminal: str = ""
    how: str = ""

    def plain(self) -> dict[str, str]:
        return self._asdict()


NOBODY = Hand()


class Accepted(NamedTuple):
    """One acceptance as it is told: when, by whom, and the row's own words for it."""

    seq: int
    row: RecordedDecision
    by: Hand

    @classmethod
    def of(cls, seq: int, row: RecordedDecision) -> Accepted:
        told = row.body.get("by") or {}
        return cls(seq, row, Hand(*(str(told.get(name, "")) for name in Hand._fields)))
