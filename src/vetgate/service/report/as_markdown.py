"""A report to paste into a pull request, an issue or the summary of a workflow."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from vetgate.service.report.run import label
from vetgate.service.safe_text import encodable, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.model import Finding
    from vetgate.service.report.run import Run
    from vetgate.service.review_summary import ReviewSummary

# Whatever a finding quotes stays text: no link, no picture, no HTML, no mention of anybody.
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~@!&])")


def render(run: Run) -> str:
    return encodable("\n".join(_lines(run))) + "\n"


def _lines(run: Run) -> Iterator[str]:
    yield f"## vetgate: {'blocked' if run.blocked else 'passed'}"
    yield ""
    yield _text(run.summary())
    if run.review is not None:
        yield from _review(run.review)
    for path, findings in groupby(run.findings, key=lambda finding: finding.span.path):
        yield ""
        yield f"### {_text(run.shown(path)) or 'Findings'}"
        yield ""
        for finding in findings:
            yield from _finding(finding)
    remarks = [f"{run.shown(each.path)}: {each.reason}" for each in run.verdict.unchecked]
    for title, items in (("Not checked", remarks), ("Checks that failed", run.errors), ("Notes", run.verdict.notes)):
        yield from _listed(title, tuple(items))


def _review(review: ReviewSummary) -> Iterator[str]:
    yield ""
    yield "| loop | result | time | gates |"
    yield "|---|---|---|---|"
    for each in review.loops:
        cells = (f"{each.number} {each.name}", each.status, each.took, each.words)
        yield f"| {' | '.join(map(_text, cells))} |"
    yield ""
    yield review.ship_words
    if review.blockers:
        yield ""
        yield from (f"- {_text(each)}" for each in review.blockers)


def _finding(finding: Finding) -> Iterator[str]:
    first, *rest = finding.message.splitlines() or [""]
    line = f"line {finding.span.line}, " if finding.span.line else ""
    yield f"- **{label(finding)}** {line}{_text(finding.id)}: {_text(first)}"
    yield from (f"  {_text(each)}" for each in rest)
    yield from (f"  Fix: {_text(each)}" for each in finding.fix.splitlines()[:1])


def _listed(title: str, items: tuple[str, ...]) -> Iterator[str]:
    if items:
        yield ""
        yield f"### {title}"
        yield ""
        yield from (f"- {_text(each)}" for each in items)


def _text(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", printable(text))
