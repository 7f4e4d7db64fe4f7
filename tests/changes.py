"""One check over a change of files given as text, for tables of edits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.config.load import defaults
from vetgate.engine.analysis import Analyzer
from vetgate.engine.decide import blocks
from vetgate.engine.run import CheckRunner
from vetgate.model import Change, EventKind, File, Gate
from vetgate.severity import Severity
from vetgate.source.clock import Deadline

if TYPE_CHECKING:
    from vetgate.engine.check import Check


def judged(
    check: Check, *files: File, around: dict[str, str] | None = None, root: Path = Path(), final: bool = False
) -> tuple[str, list[str]]:
    """`block`, `told` or `silent`, and the rules."""
    gate = Gate("g", (check.id,))

    def others(name: str, path: str):
        return [(place, text) for place, text in (around or {}).items() if name in text and place != path]

    config = defaults()
    # What is put off has to be answered for somewhere.
    config = replace(config, on={**config.on, EventKind.STOP: (*config.on[EventKind.STOP], gate.id)})
    runner = CheckRunner(Change(root, files), Analyzer({check.id: check}), config, Deadline.never(), final=final)
    if around is not None:
        runner = replace(runner, around=others, sees_all=(root / ".git").exists)
    outcome = runner.run(gate)
    assert (outcome.error, outcome.unchecked) == ("", ())
    new = [finding for finding in outcome.findings if finding.new and finding.severity > Severity.NOTE]
    word = "block" if any(blocks(finding, gate) for finding in new) else "told" if new else "silent"
    return word, [finding.rule for finding in new]
