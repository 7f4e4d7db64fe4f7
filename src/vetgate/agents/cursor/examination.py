"""Is Cursor gated here? Our entries in its hooks, and what they answer; that it runs them was not seen."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from vetgate.agents.cursor.known import NAME
from vetgate.agents.cursor.registration import GUARD, HOOKS, SERVERS, entries, install, ours_in
from vetgate.agents.diagnosis import bad
from vetgate.agents.hook_examination import REPAIR, Examinee, answer_in, kept_environment, repaired

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.agents.diagnosis import Diagnosis
    from vetgate.agents.installation import Installation
    from vetgate.agents.quiet_process import ProcessResult


def _problems(installation: Installation) -> Iterator[Diagnosis]:
    for path in HOOKS.paths(installation.root).values():
        open_ones = [event for event, hook in ours_in(path) if event == GUARD and hook.get("failClosed") is not True]
        if open_ones:
            why = "Cursor lets a call pass when its hook fails"
            yield bad("settings", f"{path} has vetgate's hook for {GUARD} without `failClosed`", why, REPAIR)
    yield from SERVERS.look(installation, kept_environment())


def _is_denied(ran: ProcessResult) -> bool:
    return ran.status == 0 and answer_in(ran).get("permission") == "deny" and b"complexity" in ran.stdout


_EXAMINEE = Examinee(
    NAME,
    GUARD,
    tuple(entries("")),
    HOOKS.registered,
    _problems,
    _is_denied,
    {"CURSOR_PROJECT_DIR": "", "CLAUDE_PROJECT_DIR": ""},
    "no version: by its documents",
)
examine, require_supported = _EXAMINEE.examine, _EXAMINEE.require_supported
repairs = partial(repaired, HOOKS, install)
