"""One run of `vetgate check`: everything that a report is made of."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from vetgate.engine.decide import stops
from vetgate.model import Severity, SuppressionKind
from vetgate.service.figures import Totals

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from vetgate.engine.check import Check, Rule
    from vetgate.model import Finding, Step, Verdict

# As many as people read.
_MOST_STEPS = 8
_SUPPRESSED = {
    SuppressionKind.WAIVER: "waived",
    SuppressionKind.BASELINE: "in the baseline",
    SuppressionKind.GENERATED: "by a tool",
}


def _same_name(path: str) -> str:
    return path


def _no_text(path: str) -> str | None:  # noqa: ARG001
    return None


@dataclass(frozen=True)
class Run:
    """`shown` gives a path as the user calls it, `text` the content that was judged, `page` what is written of a rule.

    `files` is how many were looked at; `broken` says where a file first does not parse.
    """

    verdict: Verdict
    root: Path
    files: int = 0
    broken: Mapping[str, int] = field(default_factory=dict)
    elapsed_ms: float = 0.0
    totals: Totals = field(default_factory=Totals)
    everything: bool = False
    snippets: bool = True
    colour: bool = False
    shown: Callable[[str], str] = _same_name
    text: Callable[[str], str | None] = _no_text
    checks: Mapping[str, Check] | None = None
    page: Callable[[str], str | None] = _no_text

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """In reading order, each once although several gates may report it; old ones only when asked for."""
        unique = {
            (finding.span.path, finding.fingerprint, finding.span.line): finding
            for finding in self.verdict.findings
            if finding.new or self.everything
        }
        return tuple(
            sorted(unique.values(), key=lambda each: (each.span.path, each.span.line, each.span.column, each.id))
        )

    def rule(self, identity: str) -> Rule | None:
        family, _, name = identity.partition("/")
        check = (self.checks or {}).get(family)
        return next((rule for rule in check.rules if rule.id == name), None) if check else None

    @property
    def errors(self) -> tuple[str, ...]:
        """What broke inside a check; the user's code is not to blame."""
        return tuple(dict.fromkeys(outcome.error for outcome in self.verdict.outcomes if outcome.error))

    @property
    def blocked(self) -> bool:
        return stops(self.verdict.decision)

    def counts(self) -> str:
        """`2 errors, 1 warning, 3 advisory`, strongest first; empty without findings.

        What blocks nobody is counted apart: an error is something to put right.
        """
        told = [finding for finding in self.findings if finding.new and not finding.advisory]
        by_severity = Counter(finding.severity for finding in told)
        parts = [counted(by_severity[each], str(each)) for each in sorted(Severity, reverse=True) if by_severity[each]]
        advisory = sum(finding.new and finding.advisory for finding in self.findings)
        old = sum(not finding.new for finding in self.findings)
        parts += [f"{number} {what}" for number, what in ((advisory, "advisory"), (old, "from before")) if number]
        return ", ".join((*parts, *self._suppressed()))

    def _suppressed(self) -> list[str]:
        """What is allowed is counted, though it is not shown."""
        if self.everything:
            return []
        left_out = {each.fingerprint: each.suppression.kind for each in self.verdict.findings if each.suppression}
        numbers = Counter(left_out.values())
        return [f"{numbers[kind]} {words}" for kind, words in _SUPPRESSED.items() if numbers[kind]]

    def summary(self) -> str:
        took = f"{self.elapsed_ms / 1000:.1f} s" if self.elapsed_ms >= 1000 else f"{self.elapsed_ms:.0f} ms"
        state = "blocked" if self.blocked else "passed"
        unchecked = len({each.path for each in self.verdict.unchecked})
        if not self.files and not self.findings:
            return self._nothing(unchecked, took)
        found = self.counts() or "no findings"
        if not unchecked:
            return f"{found} in {counted(self.files, 'file')} ({took}): {state}"
        return f"{found}; {counted(self.files, 'file')} checked, {unchecked} not checked ({took}): {state}"

    def _nothing(self, unchecked: int, took: str) -> str:
        """Nobody looked at anything, so nothing passed either."""
        why = f"{counted(unchecked, 'file')} not checked" if unchecked else "no files to check"
        return f"nothing was checked: {why} ({took}){': blocked' if self.blocked else ''}"


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 or noun == "critical" else f"{number} {noun}s"


def label(finding: Finding) -> str:
    """How much it weighs, in a word: what blocks nobody is advice, however severe its rule."""
    return "advice" if finding.advisory else str(finding.severity)


def steps_of(finding: Finding) -> tuple[tuple[Step, ...], int]:
    """The steps to show, and how many are left out. Of a measure the biggest come first; a flow is shown whole."""
    if is_flow(finding):
        return finding.steps, 0
    steps = tuple(sorted(finding.steps, key=lambda step: (-step.weight, step.line)))
    return steps[:_MOST_STEPS], max(0, len(steps) - _MOST_STEPS)


def is_flow(finding: Finding) -> bool:
    """Whether the steps are the way of some data, from where it comes in to the place of the finding."""
    return bool(finding.steps) and finding.value is None
