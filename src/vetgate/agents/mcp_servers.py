"""Our MCP server in a settings file of JSON: our entry there, how it comes out again, and whether it answers."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from vetgate.agents import json_text
from vetgate.agents.diagnosis import good, note
from vetgate.agents.hook_entries import edited, settings_text
from vetgate.agents.installation import MCP, Plan, Removal, Scope, ScopedFile, Writing
from vetgate.agents.json_text import MalformedError, parse
from vetgate.agents.quiet_process import run_quietly
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from vetgate.agents.diagnosis import Diagnosis
    from vetgate.agents.installation import Installation, Receipts

SERVER = "vetgate"
_LIBRARY = "mcp"
BY_NAME = ("vetgate", _LIBRARY)
HERE = (sys.executable, "-P", "-m", "vetgate", _LIBRARY)
_GET_LIBRARY = 'install "vetgate[mcp]" and run `vetgate init` again'
_WITHIN = 30.0
_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "doctor", "version": "1"}},
}


def command_and_arguments(words: Sequence[str]) -> dict[str, Any]:
    return {"command": words[0], "args": list(words[1:])}


def words_of(entry: object) -> tuple[str, ...]:
    """What a server is started with, in each of the forms that agents have; nothing for what is none of them."""
    if not isinstance(entry, dict):
        return ()
    command, arguments = entry.get("command"), entry.get("args", [])
    if not isinstance(arguments, list):
        return ()
    words: list[Any] = command if isinstance(command, list) else [command, *arguments]
    return tuple(words) if all(isinstance(each, str) for each in words) else ()


def is_ours(words: Sequence[str]) -> bool:
    """Whether init wrote it, in this installation or in another one."""
    return words == BY_NAME or words[1:] == HERE[1:]


def wanted_words(scope: Scope) -> tuple[str, ...]:
    """What teammates share is called by its name; a person's own settings name it where that is found."""
    return BY_NAME if scope is Scope.PROJECT or shutil.which("vetgate") else HERE


def missing_library() -> str:
    """Why the server is not registered; "" where it can run."""
    if find_spec(_LIBRARY) is not None:
        return ""
    return f"the MCP server is not registered: its library is missing; {_GET_LIBRARY}"


@dataclass(frozen=True, slots=True)
class ServerList:
    """The object of a settings file that holds servers by name, and how the command of one is spelled there."""

    key: str = "mcpServers"
    spelled: Callable[[Sequence[str]], dict[str, Any]] = command_and_arguments

    def entry(self, data: bytes | None) -> Any:
        """Whatever is called like ours. Raises MalformedError for no JSON, TypeError for what no agent would read."""
        text = settings_text(data or b"")
        if not text.strip():
            return None
        root = parse(text)
        servers = root.value.get(self.key) if isinstance(root.value, dict) else root.value
        if servers is None:
            return None
        if not isinstance(servers, dict) or not isinstance(servers.get(SERVER, {}), dict):
            raise TypeError(f"`{self.key}` holds no servers by name")
        return servers.get(SERVER)

    def words(self, data: bytes | None) -> tuple[str, ...]:
        """What the server of our name is started with; nothing where there is none, or nobody can read the file."""
        try:
            return words_of(self.entry(data))
        except (MalformedError, TypeError):
            return ()

    def has_ours(self, data: bytes | None) -> bool:
        return is_ours(self.words(data))

    def with_ours(self, path: Path, data: bytes | None, words: Sequence[str]) -> tuple[bytes | None, str]:
        """The file with our entry, as it was where it has that; or as it was, and why."""
        try:
            there = self.entry(data)
        except (MalformedError, TypeError) as error:
            return data, f"{path} was left alone: it cannot be read ({error}), so the MCP server is not registered"
        if there is not None and not is_ours(words_of(there)):
            return data, f"{path} was left alone: its server `{SERVER}` is not the one that init writes"
        if words_of(there) == words:
            return data, ""
        return edited(data or b"", lambda text: self._added(text, self.spelled(words))), ""

    def _added(self, text: str, entry: dict[str, Any]) -> str:
        if not text.strip():
            return json.dumps({self.key: {SERVER: entry}}, indent=2) + "\n"
        root = parse(text)
        servers = root.get(self.key)
        if servers is None:
            return json_text.insert_member(text, root, self.key, {SERVER: entry})
        mine = servers.get(SERVER)
        if mine is None:
            return json_text.insert_member(text, servers, SERVER, entry)
        return json_text.replace(text, mine, entry)

    def without_ours(self, data: bytes, before: bytes | None) -> bytes:
        """Also without the object that it leaves empty, unless that was there `before`."""
        if not self.has_ours(data):
            return data
        stays = before is not None and parse(settings_text(before).strip() or "{}").get(self.key) is not None
        return edited(data, lambda text: self._removed(text, keeps_object=stays))

    def _removed(self, text: str, *, keeps_object: bool) -> str:
        root = parse(text)
        servers = root.get(self.key)
        assert servers is not None  # noqa: S101 - our entry was read from it
        if len(servers.members) > 1 or keeps_object:
            return json_text.remove_member(text, servers, SERVER)
        return json_text.remove_member(text, root, self.key)


