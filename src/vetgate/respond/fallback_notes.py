"""What was decided while the full program could not run: put on record, and doubted where it passed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.model import EventKind
from vetgate.record import record_note
from vetgate.tool_input import COMMANDS

if TYPE_CHECKING:
    from vetgate.model import Note
    from vetgate.respond.call import Call

_ENDS = {"Stop": EventKind.STOP, "SubagentStop": EventKind.SUBAGENT_STOP}


def take_notes(call: Call) -> None:
    call.project.take_notes(partial(_keep, call))


def _keep(call: Call, note: Note) -> None:
    record_note(call.project.decisions, call.event, note, _kind(note))
    if note.unverified:
        memory = call.memory(call.project.effective().config)
        replace(memory, session=note.session).doubt(note.path, note.cause)


def _kind(note: Note) -> EventKind:
    if note.event in _ENDS:
        return _ENDS[note.event]
    if note.tool in COMMANDS:
        return EventKind.BEFORE_COMMAND
    return EventKind.BEFORE_EDIT if note.path else EventKind.BEFORE_TOOL
