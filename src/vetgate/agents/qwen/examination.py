"""Is Qwen Code really gated here? Our entries in its settings, what switches them off, and what they answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.agents.hook_examination import Examinee, answer_in, missing_program, problems_in, registered_in, repaired
from vetgate.agents.qwen.known import NAME
from vetgate.agents.qwen.registration import GUARD, HOOKS, install, rows

if TYPE_CHECKING:
    from vetgate.agents.diagnosis import Examination
    from vetgate.agents.installation import Installation, Writing
    from vetgate.agents.quiet_process import ProcessResult
    from vetgate.model import Progress


def _is_denied(ran: ProcessResult) -> bool:
    """As it reads it."""
    decision = answer_in(ran).get("hookSpecificOutput", {})
    return decision.get("permissionDecision") == "deny" and ran.status == 2 and b"complexity" in ran.stderr


_EXAMINEE = Examinee(
    NAME,
    GUARD,
    tuple(row.event for row in rows()),
    registered_in(HOOKS),
    problems_in(HOOKS),
    _is_denied,
    {"QWEN_PROJECT_DIR": "", "GEMINI_PROJECT_DIR": "", "CLAUDE_PROJECT_DIR": ""},
    "0.24.4",
)


def examine(installation: Installation, progress: Progress) -> Examination:
    return _EXAMINEE.examine(installation, progress)


def repairs(installation: Installation) -> list[Writing]:
    return repaired(HOOKS, install, installation)


def require_supported() -> str:
    return missing_program(NAME)
