"""Whether an edit changes the style of code that nobody asked it to touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.judgement import Tier
from vetgate.judges import pieces, presets
from vetgate.judges.judge import Judge
from vetgate.model import EventKind

if TYPE_CHECKING:
    from vetgate.judgement import Part
    from vetgate.judges.judge import Context

_MOST_LINES = 600


def _parts(context: Context) -> tuple[Part, ...] | None:
    """A style can drift only where there was one: in lines that are replaced."""
    change = context.event.change or context.change
    if change is None or not any(pieces.replaces_lines(file) for file in change.files):
        return None
    return pieces.said(context), pieces.change(context, _MOST_LINES)


JUDGE = Judge(
    "drift",
    "Finds style changes that nobody asked for.",
    Tier.HAIKU,
    frozenset({EventKind.BEFORE_EDIT, EventKind.AFTER_EDIT}),
    presets.DRIFT,
    _parts,
    most_lines=_MOST_LINES,
)
