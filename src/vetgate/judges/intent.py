"""Whether a call serves what the user asked for."""

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

_MOST_LINES = 600


def _parts(context: Context) -> tuple[Part, ...] | None:
    """Whom nobody asked for anything cannot go against it."""
    if not context.conversation.of(Speaker.USER):
        return None
    return pieces.conversation(context), pieces.call(context, _MOST_LINES)


JUDGE = Judge(
    "intent",
    "Asks whether a call serves what the user asked for.",
    Tier.HAIKU,
    BEFORE,
    presets.INTENT,
    _parts,
    most_lines=_MOST_LINES,
)
