"""What was decided while the full program could not run: put on record, and doubted where it passed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.model import EventKind
from vetgate.record import record_note

if TYPE_CHECKING:
    from vetgate.model import Note
    from vetgate.respond.call import Call


def take_notes(call: Call) -> None:
    memory = call.memory(call.project.effective().config)
    for note in call.project.take_notes(call.event.session):
        record_note(call.project.store, call.event, note, _kind(note))
        if note.unverified:
            memory.doubt(note.path, note.cause)


def _kind(note: Note) -> EventKind:
    if note.event == "PreToolUse":
        return EventKind.BEFORE_EDIT if note.path else EventKind.BEFORE_COMMAND
    return EventKind.SUBAGENT_STOP if note.event == "SubagentStop" else EventKind.STOP
