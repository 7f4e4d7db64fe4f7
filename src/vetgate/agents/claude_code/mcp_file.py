"""The MCP server in `.mcp.json`, which Claude Code reads for a project: our entry there, and how it comes out."""

from __future__ import annotations

import json
import os
import shutil
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from vetgate.agents import json_edit
from vetgate.agents.claude_code.entries import settings_text
from vetgate.agents.claude_code.probe import environment_of
from vetgate.agents.diagnosis import good, note
from vetgate.agents.installation import MCP, Plan, Removal, Scope, Writing
from vetgate.agents.json_text import MalformedError, parse
from vetgate.agents.quiet_process import run_quietly
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.agents.diagnosis import Diagnosis
    from vetgate.agents.installation import Installation, Receipts
    from vetgate.agents.json_text import Node

SERVER = "vetgate"
_SERVERS = "mcpServers"
_LIBRARY = "mcp"
BY_NAME: dict[str, Any] = {"command": "vetgate", "args": [_LIBRARY]}
_GET_LIBRARY = 'install "vetgate[mcp]" and run `vetgate init` again'
_WITHIN = 30.0
_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "doctor", "version": "1"}},
}


def mcp_path(root: Path) -> Path:
    return root / ".mcp.json"


def install_mcp(installation: Installation, scope: Scope) -> Plan:
    """A server of that name that somebody else wrote stays, and so does a file that cannot be read."""
    path = mcp_path(installation.root)
    before = read_bytes(path)
    if find_spec(_LIBRARY) is None:
        return Plan(notes=[f"the MCP server is not registered: its library is missing; {_GET_LIBRARY}"])
    try:
        there = _entry(before)
    except (MalformedError, TypeError) as error:
        return Plan(notes=[f"{path} was left alone: it cannot be read ({error}), so the MCP server is not registered"])
    if there is not None and not is_our_server(there):
        return Plan(notes=[f"{path} was left alone: its server `{SERVER}` is not the one that init writes"])
    wanted, notes = _wanted(scope)
    after = before if there == wanted else _with_entry(before, wanted)
    return Plan([Writing(path, MCP, before, after)], notes=notes)


def remove_mcp(installation: Installation, receipts: Receipts) -> Removal:
    """A file that nobody touched since is as it was; of another only our entry goes."""
    path = mcp_path(installation.root)
    data, receipt = read_bytes(path), receipts.of(path)
    if data is None or receipt is None:
        return Removal()
    if receipt.is_untouched(data):
        return Removal([Writing(path, MCP, data, receipt.before)])
    try:
        there = _entry(data)
    except (MalformedError, TypeError):
        return Removal(left=[f"{path}: it cannot be read any more"])
    if there is None or not is_our_server(there):
        return Removal()
    rest = _without_entry(data, receipt.before)
    emptied = receipt.before is None and parse(settings_text(rest)).value == {}
    return Removal([Writing(path, MCP, data, None if emptied else rest)])


def look_at_mcp(installation: Installation, *, brought: bool = False) -> Iterator[Diagnosis]:
    """Whether the registered server answers as the client would ask it; nothing where none is registered.

    One that is `brought` by the plugin is asked where the project registers none.
    """
    path = mcp_path(installation.root)
    try:
        there = _entry(read_bytes(path))
    except (MalformedError, TypeError) as error:
        why = "Claude Code starts none of its servers"
        yield note("mcp", f"{path} cannot be read: {error}", why, f"correct {path}")
        return
    if there is None and brought:
        yield from _asked(installation, BY_NAME, "the plugin")
    if there is None or not is_our_server(there):
        return
    if there not in (BY_NAME, _here()):  # a repository may say anything in there: it is not run
        why = "agents that ask it may get any answer"
        yield note("mcp", f"{path} starts a `{SERVER}` that is not this one", why, "vetgate init")
        return
    yield from _asked(installation, there, str(path))


