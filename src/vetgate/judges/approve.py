"""Whether a call keeps to the project's rules for agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.judgement import Tier
from vetgate.judges import pieces, presets
from vetgate.judges.judge import Judge
from vetgate.judges.triggers import BEFORE

if TYPE_CHECKING:
    from vetgate.judgement import Part
    from vetgate.judges.judge import Context

_MOST_LINES = 1_000


def _parts(context: Context) -> tuple[Part, ...] | None:
    """Without rules there is nothing to hold a call to."""
    rules = pieces.rules(context)
    return (*rules, pieces.said(context), pieces.call(context, _MOST_LINES)) if rules else None


JUDGE = Judge(
    "approve",
    "Compares a call with the project's own rules for agents.",
    Tier.HAIKU,
    BEFORE,
    presets.APPROVE,
    _parts,
    most_lines=_MOST_LINES,
    wants_rules=True,
)
