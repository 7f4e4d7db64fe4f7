"""A verdict as the store keeps it: what was decided, by which gate, on what evidence; never the code itself."""

from __future__ import annotations

import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from vetgate import __version__
from vetgate.agents import agent
from vetgate.checks.secrets.text_redaction import all_without_secrets
from vetgate.engine.decide import blocks
from vetgate.model import CONFIG_NAME, Decision, SkipKind
from vetgate.store import (
    NOBODY,
    AcceptanceAct,
    DecisionBody,
    RecordedDecision,
    RecordedFinding,
    RecordedGate,
    RecordedJudgement,
    RecordedModelFinding,
    RecordedReply,
    RecordedTestFailure,
    RecordedTests,
    RecordedUnchecked,
)

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.judgement import JudgeFinding, Judgement, ModelReply
    from vetgate.model import Change, Event, Finding, Gate, Outcome, Verdict
    from vetgate.store import DecisionSink, Hand, Note, RecordedReview, Store
    from vetgate.suite_results import TestResults

_LONGEST_COMMAND = 200
_MOST_FAILURES, _LONGEST_ERROR, _LONGEST_STACK = 20, 500, 1_000


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


def record(
    sink: DecisionSink,
    event: Event,
    verdict: Verdict,
    config: Config,
    elapsed: float,
    *,
    change: Change | None = None,
    review: RecordedReview | None = None,
) -> None:
    """`change` is what was judged, where the event itself names none: a sweep, the end of a turn.

    A `review` names contents as git does, and its texts hold no secrets any more.
    """
    judged = event.change or change
    body = DecisionBody(
        decision=str(verdict.decision),
        agent=event.agent,
        client=_client(event),
        tool=event.tool,
        command=_begun(event.command) if event.command else None,
        subagent=event.subagent,
        files=tuple(file.path for file in judged.files) if judged else (),
        gates=tuple(map(recorded_gate, verdict.outcomes)),
        findings=tuple(
            _finding(config.gates[outcome.gate], each) for outcome in verdict.outcomes for each in outcome.findings
        ),
        unchecked=tuple(RecordedUnchecked(item.path, item.reason) for item in verdict.unchecked),
        notes=verdict.notes,
    )
    ours = DecisionBody(
        attempt=verdict.retry.number if verdict.retry else 0,
        answers=verdict.answers,
        overridden=verdict.overridden or "",
        elapsed_ms=elapsed,
        cost=_cost(verdict),
        config=config.digest,
        version=__version__,
        review=review,
    )
    sink.record(RecordedDecision(verdict.id, time.time(), event.session, str(event.kind), _stored(body, ours)))


def _client(event: Event) -> str:
    """The version of the agent's client, where it writes that down."""
    if event.transcript is None:
        return ""
    known = agent(event.agent).known.gated
    return known.version_in(str(event.transcript)) if known and known.version_in else ""


def _begun(command: str) -> str:
    """As much of a command as tells people which one it was."""
    first = command.strip().partition("\n")[0]
    return first if len(first) <= _LONGEST_COMMAND and first == command.strip() else f"{first[:_LONGEST_COMMAND]} …"


def record_note(sink: DecisionSink, event: Event, note: Note) -> None:
    """What the last tier decided by itself, in this session or in another one."""
    what = note.path or note.tool or str(note.event)
    body = DecisionBody(
        decision=str(Decision.ALLOW if note.passed else Decision.BLOCK),
        agent=event.agent,
        tool=note.tool,
        files=(note.path,) if note.path else (),
        unchecked=(RecordedUnchecked(what, note.cause),) if note.passed else (),
        notes=(f"decided without the full program: {note.cause}",),
    )
    ours = DecisionBody(attempt=0, elapsed_ms=0.0, cost=0.0, version=__version__)
    sink.record(RecordedDecision(note.id, note.at, note.session, str(note.event), _stored(body, ours)))


def _stored(body: DecisionBody, ours: DecisionBody) -> dict[str, Any]:
    """Without secrets, wherever they stand; `ours` is what nobody else has a word in."""
    return {**ours.plain(), **all_without_secrets(body.plain())}


