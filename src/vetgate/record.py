"""A verdict as the store keeps it: what was decided, by which gate, on what evidence; never the code itself."""

from __future__ import annotations

import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from vetgate import __version__
from vetgate.checks.secrets.text_redaction import all_without_secrets
from vetgate.engine.decide import blocks
from vetgate.model import CONFIG_NAME, Decision
from vetgate.store import AcceptanceAct, RecordedDecision

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.model import Change, Event, EventKind, Finding, Gate, Note, Outcome, Verdict
    from vetgate.store import DecisionSink, Store


def decision_id(payload: bytes) -> str:
    """From the call itself, so that every tier gives the same answer to the letter."""
    return "d" + blake2b(payload, digest_size=5).hexdigest()


def fresh_id(store: Store, payload: bytes) -> str:
    """For events that come again in the same words, like the end of a turn: each is a decision of its own."""
    name = decision_id(payload)
    number = 1
    while store.decision(name):
        number += 1
        name = decision_id(payload + b" %d" % number)
    return name


def elapsed_ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)


def record(
    sink: DecisionSink, event: Event, verdict: Verdict, config: Config, elapsed: float, *, change: Change | None = None
) -> None:
    """`change` is what was judged, where the event itself names none: a sweep, the end of a turn."""
    judged = event.change or change
    told = {
        "decision": str(verdict.decision),
        "agent": event.agent,
        "client": event.client,
        "tool": event.tool,
        "subagent": event.subagent,
        "files": [file.path for file in judged.files] if judged else [],
        "gates": [_gate(outcome) for outcome in verdict.outcomes],
        "findings": [
            _finding(config.gates[outcome.gate], each) for outcome in verdict.outcomes for each in outcome.findings
        ],
        "unchecked": [{"path": item.path, "reason": item.reason} for item in verdict.unchecked],
        "notes": list(verdict.notes),
    }
    retry = verdict.retry
    body = {
        **all_without_secrets(told),
        "attempt": retry.number if retry else 0,
        "answers": verdict.answers,
        "overridden": verdict.overridden or "",
        "elapsed_ms": elapsed,
        "cost": 0.0,
        "config": config.digest,
        "version": __version__,
    }
    sink.record(RecordedDecision(verdict.id, time.time(), event.session, str(event.kind), body))


def record_note(sink: DecisionSink, event: Event, note: Note, kind: EventKind) -> None:
    """What the last tier decided by itself, in this session or in another one."""
    what = note.path or note.tool or str(kind)
    told = {
        "decision": str(Decision.ALLOW if note.passed else Decision.BLOCK),
        "agent": event.agent,
        "tool": note.tool,
        "files": [note.path] if note.path else [],
        "gates": [],
        "findings": [],
        "unchecked": [{"path": what, "reason": note.cause}] if note.passed else [],
        "notes": [f"decided without the full program: {note.cause}"],
    }
    body = {**all_without_secrets(told), "attempt": 0, "elapsed_ms": 0.0, "cost": 0.0, "version": __version__}
    sink.record(RecordedDecision(note.id, note.at, note.session, str(kind), body))


def acceptance_words(row: RecordedDecision) -> str:
    """What a person accepted, or what ended it, in a few words with who, where and when."""
    return f"{_what(row)} {_who(row.body.get('by') or {})}, {time.strftime('%Y-%m-%d %H:%M', time.localtime(row.time))}"


def _what(row: RecordedDecision) -> str:
    body, decision = row.body, str(row.body.get("decision"))
    if "waiver" in body:
        waiver = body["waiver"]
        return f"{waiver['what']} in {waiver['glob']} {decision} (until {waiver['until']}: {waiver['reason']})"
    if "grant" in body:
        return f"the command with the code {body['grant']['code']} {decision} once"
    if "baseline" in body:
        return "the list of old findings accepted"
    if "trust" in body:
        return f"{CONFIG_NAME} ({str(body['trust']['digest'])[:12]}) accepted"
    if decision == AcceptanceAct.WITHDRAWN:
        return "the gate removed from this project"
    if decision == AcceptanceAct.SET_UP:
        return "the gate set up"
    return f"the record {decision}: {'; '.join(map(str, body.get('notes', ())))}"


def _who(by: dict[str, str]) -> str:
    where = f"on {by['terminal']}" if by.get("terminal") else "without a terminal"
    how = f" ({by['how']})" if by.get("how") else ""
    return f"by {by.get('user') or 'somebody'} {where}{how}"


def _gate(outcome: Outcome) -> dict[str, Any]:
    return {
        "gate": outcome.gate,
        "status": str(outcome.status),
        "error": outcome.error,
        "elapsed_ms": round(outcome.elapsed_ms, 3),
    }


def _finding(gate: Gate, finding: Finding) -> dict[str, Any]:
    return {
        "gate": gate.id,
        "id": finding.id,
        "check": finding.check,
        "rule": finding.rule,
        "path": finding.span.path,
        "line": finding.span.line,
        "symbol": finding.symbol,
        "severity": str(finding.severity),
        "confidence": finding.confidence,
        "value": finding.value,
        "limit": finding.limit,
        "message": finding.message,
        "fix": finding.fix,
        "steps": [[step.line, step.text] for step in finding.steps],
        "fingerprint": finding.fingerprint,
        "evidence": blake2b(finding.evidence.encode("utf-8", "replace"), digest_size=8).hexdigest(),
        "new": finding.new,
        "advisory": finding.advisory,
        "blocks": blocks(finding, gate),
        "asks": finding.asks,
        "later": finding.later,
        "excuse": finding.suppression.reason if finding.suppression else "",
    }
