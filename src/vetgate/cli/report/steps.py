"""The lines that lead to a finding, as many as people read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vetgate.model import Finding, Step

MOST = 8


def steps_of(finding: Finding) -> tuple[tuple[Step, ...], int]:
    """The steps to show, and how many are left out. Of a measure the biggest come first; others keep their order."""
    steps = finding.steps
    if finding.value is not None:
        steps = tuple(sorted(steps, key=lambda step: (-step.weight, step.line)))
    return steps[:MOST], max(0, len(steps) - MOST)
