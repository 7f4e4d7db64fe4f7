"""The gate's own record: what became of it is said; what was decided while the full program could not run is kept."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.judges.triggers import BEFORE
from vetgate.model import Decision, EventKind, Message, Verdict
from vetgate.record import record_note
from vetgate.respond.call import ENDS
from vetgate.respond.judging import leave_for_judges
from vetgate.store import NEWEST, RECENT, SessionMark

if TYPE_CHECKING:
    from vetgate.respond.call import Call
    from vetgate.store import Note, Store


_TAMPERED = "the log of decisions is not as vetgate wrote it: {}. In a terminal: `vetgate log --verify` says more"
_HELD = "{} This happened during this session. Do not try to undo it: tell the person what was done, then end."


def report_record_trouble(call: Call, verdict: Verdict) -> Verdict:
    call = call.at_home
    store, event = call.project.store, call.event
    ends = event.kind in ENDS
    problem, tampered = store.session_troubles(event.session, NEWEST if ends else RECENT, again=ends)
    if tampered not in problem:
        problem = _TAMPERED.format(tampered)
    if not problem or event.kind is EventKind.SUBAGENT_START:
        return verdict
    text = f"vetgate: {problem}"
    if event.kind is EventKind.SESSION_START:  # which says it by itself
        store.mark(event.session, "", SessionMark.RECORD_KNOWN, store.signed(problem))
        return verdict
    if event.kind in ENDS and not store.failure and _is_news(store, event.session, SessionMark.RECORD_HELD, problem):
        store.mark(event.session, "", SessionMark.RECORD_HELD, store.signed(problem))
        return _with(verdict, Message(Decision.BLOCK, _HELD.format(text), text))
    if event.kind in BEFORE and (verdict.approve or any(each.text for each in verdict.messages)):
        return verdict  # which is about something else; the next event says it
    if _is_news(store, event.session, SessionMark.RECORD_TOLD, problem):
        store.mark(event.session, "", SessionMark.RECORD_TOLD, store.signed(problem))
        return _with(verdict, Message(Decision.WARN, text if event.kind not in ENDS else "", text))
    return verdict


def _with(verdict: Verdict, message: Message) -> Verdict:
    return verdict.joined(Verdict(message.decision, messages=(message,)))


def _is_news(store: Store, session: str, how: SessionMark, problem: str) -> bool:
    """Neither said this way in this session before, nor known when it began."""
    return not any(
        store.is_marked(session, "", kind, store.signed(problem)) for kind in (SessionMark.RECORD_KNOWN, how)
    )


def take_notes(call: Call) -> None:
    call.project.take_notes(partial(_keep, call))


def _keep(call: Call, note: Note) -> None:
    record_note(call.project.decisions, call.event, note)
    if note.unverified:
        memory = call.memory(call.in_force.config)
        replace(memory, session=note.session).doubt(note.path, note.cause)
        leave_for_judges(call, note.session, note.path)
