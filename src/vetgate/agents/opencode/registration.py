"""How OpenCode is made to call vetgate: a plugin of ours, which fails closed and never throws where it is loaded."""

from __future__ import annotations

import json
import os
from functools import partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.agents.command_files import CommandFiles, markdown
from vetgate.agents.hook_registration import OwnFile
from vetgate.agents.installation import RegistrationParts, Scope, unmanaged
from vetgate.agents.mcp_servers import ServerFile, ServerList
from vetgate.agents.opencode.known import FILE, NAME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.agents.installation import Installation

GUARD, GUARD_SECONDS = "tool.execute.before", 10
_PLUGIN = Path(__file__).parent / "plugin.js"


def config_dir(environment: Mapping[str, str]) -> Path:
    moved, base = environment.get("OPENCODE_CONFIG_DIR", ""), environment.get("XDG_CONFIG_HOME", "")
    if moved.startswith("/"):
        return Path(moved)
    return (Path(base) if base.startswith("/") else Path.home() / ".config") / "opencode"


def _folder(scope: Scope, root: Path) -> Path:
    return root / ".opencode" if scope is Scope.PROJECT else config_dir(os.environ)


def plugin_path(scope: Scope, root: Path) -> Path:
    return _folder(scope, root) / "plugin" / FILE


def _servers_path(scope: Scope, root: Path) -> Path:
    return (root if scope is Scope.PROJECT else _folder(scope, root)) / "opencode.json"


def seconds(judged: float = 0.0) -> dict[str, int]:
    return {
        "session.created": 120,
        "chat.message": 120,
        GUARD: min(GUARD_SECONDS + ceil(judged), 600),
        "tool.execute.after": 300,
        "session.idle": 600,
    }


def plugin(installation: Installation, scope: Scope) -> str:
    """For a repository it asks whichever vetgate is on the PATH, and nobody where there is none."""
    shared = scope is Scope.PROJECT
    command = f"vetgate-hook --agent {NAME}" if shared else installation.command(NAME, scope)
    known = {"@COMMAND@": command, "@LAUNCHER@": "" if shared else str(installation.launcher(NAME))}
    text = _PLUGIN.read_text(encoding="utf-8")
    if shared:  # who has no vetgate is not in the way of a teammate who has
        known["@COMMAND@"] = f"command -v vetgate-hook >/dev/null 2>&1 || exit 0; {command}"
    for mark, value in known.items():
        text = text.replace(f'"{mark}"', json.dumps(value))
    return text.replace('"@SECONDS@"', json.dumps(seconds(installation.judged)))


OWN = OwnFile(NAME, plugin_path, plugin)
SERVERS = ServerFile(
    _servers_path, ServerList("mcp", lambda words: {"type": "local", "command": list(words), "enabled": True})
)
COMMANDS = CommandFiles(_folder, "command/{}.md", markdown, tool="vetgate_", arguments="`$ARGUMENTS`")
_PARTS = RegistrationParts(
    (OWN, SERVERS, COMMANDS),
    note="`opencode run` ends before its turn can be held: what is open then is held at the commit",
)

install, remove = _PARTS.install, _PARTS.remove
managed = partial(unmanaged, "OpenCode")


def runs(path: Path, command: str) -> bool:
    return path.name == FILE and path.exists() and command in path.read_text(encoding="utf-8", errors="replace")


def hook_seconds(event: str, root: Path, environment: Mapping[str, str]) -> float:
    """As the plugin that is there says; 0 where there is none."""
    for path in (config_dir(environment) / "plugin" / FILE, plugin_path(Scope.PROJECT, root)):
        if OWN.is_there(path):
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            said = next((line for line in lines if line.startswith("const SECONDS = ")), "")
            try:
                return float(json.loads(said.partition("= ")[2]).get(event, 0))
            except (ValueError, AttributeError):
                return 0.0
    return 0.0
