"""Adopting the gate on code that has findings already: the list of them only shrinks by itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.config import baseline
from vetgate.config.person import require_person
from vetgate.engine.suppressions import can_be_waived
from vetgate.model import BASELINE_NAME, UserError
from vetgate.progress import Progress, unseen
from vetgate.redact import holds_token
from vetgate.service.acceptance import hand
from vetgate.service.check import judge_files, waived
from vetgate.service.configuration import Configurations, open_store
from vetgate.service.selection import select
from vetgate.severity import Severity
from vetgate.source.replace import read_bytes, write_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.config.baseline import BaselineEntry, Listed
    from vetgate.service.selection import Selection


@dataclass(frozen=True, slots=True)
class WrittenBaseline:
    """All that is listed now."""

    entries: tuple[BaselineEntry, ...]

    @property
    def rules(self) -> Counter[str]:
        return Counter(entry.rule for entry in self.entries)

    @property
    def secrets(self) -> int:
        """How many no list makes safe."""
        return sum(not can_be_waived(entry.rule.partition("/")[0]) for entry in self.entries)


@dataclass(frozen=True, slots=True)
class Shrunk:
    """How many findings are gone, how many are new and in no list, and how many are `left` in it."""

    gone: int
    new: int
    left: int


@dataclass(frozen=True, slots=True)
class OldFindings:
    """What is found in code that was there before the gate; `critical` of them are critical."""

    found: int
    critical: int


def old_findings(root: Path, progress: Progress = unseen) -> OldFindings:
    """What `vetgate check` would count, advice aside."""
    (selection,) = select((), root)
    config = Configurations().in_force(root).config
    judged = judge_files(selection, config, suppressions=waived(root), progress=progress)
    counted = [each.severity for each in judged.verdict.findings if each.new and not each.advisory]
    return OldFindings(len(counted), counted.count(Severity.CRITICAL))


def write_baseline(cwd: Path, progress: Progress = unseen) -> WrittenBaseline:
    """List everything that is found now; only a person can."""
    require_person(f"add to {BASELINE_NAME}")
    (selection,) = select((), cwd)
    now = _found(selection, progress)
    with open_store(selection.root) as store:
        if store.problem:
            raise UserError(f"nothing can be accepted: {store.problem}")
        _write(selection.root, now)
        store.set_baseline(baseline.text(now), hand())
    return WrittenBaseline(tuple(entry for entries in now.values() for entry in entries.values()))


def shrink_baseline(cwd: Path, *, only_check: bool = False, progress: Progress = unseen) -> Shrunk:
    """Take out what is no longer found, or only say how much that is."""
    (selection,) = select((), cwd)
    known = baseline.read(selection.root)
    if known is None:
        hint = "`vetgate baseline --write` makes one, in a terminal"
        raise UserError(f"there is no {BASELINE_NAME}", hint=hint)
    now = _found(selection, progress)
    smaller = baseline.common(known, now)
    gone, new = len(baseline.beyond(known, smaller)), len(baseline.beyond(now, known))
    if gone and not only_check:
        _write(selection.root, smaller)
    return Shrunk(gone, new, baseline.count(smaller))


def _found(selection: Selection, progress: Progress) -> Listed:
    """Everything that counts now, with no regard to what is listed; what is waived has an end of its own."""
    root = selection.root
    config = Configurations().in_force(root).config
    judged = judge_files(selection, config, suppressions=waived(root), progress=progress)
    listed: dict[str, dict[str, BaselineEntry]] = {}
    for finding in judged.verdict.findings:
        # A name that holds a secret is written nowhere.
        if finding.new and not holds_token(finding.span.path):
            entries = listed.setdefault(finding.span.path, {})
            entries[finding.fingerprint] = baseline.BaselineEntry(finding.id, finding.value)
    return listed


def _write(root: Path, listed: Listed) -> None:
    path = root / BASELINE_NAME
    write_bytes(path, baseline.text(listed).encode(), expected=read_bytes(path))
