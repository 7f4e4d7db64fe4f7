"""The MCP server in `.mcp.json`, which Claude Code reads for a project: our entry there, and how it comes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.agents.claude_code.probe import environment_of
from vetgate.agents.diagnosis import note
from vetgate.agents.installation import Plan, Scope
from vetgate.agents.json_text import MalformedError
from vetgate.agents.mcp_servers import (
    BY_NAME,
    HERE,
    ServerFile,
    asked,
    look_at,
    missing_library,
    wanted_words,
    words_of,
)
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.agents.diagnosis import Diagnosis
    from vetgate.agents.installation import Installation, Receipts, Removal


def _path(_scope: Scope, root: Path) -> Path:
    return root / ".mcp.json"


_FILE = ServerFile(_path)


def install_mcp(installation: Installation, scope: Scope) -> Plan:
    """A server of that name that somebody else wrote stays, and so does a file that cannot be read.

    The file is shared with whoever works here: by its name where that is found, else as it is installed here.
    """
    if why := missing_library():
        return Plan(notes=[why])
    words = wanted_words(scope)
    plan = _FILE.planned(_path(scope, installation.root), words)
    if words == HERE and plan.writings:
        plan.notes.append(
            "the MCP server in .mcp.json is registered by its place on this machine; keep that file out of commits"
        )
    elif scope is Scope.PROJECT and wanted_words(Scope.USER) == HERE:
        plan.notes.append(
            "`vetgate` is not on the PATH, so its MCP server does not start; uv tool install . in a clone of vetgate"
        )
    return plan


def remove_mcp(installation: Installation, receipts: Receipts) -> Removal:
    return _FILE.removed(_path(Scope.PROJECT, installation.root), receipts)


def look_at_mcp(installation: Installation, *, brought: bool = False) -> Iterator[Diagnosis]:
    """Whether the registered server answers as the client would ask it; nothing where none is registered.

    One that is `brought` by the plugin is asked where the project registers none.
    """
    path = _path(Scope.PROJECT, installation.root)
    environment = environment_of(installation.root, "")
    try:
        there = _FILE.servers.entry(read_bytes(path))
    except (MalformedError, TypeError) as error:
        why = "Claude Code starts none of its servers"
        yield note("mcp", f"{path} cannot be read: {error}", why, f"correct {path}")
        return
    if there is None and brought:
        yield asked(BY_NAME, "the plugin", installation, environment)
    yield from look_at(words_of(there), path, installation, environment)
