"""Is Cursor gated here? Our entries in its hooks, and what they answer; that it runs them was not seen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.agents.cursor.known import NAME
from vetgate.agents.cursor.registration import GUARD, SERVERS, entries, hooks_path, install, ours_in
from vetgate.agents.diagnosis import bad
from vetgate.agents.hook_examination import REPAIR, Examinee, Registered, answer_in, kept_environment
from vetgate.agents.installation import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.agents.diagnosis import Diagnosis
    from vetgate.agents.installation import Installation, Writing
    from vetgate.agents.quiet_process import ProcessResult

_SCOPES = (Scope.USER, Scope.PROJECT)


def _registered(installation: Installation) -> list[Registered]:
    return [
        Registered(path, event, str(hook["command"]), float(hook.get("timeout", 0)))
        for path in (hooks_path(scope, installation.root) for scope in _SCOPES)
        for event, hook in ours_in(path)
    ]


def _problems(installation: Installation) -> Iterator[Diagnosis]:
    for path in (hooks_path(scope, installation.root) for scope in _SCOPES):
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
    _registered,
    _problems,
    _is_denied,
    {"CURSOR_PROJECT_DIR": "", "CLAUDE_PROJECT_DIR": ""},
    "no version: by its documents",
)
examine, require_supported = _EXAMINEE.examine, _EXAMINEE.require_supported


def repairs(installation: Installation) -> list[Writing]:
    scopes = [scope for scope in _SCOPES if ours_in(hooks_path(scope, installation.root))]
    alone = replace(installation, commands=False, mcp=False)  # they are no part of the gate
    return [writing for scope in scopes for writing in install(replace(alone, scope=scope)).writings]
