"""Claude Code as it is here: its version, and a canary through a registered command, run as the client runs it."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vetgate.agents import TANGLED
from vetgate.agents.hook_settings import object_in
from vetgate.agents.quiet_process import ProcessResult, run_quietly
from vetgate.expression import expression

if TYPE_CHECKING:
    from pathlib import Path

SUPPORTED = (2, 1, 240)
FAILS_CLOSED = (2, 1, 295)  # from here on a hook entry can say that the hook's own failure blocks

_VERSION_WITHIN = 5.0
_VERSION = expression(r"(\d+)\.(\d+)\.(\d+)")
_FOR_VERSION = ("PATH", "LANG", "LC_ALL")
_KEPT = frozenset({"HOME", "PATH", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TMPDIR"})
_KEPT_FAMILIES = ("LC_", "XDG_", "VETGATE_")

_FIELDS: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "startup"},
    "SessionEnd": {"reason": "other"},
    "SubagentStart": {"agent_id": "canary", "agent_type": "general-purpose"},
    "SubagentStop": {"agent_id": "canary", "agent_type": "general-purpose", "stop_hook_active": False},
    "Stop": {"stop_hook_active": False, "last_assistant_message": "", "background_tasks": []},
}


def probe(command: str, event: str, project: Path, session: str, seconds: float) -> ProcessResult:
    return run_quietly(
        ["/bin/sh", "-c", command],
        json.dumps(_payload(event, project, session), separators=(",", ":")).encode(),
        cwd=os.fspath(project),
        env=environment_of(project, session),
        seconds=seconds,
    )


def fault(event: str, ran: ProcessResult) -> str:
    """Say what is wrong with the answer to a canary; nothing when it is as it should be."""
    if ran.timed_out:
        return f"no answer within {ran.seconds:.0f} s"
    if ran.status is None:
        return f"it did not start: {_shown(ran.stderr)}"
    answer = object_in(ran.stdout)  # nothing printed is an answer too
    if event == "PreToolUse":
        return _fault_of_denial(ran, answer)
    if ran.status != 0:
        return f"exit status {ran.status}: {_shown(ran.stderr)}"
    if answer is None:
        return f"what it printed is not one JSON object: {_shown(ran.stdout)}"
    named = answer.get("hookSpecificOutput")
    if isinstance(named, dict) and named.get("hookEventName") != event:
        return f"it answered for the event {named.get('hookEventName')!r}"
    return ""


def _fault_of_denial(ran: ProcessResult, answer: dict[str, Any] | None) -> str:
    decision = (answer or {}).get("hookSpecificOutput")
    denied = isinstance(decision, dict) and decision.get("permissionDecision") == "deny"
    if denied and isinstance(decision, dict) and decision.get("hookEventName") == "PreToolUse" and ran.status == 2:
        return ""
    if ran.status == 0 and not denied:
        return "it let a function pass that is far too complex"
    if ran.status == 2:
        return f"it stops every edit, because it cannot judge: {_shown(ran.stderr)}"
    return f"exit status {ran.status}: {_shown(ran.stderr)}"


def _payload(event: str, project: Path, session: str) -> dict[str, Any]:
    common = {
        "session_id": session,
        "transcript_path": os.fspath(project / f"{session}.jsonl"),
        "cwd": os.fspath(project),
        "permission_mode": "default",
        "hook_event_name": event,
    }
    return common | _FIELDS.get(event, _tool(event, project))


def _tool(event: str, project: Path) -> dict[str, Any]:
    path = os.fspath(project / "vetgate_canary.py")
    call = {"tool_name": "Write", "tool_input": {"file_path": path, "content": TANGLED}, "tool_use_id": "canary"}
    if event == "PreToolUse":
        return call
    # Afterwards the file would be looked for on disk, and there is none: a tool that only reads is asked about.
    return {"tool_name": "Read", "tool_input": {"file_path": path}, "tool_use_id": "canary", "tool_response": {}}


def environment_of(project: Path, session: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k in _KEPT or k.startswith(_KEPT_FAMILIES)}
    return kept | {
        "CLAUDE_PROJECT_DIR": os.fspath(project),
        "CLAUDECODE": "1",
        "CLAUDE_CODE_CHILD_SESSION": "1",
        "CLAUDE_CODE_SESSION_ID": session,
        "CLAUDE_CODE_ENTRYPOINT": "cli",
    }


def _shown(data: bytes) -> str:
    return " ".join(data.decode("utf-8", "replace").split())[:200] or "it said nothing"


@dataclass(frozen=True, slots=True)
class Installed:
    """The client on the PATH; `version` is None when it would not say."""

    path: str
    version: tuple[int, ...] | None

    def __str__(self) -> str:
        return spelled(self.version) if self.version else "of unknown version"


def spelled(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def installed() -> Installed | None:
    path = shutil.which("claude")
    if path is None:
        return None
    with tempfile.TemporaryDirectory(prefix="vetgate-") as home:
        environment = {name: os.environ[name] for name in _FOR_VERSION if name in os.environ}
        quiet = {
            "HOME": home,
            "TMPDIR": home,
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }
        ran = run_quietly([path, "--version"], b"", cwd=home, env=environment | quiet, seconds=_VERSION_WITHIN)
    match = _VERSION.search(ran.stdout.decode("utf-8", "replace")) if ran.status == 0 else None
    return Installed(path, tuple(map(int, match.groups())) if match else None)
