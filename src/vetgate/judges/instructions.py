"""Whether an edit of the files that agents read as orders is one that the user wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.judgement import Tier
from vetgate.judges import pieces, presets
from vetgate.judges.judge import Judge
from vetgate.judges.path_rules import is_instructions
from vetgate.model import EventKind

if TYPE_CHECKING:
    from vetgate.judgement import Part
    from vetgate.judges.judge import Context

_MOST_LINES = 1_000


def _parts(context: Context) -> tuple[Part, ...] | None:
    if not any(map(is_instructions, pieces.paths_of(context))):
        return None
    return pieces.said(context), pieces.change(context, _MOST_LINES)


JUDGE = Judge(
    "instructions",
    "Judges edits of the project's instructions to agents.",
    Tier.SONNET,
    frozenset({EventKind.BEFORE_EDIT, EventKind.AFTER_EDIT, EventKind.AFTER_COMMAND}),
    presets.INSTRUCTIONS,
    _parts,
    most_lines=_MOST_LINES,
)
