"""One page to pass around: no script, nothing loaded from anywhere, light or dark as the reader likes."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from vetgate import __version__
from vetgate.service.report.run import code_at, frame, is_flow, label, steps_of
from vetgate.service.safe_text import encodable, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.model import Finding
    from vetgate.service.report.run import Run
    from vetgate.service.review_summary import ReviewSummary

_STYLE = """
:root { color-scheme: light dark; --edge: #8884; --soft: #8882;
  --critical: #a21caf; --error: #dc2626; --warning: #b45309; --note: #0369a1; --good: #15803d; }
@media (prefers-color-scheme: dark) {
  :root { --critical: #e879f9; --error: #f87171; --warning: #fbbf24; --note: #38bdf8; --good: #4ade80; }
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font: 600 1rem ui-monospace, monospace; margin-top: 2.5rem; overflow-wrap: anywhere; }
article { border-left: 4px solid var(--edge); padding: .1rem 0 .1rem 1rem; margin: 1.2rem 0; }
.critical { border-color: var(--critical); } .error { border-color: var(--error); }
.warning { border-color: var(--warning); } .note, .advice { border-color: var(--note); }
b.critical { color: var(--critical); } b.error, .blocked { color: var(--error); } b.warning { color: var(--warning); }
b.note, b.advice { color: var(--note); } .passed { color: var(--good); }
pre, code, .place { font-family: ui-monospace, monospace; font-size: .85rem; }
pre { background: var(--soft); border-radius: 6px; padding: .6rem .8rem; overflow-x: auto; }
mark { background: none; color: inherit; text-decoration: underline wavy var(--error); }
td { padding: .1rem .8rem .1rem 0; vertical-align: top; } .place, footer, i { opacity: .75; }
"""


def render(run: Run) -> str:
    return encodable("\n".join(_page(run))) + "\n"


def _page(run: Run) -> Iterator[str]:
    state = "blocked" if run.blocked else "passed"
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>vetgate: {state}</title><style>{_STYLE}</style></head><body>"
    yield f'<h1>vetgate: <span class="{state}">{state}</span></h1>'
    yield f"<p>{_text(run.summary())}</p>"
    if run.review is not None:
        yield from _loops(run.review)
    for path, findings in groupby(run.findings, key=lambda finding: finding.span.path):
        yield f"<section><h2>{_text(run.shown(path))}</h2>"
        for finding in findings:
            yield from _article(run, finding)
        yield "</section>"
    yield from _rest(run)
    yield f"<footer><p>vetgate {__version__}</p></footer></body></html>"


def _loops(review: ReviewSummary) -> Iterator[str]:
    yield "<table><tr><th>loop</th><th>result</th><th>time</th><th>gates</th></tr>"
    for each in review.loops:
        cells = (f"{each.number} {each.name}", each.status, each.took, each.words)
        yield f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in cells)}</tr>"
    yield f"</table><p>{_text(review.ship_words)}</p>"
    if review.blockers:
        yield f"<ul>{''.join(f'<li>{_text(each)}</li>' for each in review.blockers)}</ul>"


def _article(run: Run, finding: Finding) -> Iterator[str]:
    severity = label(finding)
    old = "" if finding.new else " <i>was there before</i>"
    yield f'<article class="{severity}">'
    yield f'<p><b class="{severity}">{severity}</b> <code>{_text(finding.id)}</code>'
    yield f'<span class="place">line {finding.span.line}, column {finding.span.column}</span>{old}</p>'
    yield f"<p>{_text(finding.message)}</p>"
    text = run.text(finding.span.path) if run.snippets else None
    if text is not None:
        yield _frame(text, finding)
    yield from _steps(text or "", finding)
    if finding.fix:
        yield f"<p><b>Fix</b>: {_text(finding.fix)}</p>"
    yield "</article>"


def _frame(text: str, finding: Finding) -> str:
    lines = frame(text, finding.span)
    shown = (f"{line.number:>6}  {_marked(line.code) if line.mark[1] else escape(line.code)}" for line in lines)
    return f"<pre>{chr(10).join(shown)}</pre>" if lines else ""


def _marked(code: str) -> str:
    bare = code.lstrip()
    return f"{code[: len(code) - len(bare)]}<mark>{escape(bare)}</mark>"


def _steps(text: str, finding: Finding) -> Iterator[str]:
    steps, left_out = steps_of(finding)
    if not steps:
        return
    yield "<details open><summary>Where it comes from</summary><table>"
    for number, step in enumerate(steps, 1):
        lead = f"<td>{number}.</td>" if is_flow(finding) else ""
        yield f"<tr>{lead}<td>line {step.line}</td><td>{_text(step.text)}</td>"
        yield f"<td><code>{escape(code_at(text, step.line))}</code></td></tr>"
    yield "</table>"
    if left_out:
        yield f"<p>and {left_out} more</p>"
    yield "</details>"


def _rest(run: Run) -> Iterator[str]:
    remarks = [f"{printable(run.shown(each.path))}: {each.reason}" for each in run.verdict.unchecked]
    for title, items in (("Not checked", remarks), ("Checks that failed", run.errors), ("Notes", run.verdict.notes)):
        if items:
            yield f"<h2>{title}</h2><ul>"
            yield from (f"<li>{_text(item)}</li>" for item in items)
            yield "</ul>"


def _text(text: str) -> str:
    return escape(printable(text))
