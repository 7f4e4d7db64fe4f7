"""How Copilot CLI is made to call vetgate: a file of hooks of our own, in which each command says its event."""

from __future__ import annotations

import json
import os
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any

from vetgate.agents.command_files import WORDS_BESIDE, CommandFiles, skill
from vetgate.agents.copilot.known import FILE, NAME, config_dir
from vetgate.agents.hook_registration import OwnFile
from vetgate.agents.installation import RegistrationParts, Scope, unmanaged
from vetgate.agents.mcp_servers import ServerFile, ServerList, command_and_arguments
from vetgate.model import UserError
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from vetgate.agents.installation import Installation

GUARD, GUARD_SECONDS = "preToolUse", 10


def hooks_path(scope: Scope, root: Path) -> Path:
    return _folder(scope, root) / "hooks" / FILE


def seconds(judged: float = 0.0) -> dict[str, int]:
    return {
        "sessionStart": 120,
        "userPromptSubmitted": 120,
        GUARD: min(GUARD_SECONDS + ceil(judged), 600),
        "postToolUse": 300,
        "postToolUseFailure": 300,
        "agentStop": 600,
        "sessionEnd": 5,
    }


def _content(installation: Installation, scope: Scope) -> str:
    hooks = {
        event: [{"type": "command", "bash": installation.command(NAME, scope, event), "timeoutSec": limit}]
        for event, limit in seconds(installation.judged).items()
    }
    return json.dumps({"version": 1, "hooks": hooks}, indent=2) + "\n"


OWN = OwnFile(NAME, hooks_path, _content)


def hooks_in(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Our hooks in a file, by event."""
    try:
        found = json.loads(read_bytes(path) or b"{}").get("hooks", {})
        for event, entries in found.items():
            yield from ((event, each) for each in entries if "vetgate-hook" in str(each.get("bash")))
    except (ValueError, AttributeError, TypeError, UserError):
        return


def _folder(scope: Scope, root: Path) -> Path:
    return root / ".github" if scope is Scope.PROJECT else config_dir(os.environ)


def _servers_path(scope: Scope, root: Path) -> Path:
    return _folder(scope, root) / ("mcp.json" if scope is Scope.PROJECT else "mcp-config.json")


SERVERS = ServerFile(
    _servers_path, ServerList(spelled=lambda words: {"type": "local", **command_and_arguments(words), "tools": ["*"]})
)
COMMANDS = CommandFiles(_folder, "skills/{}/SKILL.md", skill, tool="vetgate-", arguments=WORDS_BESIDE)
_PARTS = RegistrationParts(
    (OWN, SERVERS, COMMANDS),
    shared_note="Copilot CLI runs the hooks of a repository only in a folder that a person trusts",
)

install, remove = _PARTS.install, _PARTS.remove
managed = partial(unmanaged, "Copilot CLI")


def runs(path: Path, command: str) -> bool:
    return any(str(each["bash"]).startswith(command) for _, each in hooks_in(path))


def hook_seconds(event: str, root: Path, environment: Mapping[str, str]) -> float:
    own = config_dir(environment) / "hooks" / FILE
    found = (each for path in (own, hooks_path(Scope.PROJECT, root)) for name, each in hooks_in(path) if name == event)
    return next((float(each.get("timeoutSec", 30)) for each in found), 0.0)
