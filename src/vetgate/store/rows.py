"""What the store remembers, as values. Rows themselves never leave this room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from vetgate.model import Finding


class Known(msgspec.Struct, frozen=True, array_like=True):
    """A finding reduced to what tells it from others: no message, no code."""

    id: str
    symbol: str
    evidence: str
    value: int | None = None

    @classmethod
    def of(cls, finding: Finding) -> Known:
        return cls(finding.id, finding.symbol, finding.evidence, finding.value)


class Seen(msgspec.Struct, frozen=True):
    """One file in one session.

    `findings` stood in it when the session first saw it, under the configuration `config`; `judged` is the digest of
    the content that passed last; `unverified` says why its content could not be checked, when it could not.
    """

    config: str
    findings: tuple[Known, ...]
    judged: str = ""
    unverified: str = ""


class DecisionRow(msgspec.Struct, frozen=True):
    """One recorded decision; `body` is the decision as plain data (see app.py)."""

    id: str
    time: float
    session: str
    event: str
    body: dict[str, Any]
