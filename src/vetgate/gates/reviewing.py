"""What a command that reviews code came to: clean, found, limited, missing or without an answer, each told apart.

A service that does not answer says nothing about the code: none of that is a failure of it, and none of it is a pass.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.gates.output import plain_text, readable
from vetgate.gates.parse import MOST_FINDINGS, finding_of
from vetgate.gates.parse.coderabbit import read_review
from vetgate.gates.quota import says_limited, told_wait
from vetgate.model import Outcome, SkipKind, Status

if TYPE_CHECKING:
    from vetgate.gates.parse.coderabbit import CodeReview
    from vetgate.gates.process import CommandResult
    from vetgate.gates.quota import Quota
    from vetgate.model import Finding, Gate

_LONGEST = 200


def review_outcome(gate: Gate, ran: CommandResult, root: str, quota: Quota) -> Outcome:
    told = read_review(plain_text(ran.output))
    findings = _findings(gate, told, root)
    known = Outcome(
        gate.id,
        Status.SKIPPED,
        findings,
        elapsed_ms=ran.seconds * 1000,
        output=readable(ran.output),
        exit_status=ran.status,
    )
    has_ended_well = ran.status == 0 and told.is_complete
    unread = max(0, (told.count or 0) - len(told.complaints))
    if told.error and says_limited(told.error) and not has_ended_well:
        return replace(known, evidence=quota.wait(told_wait(told.error)), skip=SkipKind.LIMITED)
    if ran.status != 0 or (told.error and not told.is_complete) or (unread and not findings):
        reason = ran.cause or _shown(told.error) or _how(ran, unread)
        return replace(known, evidence=f"no answer: {reason}", skip=SkipKind.UNANSWERED)
    if told.is_empty and not findings:
        return replace(known, evidence="there is nothing to review", skip=SkipKind.NOTHING_TO_DO)
    if not told.is_complete and not findings:
        reason = "it ended without saying that it has reviewed anything"
        return replace(known, evidence=f"no answer: {reason}", skip=SkipKind.UNANSWERED)
    note = f"it reports {told.count} findings, of which {len(told.complaints)} could be read" if unread else ""
    return replace(known, status=Status.FAILED if findings else Status.PASSED, evidence=note)


def _findings(gate: Gate, told: CodeReview, root: str) -> tuple[Finding, ...]:
    """Without secrets that it may quote from the code."""
    complaints = (
        replace(each, message=readable(each.message.encode()), fix=readable(each.fix.encode()))
        for each in told.complaints[:MOST_FINDINGS]
    )
    return tuple(finding_of(gate, each, root) for each in complaints)


def _shown(error: str) -> str:
    return readable(error.encode())[:_LONGEST]


def _how(ran: CommandResult, unread: int) -> str:
    if unread:
        return f"it reports {unread} findings, and none of them could be read"
    return f"it ended with status {ran.status}"
