"""A recorded decision, told to a person: in a line, or the whole of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from vetgate.cli.judgement import judgement_lines
from vetgate.model import Status
from vetgate.record import acceptance_words
from vetgate.service.decisions import ways_to_pass
from vetgate.service.safe_text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.store.records import DecisionBody, RecordedDecision, RecordedFinding, RecordedGate

_VERBS = {"block": "blocked it", "halt": "halted it", "ask": "put it to a person"}
_EARLIER = 5
_COLOURS = {"block": "red", "halt": "red", "lost": "red", "ask": "yellow", "warn": "yellow"}
_RULES_SHOWN = 4
_FILES_SHOWN = 5
_COMMAND_SHOWN = 80


def line(row: RecordedDecision) -> str:
    body = row.body
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(row.time))
    decision = body.decision
    colour = _COLOURS.get(decision, "cyan" if row.is_acceptance else None)
    head = f"{when}  {row.id}  {click.style(f'{decision:<5}', fg=colour)}"
    if row.is_acceptance:
        return f"{head}  {printable(acceptance_words(row))}"
    about = _about(body)
    rules = list(dict.fromkeys(each.id for each in body.findings if each.new)) or _unwell(body)
    found = f"  {', '.join(rules[:_RULES_SHOWN])}{' …' if len(rules) > _RULES_SHOWN else ''}" if rules else ""
    session = f"  session {printable(row.session[:8])}" if row.session else ""
    return f"{head}  {row.event}  {about}{found}  {body.elapsed_ms} ms{session}"


def _about(body: DecisionBody) -> str:
    """The command, then the files, as far as a line has room for them."""
    files = [printable(each) for each in body.files]
    more = f" and {len(files) - _FILES_SHOWN} more" if len(files) > _FILES_SHOWN else ""
    named = ", ".join(files[:_FILES_SHOWN]) + more
    command = f"`{printable(body.command[:_COMMAND_SHOWN])}`" if body.command else ""
    return "  ".join(filter(None, (command, named))) or printable(body.tool)


def _unwell(body: DecisionBody) -> list[str]:
    """Gates that found nothing to point at: a command of the project, or a check that could not finish."""
    return [
        f"gate {printable(each.gate)} {each.status}"
        for each in body.gates
        if each.status in {Status.FAILED, Status.ERRORED}
    ]


def render_decision(row: RecordedDecision, *earlier: RecordedDecision) -> Iterator[str]:
    """The newest decision of an id, and when the same was decided before."""
    body = row.body
    if row.is_acceptance:
        yield line(row)
        return
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(row.time))
    yield click.style(f"{row.id}: {body.decision}", bold=True)
    yield f"  when     {when}, in {body.elapsed_ms} ms"
    session = f", session {printable(row.session)}" if row.session else ""
    yield f"  event    {row.event}, {_by(body, row.event)}{session}"
    if body.command:
        yield f"  command  {printable(body.command)}"
    yield f"  files    {', '.join(map(printable, body.files)) or 'none'}"
    for gate in body.gates:
        yield f"  gate     {_gate(gate, body.decision)} in {gate.elapsed_ms} ms"
        yield from (f"           {each}" for each in (judgement_lines(gate.judgement) if gate.judgement else ()))
    for finding in body.findings:
        yield from _finding(finding)
    for item in body.unchecked:
        yield f"  not checked  {printable(item.path)}: {printable(item.reason)}"
    for note in body.notes:
        yield f"  note     {printable(note)}"
    yield f"  judged by vetgate {body.version}{f', client {printable(body.client)}' if body.client else ''}"
    changes = list(dict.fromkeys(ways_to_pass(body)))
    if changes:
        yield "  what would have changed the verdict:"
        yield from (f"    - {each}" for each in changes)
    if earlier:
        times = "once" if len(earlier) == 1 else f"{len(earlier)} times"
        yield f"  the same came {times} before:"
        yield from (f"    {line(each)}" for each in earlier[:_EARLIER])


def _gate(gate: RecordedGate, decision: str) -> str:
    name = gate.gate
    if gate.error:
        return f"{name} could not finish ({printable(gate.error)})"
    if gate.status == Status.FAILED:
        return f"{name} {_VERBS.get(decision, 'found something, and let it pass')}"
    return f"{name} {gate.status}"


def _finding(finding: RecordedFinding) -> Iterator[str]:
    old = "" if finding.new else f" ({printable(finding.suppression or 'was there before')})"
    old += " (let pass, and the end of the turn is held until it is fixed)" if finding.later else ""
    place = f"{printable(finding.path)}:{finding.line}" if finding.path else "the command"
    yield f"  finding  {place}  {finding.severity}  {finding.id}, gate {finding.gate}{old}"
    yield f"           {printable(finding.message)}"
    sure = f", {finding.confidence:.0%} sure" if finding.confidence < 1 else ""
    yield f"           fingerprint {finding.fingerprint}{sure}"
    for number, text in finding.steps:
        yield f"             line {number}: {printable(text)}"
    for fix in finding.fix.splitlines():
        yield f"           fix: {printable(fix)}"


def _by(body: DecisionBody, event: str) -> str:
    tool = f" with {body.tool}" if body.tool and body.tool != event else ""
    inner = f" ({printable(body.subagent)})" if body.subagent else ""
    return f"{body.agent}{inner}{tool}"
