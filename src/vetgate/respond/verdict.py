"""From a change to a verdict that is remembered, and from a verdict to what the agent is told."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.checks.secrets.redaction import redacted_source
from vetgate.engine.analysis import digest_of, source_of
from vetgate.engine.decide import blocks, decided, fallback
from vetgate.model import Decision, EventKind, Message, Unchecked, Verdict
from vetgate.record import decision_id, elapsed_ms, fresh_id, record
from vetgate.respond.attempts import counted, recognised
from vetgate.respond.call import ENDS
from vetgate.respond.correction import correction, summary
from vetgate.respond.questions import note_question
from vetgate.source.edit import on_disk
from vetgate.source.language import language_of
from vetgate.source.syntax import first_error, parse
from vetgate.source.text import NotText
from vetgate.store import SessionMark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.config.schema import Config
    from vetgate.engine.run import CheckRunner
    from vetgate.model import Change, File, Outcome
    from vetgate.project import SessionMemory
    from vetgate.respond.call import Call

_GONE = "gone"
_BEFORE = frozenset({EventKind.BEFORE_EDIT, EventKind.BEFORE_COMMAND, EventKind.BEFORE_TOOL})


def judged(gates: Iterable[str], runner: CheckRunner) -> Verdict:
    """Each of these gates over the change; the strongest decision wins."""
    outcomes = tuple(runner.run(runner.config.gates[name]) for name in dict.fromkeys(gates))
    decision = max(decided(outcomes, runner.config.gates), fallback(outcomes, runner.config.on_failure))
    return Verdict(decision, outcomes)


def verified(call: Call, config: Config, gates: Iterable[str], change: Change) -> Verdict:
    """Judged, and what passes remembered as passed."""
    memory = call.memory(config)
    verdict = judged(gates, call.runner(config, memory, change))
    if call.event.kind is EventKind.BEFORE_EDIT:
        verdict = with_half_written(verdict, change, config, memory)
    if verdict.decision < Decision.BLOCK:
        if not _waits_for_a_person(call, verdict, config):
            call.later.append(partial(remember, memory, change, verdict, ends=call.event.kind in ENDS))
        verdict = drop_said(memory, verdict, config)
    return verdict


def _waits_for_a_person(call: Call, verdict: Verdict, config: Config) -> bool:
    """What somebody is asked about has not passed yet: they may say no, and it may come by another route."""
    if verdict.decision < Decision.ASK or call.event.kind is not EventKind.BEFORE_EDIT or not call.event.call:
        return False
    return any(blocks(each, config.gates[outcome.gate]) for outcome in verdict.outcomes for each in outcome.findings)


def doubtful(change: Change, memory: SessionMemory) -> Change:
    """The files whose content is not what passed last."""
    return replace(change, files=tuple(file for file in change.files if not memory.stands(file.path, content(file))))


def unsettled(change: Change, memory: SessionMemory) -> Change:
    """When the turn ends: also those in which something was to be mended by then."""
    due = memory.due()
    kept = (file for file in change.files if file.path in due or not memory.stands(file.path, content(file)))
    return replace(change, files=tuple(kept))


def report(call: Call, verdict: Verdict, config: Config, change: Change, way_out: str = "") -> Verdict:
    """Recorded, and put into words; a block is written down before anybody hears of it.

    `way_out` is for the person alone.
    """
    store = call.project.store
    number = fresh_id(store, call.payload) if call.event.kind in ENDS else decision_id(call.payload)
    verdict = replace(verdict, id=number)
    landed = call.event.kind not in _BEFORE
    was = verdict.decision
    verdict = recognised(call, config, verdict) if landed else counted(call, config, verdict, change)
    if verdict.decision < Decision.ASK <= was:  # let through at last, so nobody holds it against them afterwards
        call.later.append(partial(remember, call.memory(config), change, verdict))
    keep = partial(record, call.project.decisions, call.event, verdict, config, elapsed_ms(call.started), change=change)
    if verdict.decision is Decision.ASK:
        note_question(call, config, verdict, contents(change))
    if verdict.decision < Decision.BLOCK:
        call.later.append(keep)
    else:
        keep()
    verdict = replace(verdict, approve=any(config.gates[outcome.gate].approve for outcome in verdict.outcomes))
    if verdict.says_nothing:
        return verdict
    task = call.project.store.task(call.event.session) if verdict.decision >= Decision.ASK else ""
    shown = texts(change, verdict)
    text = correction(verdict, config.gates, shown, config.output, landed=landed, task=task)
    line = summary(verdict, config.gates)
    line = f"{line}; {way_out}" if way_out and line and verdict.decision >= Decision.ASK else line
    return replace(verdict, messages=(Message(verdict.decision, text, line),))


def report_pass(call: Call, verdict: Verdict, config: Config, change: Change | None = None) -> Verdict:
    """Recorded, and nothing said."""
    here = call.payload + str(call.project.root).encode("utf-8", "replace")
    verdict = replace(verdict, id=fresh_id(call.project.store, here) if call.event.kind in ENDS else decision_id(here))
    elapsed = elapsed_ms(call.started)
    call.later.append(partial(record, call.project.decisions, call.event, verdict, config, elapsed, change=change))
    return verdict


def content(file: File) -> str:
    return _GONE if file.after is None else digest_of(file.after)


def contents(change: Change) -> dict[str, str]:
    return {file.path: content(file) for file in change.files}


def texts(change: Change, verdict: Verdict) -> dict[str, str]:
    """The files with findings as they may be shown: whatever is quoted of them, no secret is."""
    wanted = {finding.span.path for finding in verdict.findings}
    inside = [file for file in change.files if file.path in wanted]
    # At the end of a turn others are spoken of, too.
    beyond = sorted(wanted - {file.path for file in inside})
    files = (*inside, *on_disk((change.root / path for path in beyond), change.root, change.root).files)
    return {file.path: _shown(file.path, file.after) for file in files if file.after}


def _shown(path: str, text: str) -> str:
    try:
        return redacted_source(source_of(path, text))
    except NotText:
        return ""


def remember(memory: SessionMemory, change: Change, verdict: Verdict, *, ends: bool = False) -> None:
    """What passed; when a turn `ends` with it, nothing in it is to be mended any more."""
    unverified = {item.path: item.reason for item in verdict.unchecked}
    failed = "; ".join(outcome.error for outcome in verdict.outcomes if outcome.error)
    for file in change.files:
        memory.passed(file.path, content(file), unverified.get(file.path, failed))
    for path in {each.span.path for each in verdict.findings if each.later and each.new and not each.said}:
        memory.owe(path)
    for file in change.files:
        if ends and not failed and file.path not in unverified:
            memory.settle(file.path)
    for item in change.unchecked:
        memory.doubt(item.path, item.reason)


def drop_said(memory: SessionMemory, verdict: Verdict, config: Config) -> Verdict:
    """Without what was said before in this session."""

    def fresh(outcome: Outcome) -> Outcome:
        gate = config.gates[outcome.gate]
        kept = []
        for finding in outcome.findings:
            # A risen value is news, the same one is not.
            mark = f"{finding.fingerprint}:{finding.value}"
            if not finding.new or blocks(finding, gate) or finding.said:
                kept.append(finding)
            elif not memory.is_marked(finding.span.path, SessionMark.SAID, mark):
                memory.mark(finding.span.path, SessionMark.SAID, mark)
                kept.append(finding)
            elif finding.later:
                kept.append(replace(finding, said=True))
        return replace(outcome, findings=tuple(kept))

    return replace(verdict, outcomes=tuple(fresh(outcome) for outcome in verdict.outcomes))


def with_half_written(verdict: Verdict, change: Change, config: Config, memory: SessionMemory) -> Verdict:
    """Once a session and file: where code stops to parse that parsed before."""
    broken = {
        path: note for path, note in _broken(change, config) if not memory.is_marked(path, SessionMark.HALF_WRITTEN)
    }
    for path in broken:
        memory.mark(path, SessionMark.HALF_WRITTEN)
    if not broken:
        return verdict
    return replace(verdict, decision=max(verdict.decision, Decision.WARN), notes=(*verdict.notes, *broken.values()))


def _broken(change: Change, config: Config) -> Iterator[tuple[str, str]]:
    for file in change.files:
        if language_of(file.path) is None or not config.paths.checks(file.path):
            continue
        line = _error(file.path, file.after)
        if line and not _error(file.path, file.before):
            yield file.path, f"{file.path} does not parse from line {line} on; that is told, not held against it"


def _error(path: str, text: str | None) -> int:
    """The first line that does not parse; 0 where all does, or nobody can tell."""
    if text is None:
        return 0
    try:
        syntax = parse(source_of(path, text))
    except NotText:
        return 0
    return 0 if isinstance(syntax, Unchecked) else first_error(syntax) or 0
