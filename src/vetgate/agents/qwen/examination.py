"""Is Qwen Code really gated here? Our entries in its settings, what switches them off, and what they answer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from vetgate.agents.hook_examination import Examinee, answer_in, problems_in, repaired
from vetgate.agents.qwen.known import NAME
from vetgate.agents.qwen.registration import GUARD, HOOKS, install

if TYPE_CHECKING:
    from vetgate.agents.quiet_process import ProcessResult


def _is_denied(ran: ProcessResult) -> bool:
    """As it reads it."""
    decision = answer_in(ran).get("hookSpecificOutput", {})
    return decision.get("permissionDecision") == "deny" and ran.status == 2 and b"complexity" in ran.stderr


_EXAMINEE = Examinee(
    NAME,
    GUARD,
    HOOKS.events,
    HOOKS.registered,
    partial(problems_in, HOOKS),
    _is_denied,
    {"QWEN_PROJECT_DIR": "", "GEMINI_PROJECT_DIR": "", "CLAUDE_PROJECT_DIR": ""},
    "0.24.4",
)
examine, require_supported = _EXAMINEE.examine, _EXAMINEE.require_supported
repairs = partial(repaired, HOOKS, install)
