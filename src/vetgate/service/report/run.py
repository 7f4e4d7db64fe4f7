"""One run of the checks: everything a report is made of, the code around a finding, who else found the same."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Self

from vetgate.checks import checks_under
from vetgate.engine.decide import decided_by, stops
from vetgate.judgement import JudgeFinding
from vetgate.judges import judge_named
from vetgate.model import SuppressionKind
from vetgate.service.figures import Totals
from vetgate.service.pages import about
from vetgate.service.safe_text import counted, printable
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from vetgate.config.schema import Config
    from vetgate.engine.check import Check, Rule
    from vetgate.model import Finding, Outcome, Span, Step, Verdict
    from vetgate.service.check import Judged
    from vetgate.service.review_summary import ReviewSummary


def merged_reviews(outcomes: Iterable[Outcome]) -> list[Finding]:
    """The gravest of those that are one problem, by place and meaning; what one reviewer lists twice it means twice."""
    kept: list[tuple[Finding, list[str]]] = []
    for outcome in outcomes:
        for finding in outcome.findings:
            at = next((number for number, each in enumerate(kept) if _is_one(each, finding, outcome.gate)), None)
            if at is None:
                kept.append((finding, [outcome.gate]))
            else:
                known, gates = kept[at]
                kept[at] = (max(known, finding, key=_weight), [*gates, outcome.gate])
    return [_named(finding, gates) for finding, gates in kept]


def _weight(finding: Finding) -> tuple[bool, bool, int]:
    return finding.new, not finding.advisory, finding.severity


def _is_one(known: tuple[Finding, list[str]], finding: Finding, gate: str) -> bool:
    from vetgate.judges.consensus import is_same_problem  # noqa: PLC0415 - only where a reviewer found something

    other, gates = known
    return gate not in gates and is_same_problem(_compared(other, gates[0]), _compared(finding, gate))


def _compared(finding: Finding, gate: str) -> JudgeFinding:
    """Two tools name one kind of problem differently: at one place alike words do, elsewhere much alike ones."""
    category = "" if finding.span.path and finding.span.line else gate
    return JudgeFinding(finding.message, category, path=finding.span.path, line=finding.span.line, model=gate)


def _named(finding: Finding, gates: list[str]) -> Finding:
    if len(gates) == 1:
        return finding
    return replace(finding, message=f"{finding.message} ({', '.join(gates)})")


# As many as people read.
_MOST_STEPS = 8
CONTEXT = 1
_TAB = "    "
_SEVERAL = 2
_WIDEST = 160
_SUPPRESSED = {
    SuppressionKind.WAIVER: "waived",
    SuppressionKind.BASELINE: "in the baseline",
    SuppressionKind.GENERATED: "by a tool",
}


@dataclass(frozen=True)
class Run:
    """`shown` gives a path as the user calls it, `text` the content that was judged, `page` what is written of a rule.

    `files` is how many were looked at; `broken` says where a file first does not parse; `gates` what each gate of a
    review came to, `review` what its loops did; `blocked_by` names the gates that hold, `reviewers` those that may find
    the same; `elsewhere` are findings that are shown apart and only counted here.
    """

    verdict: Verdict
    files: int = 0
    broken: Mapping[str, int] = field(default_factory=dict)
    elapsed_ms: float = 0.0
    totals: Totals = field(default_factory=Totals)
    everything: bool = False
    snippets: bool = True
    shown: Callable[[str], str] = lambda path: path
    text: Callable[[str], str | None] = lambda _: None
    checks: Mapping[str, Check] | None = None
    page: Callable[[str], str | None] = lambda _: None
    gates: tuple[Mapping[str, Any], ...] = ()
    review: ReviewSummary | None = None
    blocked_by: tuple[str, ...] = ()
    reviewers: frozenset[str] = frozenset()
    elsewhere: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, judged: Judged, *, everything: bool = False) -> Self:
        return cls(
            verdict=judged.verdict,
            files=judged.files,
            broken=judged.broken,
            elapsed_ms=judged.elapsed_ms,
            totals=judged.totals,
            everything=everything,
            snippets=judged.config.output.snippets,
            shown=lambda path: judged.names.get(path, path),
            text=lru_cache(maxsize=8)(judged.text),
            checks=checks_under(judged.config),
            page=about,
            blocked_by=_holding(judged.verdict, judged.config),
            reviewers=_reviewers(judged.config),
        )

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """In reading order, each once although several gates may report it; old ones only when asked for."""
        if not self.reviewers:
            return _in_order(found for found in self.verdict.findings if found.new or self.everything)
        others = (each for each in self.verdict.outcomes if each.gate not in self.reviewers)
        reviewed = merged_reviews(each for each in self.verdict.outcomes if each.gate in self.reviewers)
        every = (*(found for each in others for found in each.findings), *reviewed)
        return _in_order(found for found in every if found.new or self.everything)

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
        listed = (*self.findings, *self.elsewhere)
        told = [finding for finding in listed if finding.new and not finding.advisory]
        by_severity = Counter(finding.severity for finding in told)
        parts = [counted(by_severity[each], str(each)) for each in sorted(Severity, reverse=True) if by_severity[each]]
        advisory = sum(finding.new and finding.advisory for finding in listed)
        old = sum(not finding.new and finding.suppression is None for finding in listed)
        parts += [f"{number} {what}" for number, what in ((advisory, "advisory"), (old, "from before")) if number]
        return ", ".join((*parts, *self._suppressed()))

    def _suppressed(self) -> list[str]:
        """What is allowed is counted, shown or not."""
        left_out = {
            (each.span.path, each.fingerprint, each.span.line): each.suppression.kind
            for each in self.verdict.findings
            if each.suppression
        }
        numbers = Counter(left_out.values())
        return [f"{numbers[kind]} {words}" for kind, words in _SUPPRESSED.items() if numbers[kind]]

    def summary(self) -> str:
        took = f"{self.elapsed_ms / 1000:.1f} s" if self.elapsed_ms >= 1000 else f"{self.elapsed_ms:.0f} ms"
        state = self._state()
        unchecked = len({each.path for each in self.verdict.unchecked})
        if not self.files and not self.findings:
            return self._nothing(unchecked, took)
        found = self.counts() or "no findings"
        if not unchecked:
            return f"{found} in {counted(self.files, 'file')} ({took}): {state}"
        return f"{found}; {counted(self.files, 'file')} checked, {unchecked} not checked ({took}): {state}"

    def _state(self) -> str:
        """Without a finding that tells why, the gate is named that holds; in a review each of them is."""
        if not self.blocked:
            return self.review.state if self.review is not None else "passed"
        named = self.blocked_by if self.review is not None or not self.findings else ()
        return f"blocked by {', '.join(map(printable, named))}" if named else "blocked"

    def _nothing(self, unchecked: int, took: str) -> str:
        """Nobody looked at anything, so nothing passed either; but a review runs commands, too."""
        if self.review is not None and not unchecked:
            return f"no files to check ({took}): {self._state()}"
        why = f"{counted(unchecked, 'file')} not checked" if unchecked else "no files to check"
        return f"nothing was checked: {why} ({took}){f': {self._state()}' if self.blocked else ''}"


def _holding(verdict: Verdict, config: Config) -> tuple[str, ...]:
    known = (each for each in verdict.outcomes if each.gate in config.gates)
    return tuple(dict.fromkeys(each.gate for each in known if stops(decided_by(each, config))))


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


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a frame; `mark` is how far to indent and how many carets to draw, (0, 0) for none."""

    number: int
    code: str
    mark: tuple[int, int] = (0, 0)


