"""Whether the denial of another judge stands, seen with the whole conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.judgement import JudgeDecision, Part, Tier
from vetgate.judges import pieces, presets
from vetgate.judges.judge import Judge
from vetgate.judges.triggers import BEFORE
from vetgate.model import EventKind

if TYPE_CHECKING:
    from vetgate.judgement import Judgement
    from vetgate.judges.judge import Context

_MOST_LINES = 1_000


def _parts(context: Context) -> tuple[Part, ...] | None:
    if not context.denied_by:
        return None
    denial = Part("The denial", f"judge: {context.denied_by}\n{context.denial}")
    return denial, pieces.conversation(context), pieces.call(context, _MOST_LINES)


def is_overturned(denied: Judgement, appealed: Judgement | None) -> bool:
    """Whether the denial falls: only that of the judge itself, and never one of another appeal."""
    if appealed is None or appealed.judge != JUDGE.id or denied.judge == JUDGE.id:
        return False
    return denied.decision is JudgeDecision.DENY and appealed.decision is JudgeDecision.ALLOW


JUDGE = Judge(
    "appeal",
    "Reviews another judge's denial with the whole conversation, and upholds or overturns it.",
    Tier.HAIKU,
    BEFORE | {EventKind.STOP},
    presets.APPEAL,
    _parts,
    most_lines=_MOST_LINES,
)
