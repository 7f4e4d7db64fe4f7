"""Is Gemini CLI really gated here? Our entries in its settings, what switches them off, and what they answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.agents.gemini.known import NAME
from vetgate.agents.gemini.registration import GUARD, HOOKS, install, rows
from vetgate.agents.hook_examination import Examinee, answer_in, missing_program, problems_in, registered_in, repaired

if TYPE_CHECKING:
    from vetgate.agents.diagnosis import Examination
    from vetgate.agents.installation import Installation, Writing
    from vetgate.agents.quiet_process import ProcessResult
    from vetgate.model import Progress


def _is_denied(ran: ProcessResult) -> bool:
    """As it reads it."""
    return answer_in(ran).get("decision") == "deny" and b"complexity" in ran.stdout


_EXAMINEE = Examinee(
    NAME,
    GUARD,
    tuple(row.event for row in rows()),
    registered_in(HOOKS),
    problems_in(HOOKS),
    _is_denied,
    {"GEMINI_PROJECT_DIR": "", "CLAUDE_PROJECT_DIR": ""},
    "0.61.0",
)


def examine(installation: Installation, progress: Progress) -> Examination:
    return _EXAMINEE.examine(installation, progress)


def repairs(installation: Installation) -> list[Writing]:
    return repaired(HOOKS, install, installation)


def require_supported() -> str:
    return missing_program(NAME)
