"""What was left to a person: that they said yes shows when the call has happened all the same."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from vetgate.model import Decision, Verdict
from vetgate.record import decision_id, elapsed_ms, record

if TYPE_CHECKING:
    from vetgate.respond.call import Call


def note_question(call: Call, verdict: Verdict) -> None:
    if verdict.decision is Decision.ASK and call.event.call:
        call.later.append(partial(call.project.store.ask, call.event.session, call.event.call, verdict.id))


def note_answer(call: Call) -> None:
    """After a tool: a person's yes is a decision like others."""
    if call.event.call:
        call.later.append(partial(_record, call))


def _record(call: Call) -> None:
    store = call.project.store
    asked = store.asked(call.event.session, call.event.call)
    if asked:
        note = f"it was left to a person as {asked}, and has happened"
        verdict = Verdict(Decision.ALLOW, notes=(note,), id=decision_id(call.payload + b"yes"), answers=asked)
        record(store, call.event, verdict, call.project.effective().config, elapsed_ms(call.started))
