"""What a person allowed on purpose: waivers, comments that waive, and what was there when the tool was adopted."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import TYPE_CHECKING

from vetgate.config.glob import compiled
from vetgate.engine.settle import RISE
from vetgate.failure import WAIVED_SINGLY, fails_closed
from vetgate.model import Suppression, SuppressionKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.config.baseline import Listed
    from vetgate.model import Finding, Known, Waiver

# The rule under which a comment that waives is found: `symbol` names what it waives, its span what it covers.
INLINE = "silenced-tool/inline-waiver"
_IN_BASELINE = Suppression(SuppressionKind.BASELINE, "in the baseline")
_BY_COMMENT = Suppression(SuppressionKind.WAIVER, "waived by a comment")
_GENERATED = Suppression(SuppressionKind.GENERATED, "a tool wrote the file")


def today() -> date:
    return datetime.now().astimezone().date()


def can_be_waived(check: str, *, by_fingerprint: bool = False) -> bool:
    """What must not fail open is not waived either; but of secrets one alone: a key for tests is no secret."""
    return not fails_closed(check) or (by_fingerprint and check in WAIVED_SINGLY)


@dataclass(frozen=True, slots=True)
class Suppressions:
    waivers: tuple[Waiver, ...] = ()
    baseline: Listed = field(default_factory=dict)
    day: date | None = None

    def over(self, findings: tuple[Finding, ...], *, whole: bool) -> tuple[Finding, ...]:
        """`whole`: every finding of a file counts; only there is anything to be taken off for being old."""
        if not self.waivers and not (whole and self.baseline):
            return findings
        return tuple(self._over(each, whole=whole) if each.new else each for each in findings)

    def _over(self, finding: Finding, *, whole: bool) -> Finding:
        known = self.baseline.get(finding.span.path, {}) if whole else {}
        if finding.fingerprint in known and _is_within(finding, known[finding.fingerprint].value):
            return replace(finding, new=False, suppression=_IN_BASELINE)
        ended: Waiver | None = None
        for waiver in self.waivers:
            if matches(waiver, finding):
                if waiver.until >= (self.day or today()):
                    why = Suppression(SuppressionKind.WAIVER, f"waived by {waiver.by}: {waiver.reason}")
                    return replace(finding, new=False, suppression=why)
                ended = waiver
        if ended is None:
            return finding
        return replace(finding, message=f"{finding.message} The waiver of it ended on {ended.until}.")


def matches(waiver: Waiver, finding: Finding) -> bool:
    named = finding.fingerprint if waiver.is_fingerprint else finding.id if "/" in waiver.what else finding.check
    return (
        waiver.what == named
        and can_be_waived(finding.check, by_fingerprint=waiver.is_fingerprint)
        and _is_within(finding, waiver.value)
        and _is_where(waiver, finding)
    )


def _is_where(waiver: Waiver, finding: Finding) -> bool:
    if not can_be_waived(finding.check):
        return waiver.glob == finding.span.path
    return compiled((waiver.glob,)).match(finding.span.path)


def by_comments(findings: tuple[Finding, ...], comments: Iterable[Finding]) -> tuple[Finding, ...]:
    """Without what a comment on its line, or above it, waives by name."""
    covers = [(set(each.symbol.split(", ")), each.span.line, each.span.end_line) for each in comments if each.symbol]
    if not covers:
        return findings

    def weighed(finding: Finding) -> Finding:
        names = {finding.id, finding.rule}
        waived = any(names & wanted and first <= finding.span.line <= last for wanted, first, last in covers)
        if waived and finding.new and can_be_waived(finding.check):
            return replace(finding, new=False, suppression=_BY_COMMENT)
        return finding

    return tuple(map(weighed, findings))


def as_generated(findings: tuple[Finding, ...], stood: Iterable[Known] | None = None) -> tuple[Finding, ...]:
    """Without the measures of its functions, or of those that `stood` there: nobody reads what a tool wrote."""
    known = None if stood is None else {(each.id, each.symbol, each.evidence) for each in stood}

    def weighed(finding: Finding) -> Finding:
        named = (finding.id, finding.symbol, finding.evidence)
        is_meant = finding.new and finding.value is not None and (known is None or named in known)
        return replace(finding, new=False, suppression=_GENERATED) if is_meant else finding

    return tuple(map(weighed, findings))


def _is_within(finding: Finding, value: int | None) -> bool:
    """A measure may creep as far as it may without an excuse."""
    return value is None or finding.value is None or finding.value - value < RISE
