"""Whether the agent does what it has just said it would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.agents.conversation import Speaker
from vetgate.judgement import Tier
from vetgate.judges import pieces, presets
from vetgate.judges.judge import Judge
from vetgate.judges.triggers import BEFORE

if TYPE_CHECKING:
    from vetgate.judgement import Part
    from vetgate.judges.judge import Context

_MOST_LINES = 400


def _parts(context: Context) -> tuple[Part, ...] | None:
    """Who said nothing is held to nothing."""
    if not context.conversation.of(Speaker.ASSISTANT):
        return None
    return pieces.said(context), pieces.announced(context), pieces.call(context, _MOST_LINES)


JUDGE = Judge(
    "align",
    "Compares a call with what the agent said it would do.",
    Tier.HAIKU,
    BEFORE,
    presets.ALIGN,
    _parts,
    most_tokens=512,
    most_lines=_MOST_LINES,
    needs_transcript=True,
)
