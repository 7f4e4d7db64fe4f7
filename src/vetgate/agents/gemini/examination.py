"""Is Gemini CLI really gated here? Our entries in its settings, what switches them off, and what they answer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from vetgate.agents.gemini.known import NAME
from vetgate.agents.gemini.registration import GUARD, HOOKS, install
from vetgate.agents.hook_examination import Examinee, answer_in, problems_in, repaired

if TYPE_CHECKING:
    from vetgate.agents.quiet_process import ProcessResult


def _is_denied(ran: ProcessResult) -> bool:
    """As it reads it."""
    return answer_in(ran).get("decision") == "deny" and b"complexity" in ran.stdout


_EXAMINEE = Examinee(
    NAME,
    GUARD,
    HOOKS.events,
    HOOKS.registered,
    partial(problems_in, HOOKS),
    _is_denied,
    {"GEMINI_PROJECT_DIR": "", "CLAUDE_PROJECT_DIR": ""},
    "0.61.0",
)
examine, require_supported = _EXAMINEE.examine, _EXAMINEE.require_supported
repairs = partial(repaired, HOOKS, install)
