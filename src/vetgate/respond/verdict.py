"""From a change to a verdict that is remembered, and from a verdict to what the agent is told."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.checks.secrets.redaction import redacted_source
from vetgate.checks.weakened_test.safeguards import GONE as REMOVED
from vetgate.checks.weakened_test.safeguards import ID as WEAKENED
from vetgate.engine.analysis import digest_of, source_of
from vetgate.engine.decide import blocks, decided
from vetgate.gates.sequence import calls_left, judged
from vetgate.judges.triggers import BEFORE
from vetgate.model import SILENT, Decision, EventKind, Message, Override, Unchecked, Verdict
from vetgate.record import decision_id, fresh_id, record
from vetgate.respond.attempts import counted, note_attempts, recognised
from vetgate.respond.call import ENDS
from vetgate.respond.correction import correction, summary
from vetgate.respond.grants import GrantKind, await_person, may_ask, note_question
from vetgate.respond.requested_removals import with_requests
from vetgate.source.clock import elapsed_ms
from vetgate.source.edit import on_disk
from vetgate.source.language import language_of
from vetgate.source.syntax import first_error, parse
from vetgate.source.text import NotText
from vetgate.store import SessionMark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.config.schema import Config
    from vetgate.model import Change, File, Finding, Gate, Outcome
    from vetgate.project import SessionMemory
    from vetgate.respond.call import Call
    from vetgate.respond.grants import GrantRequest

_GONE = "gone"
_MOST_LATER = 4_000
_ALLOW_ONCE = "a person can allow it once: vetgate allow"
REMOVED_TEST = f"{WEAKENED}/{REMOVED}"
PERSON_SETTLES = frozenset({REMOVED_TEST, "protected-file"})


def verified(call: Call, config: Config, gates: Iterable[str], change: Change) -> Verdict:
    """Judged, and what passes remembered as passed."""
    memory = call.memory(config)
    verdict = judged(gates, config, call.runners(config, memory, change))
    if verdict.findings:
        verdict = with_requests(call, config, verdict)
    call.spoken[call.project.root] = verdict.outcomes
    if call.event.kind is EventKind.BEFORE_EDIT:
        broken = half_written(change, config, memory)
        for path in broken:
            memory.mark(path, SessionMark.HALF_WRITTEN)
        if broken:
            notes = (*verdict.notes, *broken.values())
            verdict = replace(verdict, decision=max(verdict.decision, Decision.WARN), notes=notes)
    if verdict.decision < Decision.BLOCK:
        if not _waits_for_a_person(call, verdict, config):
            call.later.append(partial(_remember_passed, call, config, change, verdict))
        if verdict.findings:
            verdict = drop_said(memory, verdict, config)
            note_said(memory, verdict, config)
    return verdict


def with_outcomes(call: Call, config: Config, verdict: Verdict, more: Iterable[Outcome]) -> Verdict:
    """What others say of the same event."""
    outcomes = (*verdict.outcomes, *more)
    call.spoken[call.project.root] = outcomes
    return replace(verdict, decision=max(verdict.decision, decided(outcomes, config)), outcomes=outcomes)


def _remember_passed(call: Call, config: Config, change: Change, verdict: Verdict) -> None:
    """Not while a gate that was called has yet to pass."""
    if not calls_left(call.spoken.get(call.project.root, ()), config):
        remember(call.memory(config), change, verdict, ends=call.event.kind in ENDS)


def _waits_for_a_person(call: Call, verdict: Verdict, config: Config) -> bool:
    """What somebody is asked about has not passed yet: they may say no, and it may come by another route."""
    if verdict.decision < Decision.ASK or call.event.kind is not EventKind.BEFORE_EDIT or not call.event.call:
        return False
    return any(blocks(each, config.gates[outcome.gate]) for outcome in verdict.outcomes for each in outcome.findings)


def doubtful(change: Change, memory: SessionMemory) -> Change:
    """The files whose content is not what passed last."""
    return replace(change, files=tuple(file for file in change.files if not memory.stands(file.path, content(file))))


def unsettled(change: Change, memory: SessionMemory) -> Change:
    """When the turn ends: also those in which something was to be fixed by then."""
    due = memory.due()
    kept = (file for file in change.files if file.path in due or not memory.stands(file.path, content(file)))
    return replace(change, files=tuple(kept))


def report(
    call: Call, verdict: Verdict, config: Config, change: Change, request: GrantRequest | None = None
) -> Verdict:
    """Recorded, and put into words; a block is written down before anybody hears of it.

    `request` is what a person may let through: they alone are told how.
    """
    store = call.project.store
    number = fresh_id(store, call.payload) if call.event.kind in ENDS else decision_id(call.payload)
    verdict = replace(verdict, id=number)
    landed = call.event.kind not in BEFORE
    was = verdict.decision
    if landed:
        verdict = recognised(call, config, verdict)
    elif was is Decision.BLOCK:
        refused, verdict = verdict, counted(call, config, verdict, change)
        note_attempts(call, config, refused, change)
    by_person = verdict.overridden is Override.PERSON
    if by_person or verdict.decision < Decision.ASK <= was:
        # Let through at last, so nobody holds it against them afterwards.
        call.later.append(partial(remember, call.memory(config), change, verdict))
    if verdict.decision < Decision.ASK or request is None or not _is_for_person(verdict, config, request):
        request = None
    if verdict.decision is Decision.ASK and not landed and not may_ask(call):
        verdict = replace(verdict, decision=Decision.BLOCK)
    keep = partial(record, call.project.decisions, call.event, verdict, config, elapsed_ms(call.started), change=change)
    if verdict.decision is Decision.ASK or (by_person and change.files):
        note_question(call, config, verdict, contents(change))
    if verdict.decision < Decision.BLOCK:
        call.later.append(keep)
    else:
        keep()
    verdict = replace(verdict, approve=any(config.gates[outcome.gate].approve for outcome in verdict.outcomes))
    if verdict.says_nothing:
        return verdict
    return replace(verdict, messages=(postpone(call, config, _message(call, config, verdict, change, request)),))


def _message(call: Call, config: Config, verdict: Verdict, change: Change, request: GrantRequest | None) -> Message:
    """In words for the agent, and in a line for the person, who alone is shown a code."""
    line = summary(verdict, config.gates)
    request = request if line and verdict.decision is Decision.BLOCK else None
    words = verdict
    if request is not None and request.kind is not GrantKind.COMMAND:
        words = replace(verdict, notes=(*verdict.notes, _ALLOW_ONCE))
    task = call.project.store.task(call.event.session) if verdict.decision >= Decision.ASK else ""
    landed, kind = call.event.kind not in BEFORE, call.event.kind
    shown = ShownTexts(change)
    text = correction(words, config.gates, shown, config.output, landed=landed, task=task, kind=kind)
    if request is not None:
        line = "; ".join(filter(None, (line, await_person(call, request, line.removeprefix("vetgate: ")))))
    return Message(verdict.decision, text, line)


def _is_for_person(verdict: Verdict, config: Config, request: GrantRequest) -> bool:
    """An edit is, once it was tried often enough, where it is asked about, and where it removes a test."""
    if request.kind is not GrantKind.EDIT or verdict.decision is Decision.ASK:
        return True
    return needs_person(verdict, config, frozenset({REMOVED_TEST}))


def needs_person(verdict: Verdict, config: Config, settles: frozenset[str] = PERSON_SETTLES) -> bool:
    """Whether nothing but a person's word can settle all that it is refused for."""
    pairs = ((config.gates[outcome.gate], each) for outcome in verdict.outcomes for each in outcome.findings)
    found = [each for gate, each in pairs if blocks(each, gate)]
    return bool(found) and all(each.id in settles or each.check in settles for each in found)


