"""What vetgate does at each kind of event, by its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.model import EventKind
from vetgate.respond.command import before_command, before_tool, readable
from vetgate.respond.edit import after_edit, after_tool, before_edit, patching
from vetgate.respond.gates import begun, sequenced, timed
from vetgate.respond.protected_files import config_change
from vetgate.respond.session import prompt, session_end, session_start
from vetgate.respond.stop import stop
from vetgate.respond.sweep import after_command
from vetgate.respond.type_checker import typed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vetgate.model import Verdict
    from vetgate.respond.call import Call

RESPONSES: Mapping[EventKind, Callable[[Call], Verdict]] = {
    EventKind.SESSION_START: sequenced(session_start),
    EventKind.SUBAGENT_START: session_start,
    EventKind.PROMPT: typed(sequenced(prompt)),
    EventKind.SESSION_END: session_end,
    EventKind.BEFORE_EDIT: typed(sequenced(begun(readable(before_edit)))),
    EventKind.AFTER_EDIT: typed(sequenced(after_edit)),
    EventKind.BEFORE_COMMAND: begun(timed(sequenced(readable(patching(before_command))))),
    EventKind.AFTER_COMMAND: typed(sequenced(after_command)),
    EventKind.BEFORE_TOOL: sequenced(readable(before_tool)),
    EventKind.AFTER_TOOL: sequenced(after_tool),
    EventKind.CONFIG_CHANGE: config_change,
    EventKind.SUBAGENT_STOP: sequenced(stop),
    EventKind.STOP: typed(sequenced(stop)),
}
