"""The report for people in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vetgate.cli.report.frame import code_at, frame
from vetgate.cli.report.run import is_flow, label, steps_of
from vetgate.model import Severity
from vetgate.service.safe_text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.cli.report.run import Run
    from vetgate.model import Finding

_COLOURS = {Severity.CRITICAL: "magenta", Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def render(run: Run) -> str:
    styled = "\n".join(_lines(run)) + "\n"
    return styled if run.colour else click.unstyle(styled)


def _lines(run: Run) -> Iterator[str]:
    place = ("", 0)
    for finding in run.findings:
        # Several measures of one function: its code is shown once.
        yield from _finding(run, finding, framed=(finding.span.path, finding.span.line) != place)
        yield ""
        place = (finding.span.path, finding.span.line)
    for each in run.verdict.unchecked:
        yield f"{_yellow('not checked')}  {printable(run.shown(each.path))}: {printable(each.reason)}"
    for path, line in run.broken.items():
        yield f"{_yellow('does not parse')}  {printable(run.shown(path))}:{line}: what parses was checked"
    for error in run.errors:
        yield f"{click.style('a check failed', fg='red', bold=True)}  {printable(error)}"
    for note in run.verdict.notes:
        yield printable(note)
    yield click.style(run.summary(), fg="red" if run.blocked else "green", bold=True)


def _finding(run: Run, finding: Finding, *, framed: bool) -> Iterator[str]:
    span = finding.span
    place = click.style(f"{printable(run.shown(span.path))}:{span.line}:{span.column}", bold=True)
    severity = click.style(label(finding), fg=_colour(finding), bold=True)
    why = printable(finding.suppression.reason) if finding.suppression else "was there before"
    old = "" if finding.new else click.style(f"  ({why})", dim=True)
    yield f"{place}  {severity}  {finding.id}{old}"
    yield from (f"  {printable(line)}" for line in finding.message.splitlines())
    text = run.text(span.path) if run.snippets else None
    if text is not None and framed:
        yield from _frame(text, finding)
    yield from _flow(text or "", finding) if is_flow(finding) else _steps(text or "", finding)
    for number, line in enumerate(finding.fix.splitlines()):
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
    """In order; the code of the last line, where it ends, stands in the frame already."""
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
