"""What is to be reconciled: findings of the last review, or comments of a pull request, each with a name that stays."""

from __future__ import annotations

import enum
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from vetgate.checks.secrets.text_redaction import without_secrets
from vetgate.service.safe_text import encodable
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from vetgate.store import RecordedDecision, RecordedFinding, RecordedGate, RecordedModelFinding

_LONGEST = 4_000
_KINDS_THAT_BLOCK = frozenset({str(Severity.CRITICAL), str(Severity.ERROR)})


class ItemSource(enum.StrEnum):
    """In the order in which they are looked at: a model's findings, other findings on record, the pull request."""

    MODELS = "claude"
    LOCAL = "local"
    PR = "pr"


class ItemStatus(enum.StrEnum):
    FIXED = "fixed"
    REFUTED = "refuted"
    OPEN = "open"


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that somebody wants changed, in their words; `fingerprint` names a finding on record."""

    id: str
    source: str
    kind: str
    text: str
    path: str = ""
    line: int = 0
    symbol: str = ""
    severity: str = ""
    author: str = ""
    url: str = ""
    fix: str = ""
    replies: tuple[str, ...] = ()
    outdated: bool = False
    fingerprint: str = ""
    blocks: bool = False
    head: str = ""
    status: str = ItemStatus.OPEN
    commit: str = ""
    reason: str = ""
    by: str = ""


class ReconcileListing(msgspec.Struct, frozen=True, kw_only=True):
    """`counted` is how many the source says there are, `resolved` how many of them were settled over there."""

    source: str
    where: str
    items: tuple[Item, ...]
    counted: int
    resolved: int = 0
    notes: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        return self.counted == len(self.items) + self.resolved

    def count(self, status: ItemStatus) -> int:
        return sum(item.status == status for item in self.items)


def item_id(*parts: str) -> str:
    """Without lines: those move."""
    return "r" + blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()


def quoted(text: object, longest: int = _LONGEST) -> str:
    """What others wrote, as it is kept and shown: no secrets, nothing invisible, not too long."""
    words = without_secrets(text if isinstance(text, str) else "")
    plain = encodable("".join(char for char in words if char.isprintable() or char == "\n")).strip()
    return plain if len(plain) <= longest else f"{plain[:longest]}… ({len(plain) - longest} more characters)"


def distinct(items: Iterable[Item]) -> tuple[Item, ...]:
    """Two that say the same in the same file are two."""
    seen: dict[str, int] = {}
    found = []
    for item in items:
        seen[item.id] = number = seen.get(item.id, 0) + 1
        found.append(item if number == 1 else msgspec.structs.replace(item, id=item_id(item.id, str(number))))
    return tuple(found)


def of_reviews(rows: Sequence[RecordedDecision], branch: str) -> tuple[ReconcileListing, ReconcileListing]:
    """What models found, and what else did: each gate as it ended when it ran last on this branch."""
    models: list[Item] = []
    others: list[Item] = []
    seen: set[str] = set()
    for row in rows:
        review = row.body.review
        if review is None or (review.branch and branch and review.branch != branch):
            continue
        # Those that ran: a loop that kept its result names gates of an earlier row.
        gates = {gate.gate: gate for gate in row.body.gates if gate.gate not in seen}
        seen |= gates.keys()
        for gate in gates.values():
            findings = [each for each in row.body.findings if each.gate == gate.gate and each.new]
            target, source = (models, ItemSource.MODELS) if gate.judgement else (others, ItemSource.LOCAL)
            target += _of_gate(gate, findings, source, review.head)
    where = f"branch {branch}" if branch else "this work tree"
    return (
        ReconcileListing(source=ItemSource.MODELS, where=where, items=distinct(models), counted=len(models)),
        ReconcileListing(source=ItemSource.LOCAL, where=where, items=distinct(others), counted=len(others)),
    )


def _of_gate(gate: RecordedGate, findings: list[RecordedFinding], source: ItemSource, head: str) -> Iterator[Item]:
    meant = [each for each in findings if not each.suppression]
    for each in meant:
        yield Item(
            id=item_id("finding", each.fingerprint or each.message, each.path),
            source=source,
            kind=each.id or gate.gate,
            text=quoted(each.message),
            path=each.path,
            line=each.line,
            symbol=each.symbol,
            severity=each.severity,
            author=gate.gate,
            fix=quoted(each.fix),
            fingerprint=each.fingerprint,
            blocks=each.decides or each.severity in _KINDS_THAT_BLOCK,
            head=head,
        )
    if findings:
        return
    issues = gate.judgement.issues if gate.judgement else ()
    for issue in issues:
        yield _of_model(gate, issue, head)
    if not issues and gate.status == "failed":
        reason = gate.judgement.reason if gate.judgement else gate.error
        said = quoted(reason or f"the gate `{gate.gate}` failed")
        yield Item(id=item_id("gate", gate.gate), source=source, kind="gate", text=said, author=gate.gate, head=head)


def _of_model(gate: RecordedGate, issue: RecordedModelFinding, head: str) -> Item:
    return Item(
        id=item_id("issue", issue.category, issue.path, issue.message),
        source=ItemSource.MODELS,
        kind=issue.category or gate.gate,
        text=quoted(issue.message),
        path=issue.path,
        line=issue.line,
        severity=issue.severity,
        author=issue.model or gate.gate,
        fix=quoted(issue.fix),
        fingerprint=item_id("issue", issue.category, issue.path, issue.message),
        blocks=issue.severity in _KINDS_THAT_BLOCK,
        head=head,
    )
