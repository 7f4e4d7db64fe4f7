"""Is Copilot CLI really gated here? Our file of hooks, what switches it off, and what it answers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vetgate.agents.copilot.known import NAME, OFF, config_dir
from vetgate.agents.copilot.registration import GUARD, OWN, SERVERS, hooks_in, seconds
from vetgate.agents.diagnosis import bad, note
from vetgate.agents.hook_examination import Examinee, answer_in, kept_environment
from vetgate.agents.hook_registration import Registered
from vetgate.agents.hook_settings import object_in
from vetgate.agents.installation import Scope
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.agents.diagnosis import Diagnosis
    from vetgate.agents.installation import Installation
    from vetgate.agents.quiet_process import ProcessResult


def _registered(installation: Installation) -> list[Registered]:
    return [
        Registered(path, event, str(hook["bash"]), float(hook.get("timeoutSec", 30)))
        for path in OWN.paths(installation.root).values()
        for event, hook in hooks_in(path)
    ]


def _problems(installation: Installation) -> Iterator[Diagnosis]:
    for path in (config_dir(os.environ) / "settings.json", installation.root / ".github" / "copilot" / "settings.json"):
        found = object_in((read_bytes(path) or b"").decode("utf-8", "replace")) or {}
        if found.get(OFF) is True:
            why = "no hook runs, neither a repository's nor your own"
            yield bad("disabled", f"{path} sets {OFF}", why, f"take `{OFF}` out of {path}")
    paths = OWN.paths(installation.root)
    if OWN.is_there(paths[Scope.PROJECT]) and not OWN.is_there(paths[Scope.USER]):
        what = (
            "Copilot CLI runs the hooks of a repository only in a trusted folder, and not when started in a subfolder"
        )
        yield note("trust", what, "elsewhere the gate is off, and nothing says so", f"vetgate init --agent {NAME}")
    yield from SERVERS.look(installation, kept_environment())


def _is_denied(ran: ProcessResult) -> bool:
    """As it reads it."""
    is_read = ran.status in {0, 2}
    return is_read and answer_in(ran).get("permissionDecision") == "deny" and b"complexity" in ran.stdout


_EXAMINEE = Examinee(
    NAME,
    GUARD,
    tuple(seconds()),
    _registered,
    _problems,
    _is_denied,
    {"COPILOT_CLI": "1", "COPILOT_PROJECT_DIR": "", "CLAUDE_PROJECT_DIR": ""},
    "1.0.102",
)
examine, require_supported = _EXAMINEE.examine, _EXAMINEE.require_supported
repairs = OWN.repairs