def postpone(call: Call, config: Config, message: Message) -> Message:
    """At the end of a turn an agent goes on working with whatever it is told: what does not hold it waits."""
    if call.event.kind not in ENDS or message.decision >= Decision.BLOCK or not message.text:
        return message
    call.memory(config).mark("", SessionMark.NEXT_EVENT, message.text[:_MOST_LATER])
    return message._replace(text="")


def claim_earlier_news(call: Call) -> Verdict:
    """What waited for this event; nobody is told it twice."""
    store, session, root = call.project.store, call.event.session, call.project.root
    texts_left = store.subjects(session, str(root), SessionMark.NEXT_EVENT)
    if not texts_left or call.event.kind in ENDS:
        return SILENT
    store.unmark(session, str(root), SessionMark.NEXT_EVENT)
    return Verdict(Decision.WARN, messages=tuple(Message(Decision.WARN, each) for each in texts_left))


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


class ShownTexts:
    """Files as they may be shown: whatever is quoted of them, no secret is. Made when one is quoted."""

    def __init__(self, change: Change) -> None:
        self._root = change.root
        self._texts = {file.path: file.after for file in change.files}

    def __call__(self, path: str) -> str:
        if path not in self._texts:
            # At the end of a turn others are spoken of, too.
            self._texts |= {
                each.path: each.after for each in on_disk([self._root / path], self._root, self._root).files
            }
        text = self._texts.get(path)
        try:
            return redacted_source(source_of(path, text)) if text else ""
        except NotText:
            return ""