def _asked(installation: Installation, entry: dict[str, Any], where: str) -> Iterator[Diagnosis]:
    words = [entry["command"], *entry["args"]]
    ran = run_quietly(
        words,
        json.dumps(_HELLO).encode() + b"\n",
        cwd=os.fspath(installation.root),
        env=environment_of(installation.root, ""),
        seconds=_WITHIN,
    )
    if _is_answer(ran.stdout):
        yield good("mcp", f"the MCP server in {where} answers ({ran.seconds * 1000:.0f} ms)")
        return
    told = ran.stderr.decode("utf-8", "replace").strip().splitlines()
    what = f"the MCP server in {where} does not answer{': ' + told[-1] if told else ''}"
    why = "agents cannot ask before they write; the gate itself stands without it"
    yield note("mcp", what, why, _GET_LIBRARY if find_spec(_LIBRARY) is None else "vetgate init")


def is_our_server(entry: dict[str, Any]) -> bool:
    """Whether init wrote it, in this installation or in another one."""
    return entry == BY_NAME or entry.get("args") == _here()["args"]


def _here() -> dict[str, Any]:
    return {"command": sys.executable, "args": ["-P", "-m", "vetgate", _LIBRARY]}


def _is_answer(printed: bytes) -> bool:
    try:
        return bool(json.loads(printed.partition(b"\n")[0])["result"]["serverInfo"]["name"] == SERVER)
    except (ValueError, KeyError, TypeError):
        return False


def _wanted(scope: Scope) -> tuple[dict[str, Any], list[str]]:
    """The file is shared with whoever works here: by its name where that is found, else as it is installed here."""
    if shutil.which("vetgate"):
        return BY_NAME, []
    if scope is Scope.PROJECT:
        return BY_NAME, [
            "`vetgate` is not on the PATH, so its MCP server does not start; uv tool install . in a clone of vetgate"
        ]
    told = "the MCP server in .mcp.json is registered by its place on this machine; keep that file out of commits"
    return _here(), [told]


def _entry(data: bytes | None) -> dict[str, Any] | None:
    """Raises MalformedError for what is no JSON, TypeError for what the client would not read."""
    text = settings_text(data or b"")
    if not text.strip():
        return None
    root = parse(text)
    servers = root.value.get(_SERVERS) if isinstance(root.value, dict) else root.value
    if servers is None:
        return None
    if not isinstance(servers, dict) or not isinstance(servers.get(SERVER, {}), dict):
        raise TypeError(f"`{_SERVERS}` holds no servers by name")
    found: dict[str, Any] | None = servers.get(SERVER)
    return found


def _with_entry(data: bytes | None, wanted: dict[str, Any]) -> bytes:
    text = settings_text(data or b"")
    if not text.strip():
        return (json.dumps({_SERVERS: {SERVER: wanted}}, indent=2) + "\n").encode()
    root = parse(text)
    servers = root.get(_SERVERS)
    if servers is None:
        return _encoded(json_edit.insert_member(text, root, _SERVERS, {SERVER: wanted}))
    mine = servers.get(SERVER)
    edited = (
        json_edit.insert_member(text, servers, SERVER, wanted)
        if mine is None
        else json_edit.replace(text, mine, wanted)
    )
    return _encoded(edited)


def _without_entry(data: bytes, before: bytes | None) -> bytes:
    text = settings_text(data)
    root = parse(text)
    servers = root.get(_SERVERS)
    assert servers is not None  # noqa: S101 - our entry was read from it
    servers_existed = before is not None and parse(settings_text(before)).get(_SERVERS) is not None
    if len(servers.members) > 1 or servers_existed:
        return _encoded(json_edit.remove_part(text, servers, _place(servers, SERVER)))
    return _encoded(json_edit.remove_part(text, root, _place(root, _SERVERS)))


def _place(container: Node, key: str) -> int:
    return [member.key for member in container.members].index(key)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