@dataclass(frozen=True, slots=True)
class ServerFile(ScopedFile):
    """A settings file of which nothing but our server is ours."""

    called = "the MCP server in "

    path: Callable[[Scope, Path], Path]
    servers: ServerList = ServerList()

    def plan(self, installation: Installation) -> Plan:
        if not installation.mcp:
            return Plan()
        if why := missing_library():
            return Plan(notes=[why])
        scope = installation.target
        return self.planned(self.path(scope, installation.root), wanted_words(scope))

    def planned(self, path: Path, words: Sequence[str]) -> Plan:
        before = read_bytes(path)
        after, why = self.servers.with_ours(path, before, words)
        return Plan(notes=[why]) if why else Plan([Writing(path, MCP, before, after)])

    def is_there(self, path: Path) -> bool:  # noqa: ARG002 - as others have it
        return True  # also of one that is gone it is said who needs it

    def removed(self, path: Path, receipts: Receipts) -> Removal:
        """A file that nobody touched since is as it was; of another only our entry goes."""
        data, receipt = read_bytes(path), receipts.of(path)
        if data is None or receipt is None:
            return Removal()
        if receipt.is_untouched(data):
            return Removal([Writing(path, MCP, data, receipt.before)])
        try:
            self.servers.entry(data)
        except (MalformedError, TypeError):
            return Removal(left=[f"{path}: it can no longer be read"])
        rest = self.servers.without_ours(data, receipt.before)
        if rest == data:
            return Removal()
        emptied = receipt.before is None and parse(settings_text(rest)).value == {}
        return Removal([Writing(path, MCP, data, None if emptied else rest)])

    def look(self, installation: Installation, environment: Mapping[str, str]) -> Iterator[Diagnosis]:
        for path in self.paths(installation.root).values():
            try:
                there = self.servers.entry(read_bytes(path))
            except (MalformedError, TypeError) as error:
                yield note("mcp", f"{path} cannot be read: {error}", "no server in it is started", f"correct {path}")
                continue
            yield from look_at(words_of(there), path, installation, environment)


def look_at(
    words: Sequence[str], path: Path, installation: Installation, environment: Mapping[str, str]
) -> Iterator[Diagnosis]:
    """Whether the registered server answers as a client would ask it; nothing where none of ours is registered."""
    if not is_ours(words):
        return
    if words not in (BY_NAME, HERE):  # a repository may say anything in there: it is not run
        why = "agents that ask it may get arbitrary answers"
        yield note("mcp", f"{path} starts a `{SERVER}` that is not this one", why, "vetgate init")
        return
    yield asked(words, str(path), installation, environment)


def asked(words: Sequence[str], where: str, installation: Installation, environment: Mapping[str, str]) -> Diagnosis:
    ran = run_quietly(
        list(words),
        json.dumps(_HELLO).encode() + b"\n",
        cwd=os.fspath(installation.root),
        env=dict(environment),
        seconds=_WITHIN,
    )
    if _is_answer(ran.stdout):
        return good("mcp", f"the MCP server in {where} answers ({ran.seconds * 1000:.0f} ms)")
    told = ran.stderr.decode("utf-8", "replace").strip().splitlines()
    what = f"the MCP server in {where} does not answer{': ' + told[-1] if told else ''}"
    why = "agents cannot ask before they write; the gate itself stands without it"
    return note("mcp", what, why, _GET_LIBRARY if find_spec(_LIBRARY) is None else "vetgate init")


def _is_answer(printed: bytes) -> bool:
    try:
        return bool(json.loads(printed.partition(b"\n")[0])["result"]["serverInfo"]["name"] == SERVER)
    except (ValueError, KeyError, TypeError):
        return False
