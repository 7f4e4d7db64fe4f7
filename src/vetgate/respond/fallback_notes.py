"""What was decided while the full program could not run: put on record, and doubted where it passed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.record import record_note
from vetgate.respond.judging import leave_for_judges

if TYPE_CHECKING:
    from vetgate.respond.call import Call
    from vetgate.store import Note


def take_notes(call: Call) -> None:
    call.project.take_notes(partial(_keep, call))


def _keep(call: Call, note: Note) -> None:
    record_note(call.project.decisions, call.event, note)
    if note.unverified:
        memory = call.memory(call.in_force.config)
        replace(memory, session=note.session).doubt(note.path, note.cause)
        leave_for_judges(call, note.session, note.path)
