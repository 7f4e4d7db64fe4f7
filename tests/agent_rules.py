"""What real agents did with an answer before a tool: each rule is held against what was recorded of the real program.

Versions: Codex 0.166.0, Gemini CLI 0.61.0, Copilot CLI 1.0.102, Qwen Code 0.24.4, on 2026-11-16. That of Cursor is from
its documents, and that of OpenCode is our own plugin's.
"""

from __future__ import annotations

import json
from typing import Any

_CODEX_TOP = {"hookSpecificOutput", "decision", "reason", "systemMessage"}
_CODEX_NESTED = {"hookEventName", "permissionDecision", "permissionDecisionReason", "additionalContext", "updatedInput"}


def lets_pass(agent: str, event: str, status: int | None, stdout: str = "", stderr: str = "") -> bool:
    """Whether the call happens; `status` is None for a hook that a signal ended."""
    rule = {"copilot": _copilot_nested if event[:1].isupper() else _copilot}.get(agent) or _RULES[agent]
    return rule(status, stdout, stderr)


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _nested(answer: dict[str, Any] | None) -> dict[str, Any]:
    found = (answer or {}).get("hookSpecificOutput")
    return found if isinstance(found, dict) else {}


def _codex(status: int | None, stdout: str, stderr: str) -> bool:
    if status == 2:
        return not stderr.strip()
    answer = _object(stdout)
    if status != 0 or answer is None or set(answer) - _CODEX_TOP or set(_nested(answer)) - _CODEX_NESTED:
        return True
    if answer.get("decision") == "block" and answer.get("reason"):
        return False
    nested = _nested(answer)
    is_denied = nested.get("permissionDecision") == "deny" and "hookEventName" in nested
    return not (is_denied and nested.get("permissionDecisionReason"))


def _gemini(status: int | None, stdout: str, stderr: str) -> bool:
    answer = _object(stdout) or (_object(stderr) if not stdout.strip() else None)
    if answer is not None and (answer.get("decision") in {"deny", "block", "ask"} or answer.get("continue") is False):
        return False
    return status in {None, 0, 1} or not (stdout + stderr).strip()


def _copilot(status: int | None, stdout: str, _stderr: str) -> bool:
    answer = _object(stdout)
    if status not in {0, 2} or (status == 2 and answer is None):
        return False
    return status == 0 and (answer or {}).get("permissionDecision") not in {"deny", "ask"}


def _copilot_nested(status: int | None, stdout: str, _stderr: str) -> bool:
    return status == 0 and _nested(_object(stdout)).get("permissionDecision") not in {"deny", "ask"}


def _qwen(status: int | None, stdout: str, stderr: str) -> bool:
    answer = _object(stdout)
    denies = (answer or {}).get("decision") in {"block", "deny"}
    if denies or _nested(answer).get("permissionDecision") in {"deny", "ask"}:
        return False
    return not (status == 2 and stderr.strip())


def _opencode(status: int | None, stdout: str, _stderr: str) -> bool:
    answer = _object(stdout) if stdout.strip() else {}
    return status == 0 and answer is not None and answer.get("decision") != "deny"


def _cursor(status: int | None, stdout: str, _stderr: str) -> bool:
    answer = _object(stdout)
    return status == 0 and answer is not None and answer.get("permission") != "deny"


_RULES = {"codex": _codex, "gemini": _gemini, "qwen": _qwen, "opencode": _opencode, "cursor": _cursor}
OTHERS = ("codex", "copilot", "cursor", "gemini", "opencode", "qwen")
# What each calls the event before an edit.
GUARDS = {
    "codex": "PreToolUse",
    "copilot": "preToolUse",
    "cursor": "preToolUse",
    "gemini": "BeforeTool",
    "opencode": "tool.execute.before",
    "qwen": "PreToolUse",
}


def reason_of(agent: str, stdout: str, stderr: str) -> str:
    """What the model is told of a refusal."""
    if agent in {"codex", "qwen"}:
        return stderr.strip()
    answer = _object(stdout) or {}
    keys = ("permissionDecisionReason", "reason", "agent_message")
    return str(
        next((answer[key] for key in keys if key in answer), _nested(answer).get("permissionDecisionReason", ""))
    )
