"""The lines that lead to a finding, as many as people read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vetgate.model import Finding, Step

MOST = 8


def steps_of(finding: Finding) -> tuple[tuple[Step, ...], int]:
    """The steps to show, and how many are left out. Of a measure the biggest come first; a flow is shown whole."""
    if is_flow(finding):
        return finding.steps, 0
    steps = tuple(sorted(finding.steps, key=lambda step: (-step.weight, step.line)))
    return steps[:MOST], max(0, len(steps) - MOST)


def is_flow(finding: Finding) -> bool:
    """Whether the steps are the way of some data, from where it comes in to the place of the finding."""
    return bool(finding.steps) and finding.value is None