def frame(text: str, span: Span) -> tuple[Line, ...]:
    """Empty where the text does not reach that far."""
    lines = text.split("\n")
    if not 1 <= span.line <= len(lines):
        return ()
    first = max(1, span.line - CONTEXT)
    last = min(len(lines), span.line + CONTEXT)
    return tuple(
        Line(
            number, _cut(_visible(lines[number - 1])), _mark(lines[number - 1], span) if number == span.line else (0, 0)
        )
        for number in range(first, last + 1)
    )


def code_at(text: str, line: int) -> str:
    """One line without its indentation, short enough to stand beside a remark."""
    lines = text.split("\n")
    return _cut(_visible(lines[line - 1].strip()), 80) if 1 <= line <= len(lines) else ""


def _mark(line: str, span: Span) -> tuple[int, int]:
    start = min(span.column - 1, len(line))
    on_one_line = span.end_line in {0, span.line} and span.end_column > span.column
    end = min(span.end_column - 1, len(line)) if on_one_line else len(line.rstrip())
    indent = _width(_visible(line[:start]))
    length = _width(_visible(line[start:end]))
    return (indent, max(1, min(length, _WIDEST - indent))) if indent < _WIDEST else (0, 0)


def _visible(code: str) -> str:
    return printable(code.replace("\t", _TAB))


def _cut(code: str, widest: int = _WIDEST) -> str:
    return code if len(code) <= widest else code[: widest - 1] + "…"


def _width(text: str) -> int:
    """Columns on a terminal: an East Asian wide character takes two, a combining one none."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


def _in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    unique = {(each.span.path, each.fingerprint, each.span.line): each for each in findings}
    return tuple(sorted(unique.values(), key=lambda each: (each.span.path, each.span.line, each.span.column, each.id)))


def _reviewers(config: Config) -> frozenset[str]:
    asking = {name: gate for name, gate in config.gates.items() if gate.judge or gate.reviews}
    if len(asking) < _SEVERAL:
        return frozenset()
    reviewing = (name for name, gate in asking.items() if gate.reviews or judge_named(gate.judge).reviews)
    return frozenset(reviewing)