def acceptance_words(row: RecordedDecision) -> str:
    """What a person accepted, or what ended it, in a few words with who, where and when."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.time))
    return f"{_what(row.body)} {_who(row.body.by or NOBODY)}, {when}"


def _what(body: DecisionBody) -> str:
    decision = body.decision
    if waiver := body.waiver:
        return f"{waiver.what} in {waiver.glob} {decision} (until {waiver.until}: {waiver.reason})"
    if body.grant and body.grant.tree:
        return f"the content {body.grant.tree[:10]} {decision} to leave without a review ({body.grant.reason})"
    if body.grant:
        return f"{body.grant.what or 'the command'} with the code {body.grant.code} {decision} once"
    if body.baseline:
        return "the list of old findings accepted"
    if body.trust:
        return f"{CONFIG_NAME} ({body.trust.digest[:12]}) accepted"
    if decision == AcceptanceAct.WITHDRAWN:
        return "the gate removed from this project"
    if decision == AcceptanceAct.SET_UP:
        return "the gate set up"
    return f"the record {decision}: {'; '.join(body.notes)}"


def _who(by: Hand) -> str:
    where = f"on {by.terminal}" if by.terminal else "without a terminal"
    how = f" ({by.how})" if by.how else ""
    return f"by {by.user or 'somebody'} {where}{how}"


def recorded_gate(outcome: Outcome) -> RecordedGate:
    """What a gate came to, with what its judge said and how its tests went."""
    judgement = recorded_judgement(outcome.judgement) if outcome.judgement else None
    tests = _tests(outcome.results) if outcome.results else None
    elapsed = round(outcome.elapsed_ms, 3)
    is_told = outcome.skip not in {None, SkipKind.NOTHING_TO_DO}
    why = outcome.error or (outcome.evidence if is_told else "")
    return RecordedGate(outcome.gate, str(outcome.status), why, elapsed, judgement, tests, str(outcome.skip or ""))


def _tests(results: TestResults) -> RecordedTests:
    """As many failures, and as much of each, as anybody reads."""
    failures = tuple(
        RecordedTestFailure(each.name, each.file, each.line, each.error[:_LONGEST_ERROR], each.stack[:_LONGEST_STACK])
        for each in results.failures[:_MOST_FAILURES]
    )
    return RecordedTests(results.framework, results.passed, results.failed, results.skipped, results.duration, failures)


def recorded_judgement(judgement: Judgement) -> RecordedJudgement:
    """What a judge came to and what each model said."""
    return RecordedJudgement(
        judgement.judge,
        str(judgement.decision),
        judgement.confidence,
        str(judgement.agreement),
        judgement.reason,
        judgement.disagreements,
        tuple(map(_reply, judgement.replies)),
        tuple(map(_issue, judgement.findings)),
        tuple(map(_issue, judgement.overruled)),
    )


def _reply(reply: ModelReply) -> RecordedReply:
    answer, used = reply.answer, reply.usage
    said = (str(answer.decision), answer.confidence, answer.reason) if answer else ("", 0.0, "")
    return RecordedReply(
        reply.model,
        *said,
        issues=tuple(map(_issue, answer.findings if answer else ())),
        failure=str(reply.failure or ""),
        detail=reply.detail,
        tokens={"input": used.input, "output": used.output, "cached": used.cached, "written": used.written},
        usd=round(reply.usd, 6),
        latency_ms=reply.latency_ms,
    )


def _issue(said: JudgeFinding) -> RecordedModelFinding:
    return RecordedModelFinding(
        said.message, said.category, str(said.severity), said.path, said.line, said.fix, said.model
    )


def _cost(verdict: Verdict) -> float:
    replies = (each for outcome in verdict.outcomes if outcome.judgement for each in outcome.judgement.replies)
    return round(sum(reply.usd for reply in replies), 6)


def _finding(gate: Gate, finding: Finding) -> RecordedFinding:
    return RecordedFinding(
        gate=gate.id,
        id=finding.id,
        check=finding.check,
        rule=finding.rule,
        path=finding.span.path,
        line=finding.span.line,
        symbol=finding.symbol,
        severity=str(finding.severity),
        confidence=finding.confidence,
        value=finding.value,
        limit=finding.limit,
        message=finding.message,
        fix=finding.fix,
        steps=tuple((step.line, step.text) for step in finding.steps),
        fingerprint=finding.fingerprint,
        evidence=blake2b(finding.evidence.encode("utf-8", "replace"), digest_size=8).hexdigest(),
        new=finding.new,
        advisory=finding.advisory,
        blocks=blocks(finding, gate),
        asks=finding.asks,
        later=finding.later,
        suppression=finding.suppression.reason if finding.suppression else "",
    )
