"""Whether a plan, or a step that follows one, still does what was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.judgement import Part, Tier
from vetgate.judges import pieces, presets
from vetgate.judges.judge import Judge
from vetgate.judges.path_rules import PathRules
from vetgate.judges.triggers import BEFORE

if TYPE_CHECKING:
    from vetgate.judges.judge import Context

_MOST_LINES = 1_000
_MOST_PLAN = 20_000


def _parts(context: Context) -> tuple[Part, ...] | None:
    """Asked of writes to a plan, of calls in plan mode, and of changes while there is a plan to follow."""
    paths = PathRules(context.root, context.sensitive)
    writes_plan = any(paths.is_plan(path) for path in pieces.paths_of(context))
    if not (writes_plan or context.event.plans or (context.plan and not context.event.only_reads)):
        return None
    mode = "The agent is in plan mode." if context.event.plans else "The agent is not in plan mode."
    plan = Part("The plan so far", pieces.words(context, context.plan, _MOST_PLAN) or "(none)")
    return pieces.said(context), plan, Part("Mode", mode), pieces.call(context, _MOST_LINES)


JUDGE = Judge(
    "plan",
    "Compares a plan with the request, and the work with the plan.",
    Tier.SONNET,
    BEFORE,
    presets.PLAN,
    _parts,
    most_lines=_MOST_LINES,
)
