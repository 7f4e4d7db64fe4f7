"""The lines that lead to a finding, as many as people read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vetgate.model import Finding, Step

MOST = 8

_ADDED = re.compile(r"\+(\d+)")


def steps_of(finding: Finding) -> tuple[tuple[Step, ...], int]:
    """The steps to show, and how many are left out. Of a measure the biggest come first; others keep their order."""
    steps = finding.steps
    if finding.value is not None:
        steps = tuple(sorted(steps, key=lambda step: (-_added(step), step.line)))
    return steps[:MOST], max(0, len(steps) - MOST)


def _added(step: Step) -> int:
    found = _ADDED.search(step.text)
    return int(found.group(1)) if found else 0
