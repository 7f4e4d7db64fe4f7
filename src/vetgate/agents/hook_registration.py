"""Registering with agents: in a settings file of JSON that others write to as well, or in a whole file of our own."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from vetgate.agents.hook_entries import our_entries, registered, settings_text, unregistered
from vetgate.agents.installation import SETTINGS, Plan, Removal, Scope, ScopedFile, Writing
from vetgate.agents.json_text import MalformedError, parse
from vetgate.agents.mcp_servers import missing_library, wanted_words
from vetgate.model import UserError
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from vetgate.agents.hook_entries import Entry, Listening
    from vetgate.agents.installation import Installation, Receipt, Receipts
    from vetgate.agents.mcp_servers import ServerList


class Registered(NamedTuple):
    """One command of ours that the agent runs: where it stands, for which event, and how long it may take."""

    path: Path
    event: str
    command: str
    seconds: float = 0.0


class HookSettingsFile(ScopedFile):
    """A settings file that lists hooks, ours among others."""

    called = "the hooks in "

    def hooks_in(self, path: Path) -> list[Registered]:
        """Those of ours; none in a file that nobody can read."""
        raise NotImplementedError

    def is_there(self, path: Path) -> bool:
        return bool(self.hooks_in(path))

    def registered(self, installation: Installation) -> list[Registered]:
        return [each for path in self.paths(installation.root).values() for each in self.hooks_in(path)]

    def runs(self, path: Path, command: str) -> bool:
        return any(each.command == command for each in self.hooks_in(path))

    def hook_seconds(self, event: str, root: Path, environment: Mapping[str, str]) -> float:  # noqa: ARG002 - as others have it
        """How long the agent waits for our hook at an event; 0 where we are not registered."""
        hooks = (each for path in self.paths(root).values() for each in self.hooks_in(path))
        return next((each.seconds for each in hooks if each.event == event and each.seconds), 0.0)


@dataclass(frozen=True, slots=True)
class HookFile(HookSettingsFile):
    """Where an agent's hooks stand, and what we listen to there.

    `path` is that of a scope and a project; `rows` those where judges are waited for so many seconds; `per_second` is
    how many of the agent's units of time are a second. `servers` is where the same file lists MCP servers, if it does.
    """

    agent: str
    path: Callable[[Scope, Path], Path]
    rows: Callable[[float], tuple[Listening, ...]]
    per_second: int = 1
    servers: ServerList | None = None

    @property
    def events(self) -> tuple[str, ...]:
        return tuple(row.event for row in self.rows(0.0))

    def plan(self, installation: Installation) -> Plan:
        scope = installation.target
        path = self.path(scope, installation.root)
        before = read_bytes(path)
        _require_json(path, before)
        rows = self.rows(installation.judged)
        hooked = registered(before, installation.command(self.agent, scope), rows)
        after, why = self._served(path, hooked, installation, scope)
        writing = EntriesWriting(path, SETTINGS, before, after, servers=self.servers)
        plan = Plan([installation.launcher_writing(self.agent), writing], [why] if why else [])
        other = Scope.USER if scope is Scope.PROJECT else Scope.PROJECT
        if entries_in(self.path(other, installation.root)):
            told = f"vetgate init --remove --settings {other}"
            plan.notes.append(
                f"{self.path(other, installation.root)} has vetgate's hooks too, so they run twice; `{told}`"
            )
        return plan

    def _served(
        self, path: Path, data: bytes | None, installation: Installation, scope: Scope
    ) -> tuple[bytes | None, str]:
        """With our MCP server where one is wanted; else as it was, and why."""
        if self.servers is None or not installation.mcp:
            return data, ""
        why = missing_library()
        return (data, why) if why else self.servers.with_ours(path, data, wanted_words(scope))

    def is_there(self, path: Path) -> bool:
        data = read_bytes(path)
        return data is not None and bool(entries_in(path) or (self.servers and self.servers.has_ours(data)))

    def removed(self, path: Path, receipts: Receipts) -> Removal:
        data = read_bytes(path) or b""
        return Removal([Writing(path, SETTINGS, data, without_us(data, receipts.of(path), self.servers))])

    def hooks_in(self, path: Path) -> list[Registered]:
        return [
            Registered(path, entry.event, entry.command, entry.timeout / self.per_second) for entry in entries_in(path)
        ]


def entries_in(path: Path) -> list[Entry]:
    """Those of ours; none in a file that nobody can read: the agent takes nothing from it either."""
    with contextlib.suppress(UserError, MalformedError):
        return our_entries(settings_text(read_bytes(path) or b""))
    return []


@dataclass(frozen=True, slots=True)
class EntriesWriting(Writing):
    """A settings file, which others write to as well."""

    servers: ServerList | None = None

    def confirm(self) -> None:
        """One that does not hold what was written is put back before anybody relies on it."""
        data = read_bytes(self.path)
        if data != self.after:
            Writing(self.path, self.kind, data, self.before).write()
            raise UserError(f"{self.path} did not read back as written; it was put back", hint="run it again")

    def original(self, earlier: Receipt | None) -> bytes | None:
        before = Writing.original(self, earlier)  # super() does not know a class with slots
        if before is None or before is not self.before:
            return before
        return _taken_out(before, earlier, self.servers)


def without_us(data: bytes, receipt: Receipt | None, servers: ServerList | None = None) -> bytes | None:
    if receipt and receipt.is_untouched(data):
        return receipt.before
    rest = _taken_out(data, receipt, servers)
    created = receipt is not None and receipt.before is None
    return None if created and parse(settings_text(rest)).value == {} else rest


def _taken_out(data: bytes, receipt: Receipt | None, servers: ServerList | None) -> bytes:
    """Our hooks in any case; the server unless a person had it before us, as far as is known."""
    before = receipt.before if receipt else None
    rest = unregistered(data, before) if our_entries(settings_text(data)) else data
    if servers is None or receipt is None or servers.has_ours(before):
        return rest
    return servers.without_ours(rest, before)


def _require_json(path: Path, data: bytes | None) -> None:
    try:
        text = settings_text(data or b"")
        root = parse(text) if text.strip() else None
    except MalformedError as error:
        raise UserError(
            f"{path} cannot be read: {error}", hint="correct it and run this again. Nothing was changed"
        ) from error
    hooks = root.get("hooks") if root else None
    if (root and not isinstance(root.value, dict)) or (hooks and not isinstance(hooks.value, dict)):
        raise UserError(f"{path} has no object where its hooks should be", hint="correct it and run this again")


@dataclass(frozen=True, slots=True)
class OwnFile(ScopedFile):
    """`content` is what stands there for an installation, in a scope; `mark` is in every file of ours."""

    agent: str
    path: Callable[[Scope, Path], Path]
    content: Callable[[Installation, Scope], str]
    mark: bytes = b"vetgate-hook"

    def is_there(self, path: Path) -> bool:
        return self.mark in (read_bytes(path) or b"")

    def plan(self, installation: Installation) -> Plan:
        scope = installation.target
        path = self.path(scope, installation.root)
        before = read_bytes(path)
        if before is not None and not self.is_there(path):
            return Plan(stuck=[f"{path} is not a file of vetgate, so it was left alone; move it and run it again"])
        writing = Writing(path, SETTINGS, before, self.content(installation, scope).encode())
        plan = Plan([installation.launcher_writing(self.agent), writing])
        other = self.path(Scope.USER if scope is Scope.PROJECT else Scope.PROJECT, installation.root)
        if self.is_there(other):
            plan.notes.append(f"{other} has vetgate's hooks too, so every call is judged twice; delete one of the two")
        return plan

    def removed(self, path: Path, receipts: Receipts) -> Removal:  # noqa: ARG002 - as others have it
        return Removal([Writing(path, SETTINGS, read_bytes(path), None)])

    def repairs(self, installation: Installation) -> list[Writing]:
        plans = (
            self.plan(replace(installation, scope=scope))
            for scope, path in self.paths(installation.root).items()
            if self.is_there(path)
        )
        return [writing for plan in plans for writing in plan.writings]