def remember(memory: SessionMemory, change: Change, verdict: Verdict, *, ends: bool = False) -> None:
    """What passed; when a turn `ends` with it, nothing in it is to be fixed any more."""
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
    said: set[tuple[str, str]] = set()

    def fresh(outcome: Outcome) -> Outcome:
        kept = []
        for finding in outcome.findings:
            about = (finding.span.path, _value_said(finding))
            if not _is_said_once(finding, config.gates[outcome.gate]):
                kept.append(finding)
            elif about not in said and not memory.is_marked(about[0], SessionMark.SAID, about[1]):
                said.add(about)
                kept.append(finding)
            elif finding.later:
                kept.append(replace(finding, said=True))
        return replace(outcome, findings=tuple(kept))

    return replace(verdict, outcomes=tuple(fresh(outcome) for outcome in verdict.outcomes))


def note_said(memory: SessionMemory, verdict: Verdict, config: Config) -> None:
    for outcome in verdict.outcomes:
        for finding in outcome.findings:
            if _is_said_once(finding, config.gates[outcome.gate]):
                memory.mark(finding.span.path, SessionMark.SAID, _value_said(finding))


def _is_said_once(finding: Finding, gate: Gate) -> bool:
    return finding.new and not finding.said and not blocks(finding, gate)


def _value_said(finding: Finding) -> str:
    """A risen value is news, the same one is not."""
    return f"{finding.fingerprint}:{finding.value}"


def half_written(change: Change, config: Config, memory: SessionMemory) -> dict[str, str]:
    """Where code stops to parse that parsed before: a note by path, once a session and file."""
    found = _broken(change, config)
    return {path: note for path, note in found if not memory.is_marked(path, SessionMark.HALF_WRITTEN)}


def _broken(change: Change, config: Config) -> Iterator[tuple[str, str]]:
    for file in change.files:
        if language_of(file.path) is None or not config.paths.checks(file.path):
            continue
        line = _error(file.path, file.after)
        if line and not _error(file.path, file.before):
            yield file.path, f"{file.path} does not parse from line {line} on; this is reported and blocks nothing"


def _error(path: str, text: str | None) -> int:
    """The first line that does not parse; 0 where all does, or nobody can tell."""
    if text is None:
        return 0
    try:
        syntax = parse(source_of(path, text))
    except NotText:
        return 0
    return 0 if isinstance(syntax, Unchecked) else first_error(syntax) or 0
