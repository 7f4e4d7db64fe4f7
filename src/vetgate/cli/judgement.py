"""What a judge came to, told to a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.service.safe_text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.store.records import RecordedJudgement, RecordedModelFinding, RecordedReply


def judgement_lines(judgement: RecordedJudgement) -> Iterator[str]:
    """Its decision, what each model said and used, who disagreed, and what was overruled."""
    agreement = f", models {judgement.agreement}" if len(judgement.replies) > 1 else ""
    yield f"judge {judgement.judge}: {judgement.decision}, {judgement.confidence:.0%} sure{agreement}"
    if judgement.reason:
        yield f"  {printable(judgement.reason)}"
    for reply in judgement.replies:
        yield f"  {printable(reply.model)}: {_answer(reply)}"
        yield f"    {_used(reply)}"
    yield from (f"  disagreement: {printable(each)}" for each in judgement.disagreements)
    yield from (f"  overruled: {_issue(each)}" for each in judgement.overruled)


def issue_lines(judgement: RecordedJudgement) -> Iterator[str]:
    """The findings that decided; a recorded decision lists them among those of all gates."""
    for each in judgement.issues:
        yield f"  {_issue(each)}"
        yield from (f"    fix: {printable(line)}" for line in each.fix.splitlines())


def _answer(reply: RecordedReply) -> str:
    if reply.failure:
        return f"no answer ({reply.failure}): {printable(reply.detail)}"
    reason = f": {printable(reply.reason)}" if reply.reason else ""
    return f"{reply.decision}, {reply.confidence:.0%} sure{reason}"


def _used(reply: RecordedReply) -> str:
    read, written, cached = (reply.tokens.get(name, 0) for name in ("input", "output", "cached"))
    counts = f"{read:,} tokens in, {written:,} out, {cached:,} cached"
    return f"{counts}, {usd(reply.usd)}, {reply.latency_ms / 1000:.1f} s"


def _issue(issue: RecordedModelFinding) -> str:
    place = printable(issue.path) + (f":{issue.line}" if issue.path and issue.line else "")
    by = f" ({printable(issue.model)})" if issue.model else ""
    return "  ".join(filter(None, (place, issue.severity, issue.category, printable(issue.message)))) + by


def usd(amount: float) -> str:
    return f"{amount:.4f} USD"
