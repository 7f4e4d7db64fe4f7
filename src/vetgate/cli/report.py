"""What was found, for people in a terminal; other formats are the service layer's."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from vetgate.service import report
from vetgate.service.report.run import code_at, frame, is_flow, label, steps_of
from vetgate.service.safe_text import printable
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.model import Finding
    from vetgate.service.report.run import Run
    from vetgate.service.review_summary import ReviewSummary

FORMATS = ("text", *report.FORMATS)
# As many as somebody reads one after the other; of more, this many of each rule, below a table.
_READ_WHOLE = 20
_OF_EACH_RULE = 3
_COPIES = 4
_WORST_FILES = 5
_STATUS = {"passed": "green", "failed": "red"}
_COLOURS = {Severity.CRITICAL: "magenta", Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def render(run: Run, form: str, *, colour: bool = False, capped: bool = False) -> str:
    """In text, and `capped`, more findings than people read come as a summary with some of each rule."""
    if form != "text":
        return report.render(run, form)
    styled = "\n".join(_lines(run, capped=capped)) + "\n"
    return styled if colour else click.unstyle(styled)


def statistics(run: Run) -> str:
    """How many findings each rule has, and nothing else of them."""
    groups = sorted(_by_rule(run), key=len, reverse=True)
    width = len(str(max(map(len, groups), default=0)))
    lines = [f"{len(group):>{width}}  {group[0].id}  {label(group[0])}" for group in groups]
    return "\n".join([*lines, *([""] if lines else ()), run.summary()]) + "\n"


def _lines(run: Run, *, capped: bool) -> Iterator[str]:
    if not capped:
        yield from _findings(run, [(each,) for each in run.findings])
    elif len(run.findings) <= _READ_WHOLE:
        yield from _findings(run, _copies(run.findings))
    else:
        yield from _overview(run)
        for group in _by_rule(run):
            yield from _some(run, group)
    for each in run.verdict.unchecked:
        yield f"{_yellow('not checked')}  {printable(run.shown(each.path))}: {printable(each.reason)}"
    for path, line in run.broken.items():
        yield f"{_yellow('does not parse')}  {printable(run.shown(path))}:{line}: what parses was checked"
    for error in run.errors:
        yield f"{click.style('a check failed', fg='red', bold=True)}  {printable(error)}"
    for note in run.verdict.notes:
        yield printable(note)
    if run.review is not None:
        yield from _review(run.review)
    yield click.style(run.summary(), fg="red" if run.blocked else "green", bold=True)


def _overview(run: Run) -> Iterator[str]:
    """Where to begin: how many findings of each check, and the files with most of them."""
    kinds = [str(each) for each in sorted(Severity, reverse=True)] + ["advice"]
    rows = Counter((finding.check, label(finding)) for finding in run.findings)
    kinds = [kind for kind in kinds if any(kind == each for _, each in rows)]
    checks = Counter(finding.check for finding in run.findings)
    width = max(map(len, checks))
    yield click.style(f"{'':{width}}  {'  '.join(f'{kind:>8}' for kind in kinds)}", dim=True)
    for check, _ in checks.most_common():
        numbers = (str(rows[check, kind] or "") for kind in kinds)
        yield f"{check:{width}}  {'  '.join(f'{number:>8}' for number in numbers)}".rstrip()
    yield ""
    files = Counter(finding.span.path for finding in run.findings).most_common(_WORST_FILES)
    yield "most findings: " + ", ".join(f"{printable(run.shown(path))} ({number})" for path, number in files)
    yield ""


def _by_rule(run: Run) -> list[list[Finding]]:
    """The worst rule first, then the one with most; in a group, in reading order."""
    groups: dict[str, list[Finding]] = {}
    for finding in run.findings:
        groups.setdefault(finding.id, []).append(finding)
    return sorted(groups.values(), key=lambda group: (group[0].advisory, -group[0].severity, -len(group)))


def _some(run: Run, group: list[Finding]) -> Iterator[str]:
    shown = _copies(group)[:_OF_EACH_RULE]
    yield from _findings(run, shown)
    left = len(group) - sum(map(len, shown))
    if left:
        yield f"{left} more of {group[0].id}: --all-findings --select {group[0].id}"
        yield ""


def _copies(findings: Iterable[Finding]) -> list[tuple[Finding, ...]]:
    """What is the same in several files, once."""
    alike: dict[tuple[object, ...], list[Finding]] = {}
    for each in findings:
        alike.setdefault((each.id, each.fingerprint, each.message, each.suppression, each.new), []).append(each)
    return list(map(tuple, alike.values()))


def _findings(run: Run, copies: Iterable[tuple[Finding, ...]]) -> Iterator[str]:
    place, fix = ("", 0), ""
    for finding, *others in copies:
        # Several measures of one function: its code is shown once.
        yield from _finding(run, finding, framed=(finding.span.path, finding.span.line) != place, fixed=fix)
        if others:
            places = ", ".join(f"{printable(run.shown(each.span.path))}:{each.span.line}" for each in others[:_COPIES])
            more = f" and {len(others) - _COPIES} more" if others[_COPIES:] else ""
            yield f"  the same at {places}{more}"
        yield ""
        place, fix = (finding.span.path, finding.span.line), finding.fix


def _review(review: ReviewSummary) -> Iterator[str]:
    """One line for each loop; why nothing may ship, and what could not run."""
    width = max((len(f"{each.number} {each.name}") for each in review.loops), default=0)
    for each in review.loops:
        name = f"{each.number} {each.name}"
        status = click.style(f"{each.status:<7}", fg=_STATUS.get(each.status, "yellow"), bold=True)
        yield f"{name:<{width}}  {status}  {each.took:>8}  {printable(each.words)}".rstrip()
    if review.ship_allowed:
        yield click.style(review.ship_words, fg="green")
    else:
        yield click.style(review.ship_words, fg="yellow")
        yield from (f"  - {printable(each)}" for each in review.blockers)
    if review.log:
        yield click.style(f"log: {printable(review.log)}", dim=True)


def _finding(run: Run, finding: Finding, *, framed: bool, fixed: str) -> Iterator[str]:
    """`framed` with its code; `fixed` is the fix that was said just before."""
    span = finding.span
    place = click.style(f"{printable(run.shown(span.path))}:{span.line}:{span.column}", bold=True)
    severity = click.style(label(finding), fg=_colour(finding), bold=True)
    why = printable(finding.suppression.reason) if finding.suppression else "was there before"
    old = "" if finding.new else click.style(f"  ({why})", dim=True)
    yield f"{place}  {severity}  {finding.id}  {click.style(finding.fingerprint, dim=True)}{old}"
    yield from (f"  {printable(line)}" for line in finding.message.splitlines())
    text = run.text(span.path) if run.snippets else None
    if text is not None and framed:
        yield from _frame(text, finding)
    yield from _flow(text or "", finding) if is_flow(finding) else _steps(text or "", finding)
    for number, line in enumerate(finding.fix.splitlines() if finding.fix != fixed else ()):
        lead = "    " if number else click.style("fix:", fg="green")
        yield f"  {lead} {printable(line)}"


def _yellow(text: str) -> str:
    return click.style(text, fg="yellow")


def _colour(finding: Finding) -> str:
    return _COLOURS[Severity.NOTE if finding.advisory else finding.severity]


def _frame(text: str, finding: Finding) -> Iterator[str]:
    lines = frame(text, finding.span)
    digits = len(str(lines[-1].number)) if lines else 0
    for line in lines:
        indent, length = line.mark
        pointer = click.style(">", fg=_colour(finding)) if length else " "
        yield f"  {pointer} {click.style(f'{line.number:>{digits}} |', dim=True)} {line.code}".rstrip()
        if length:
            carets = click.style("^" * length, fg=_colour(finding))
            yield f"    {' ' * digits} {click.style('|', dim=True)} {' ' * indent}{carets}"


def _flow(text: str, finding: Finding) -> Iterator[str]:
    """In order; the code of the last line, where it ends, stands in the frame already. On one line it is no way."""
    if all(step.line == finding.span.line for step in finding.steps):
        return
    width = max((len(printable(step.text)) for step in finding.steps[:-1]), default=0)
    digits = max(len(str(step.line)) for step in finding.steps)
    for number, step in enumerate(finding.steps, 1):
        code = code_at(text, step.line) if number < len(finding.steps) else ""
        told = f"{number}. line {step.line:>{digits}}  {printable(step.text):<{width}}"
        yield f"    {told}  {click.style(code, dim=True)}".rstrip() if code else f"    {told.rstrip()}"


def _steps(text: str, finding: Finding) -> Iterator[str]:
    steps, left_out = steps_of(finding)
    width = max((len(step.text) for step in steps), default=0)
    for step in steps:
        code = click.style(code_at(text, step.line), dim=True)
        yield f"    line {step.line:<5} {printable(step.text):<{width}}  {code}".rstrip()
    if left_out:
        yield f"    and {left_out} more"
