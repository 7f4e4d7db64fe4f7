"""How Claude Code is made to call vetgate: our entries in one of its settings files, and how they come out again."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.agents.claude_code.accepts import refusals
from vetgate.agents.claude_code.known import NAME
from vetgate.agents.claude_code.plugin import command_files, find_plugin
from vetgate.agents.claude_code.probe import environment_of
from vetgate.agents.claude_code.settings import (
    LISTENING,
    are_in_our_entries,
    differences,
    managed_paths,
    registered,
    settings_files,
    settings_folder,
    settings_path,
)
from vetgate.agents.command_files import displaced, placed, used_by_others
from vetgate.agents.diagnosis import note
from vetgate.agents.hook_entries import our_entries, settings_text
from vetgate.agents.hook_registration import EntriesWriting, without_us
from vetgate.agents.installation import SETTINGS, Plan, Receipts, Removal, Scope, Writing
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
from vetgate.model import UserError
from vetgate.source.git_ignored import is_ignored
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from vetgate.agents.diagnosis import Diagnosis
    from vetgate.agents.hook_entries import Entry
    from vetgate.agents.installation import Installation


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
        plan.notes.append(".mcp.json names the path of vetgate on this machine; keep that file out of commits")
    elif scope is Scope.PROJECT and wanted_words(Scope.USER) == HERE:
        plan.notes.append(
            "`vetgate` is not on the PATH, so its MCP server does not start; uv tool install . in a clone of vetgate"
        )
    return plan


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


def install(installation: Installation) -> Plan:
    """The settings come last: from then on the client runs what stands there."""
    scope = installation.scope or Scope.USER
    path = settings_path(scope, installation.root)
    before = read_bytes(path)
    _refuse_unfit(path, before)
    plugin = find_plugin(installation.root, os.environ)
    if plugin and plugin.is_on and not any(map(_is_registered, settings_files(installation.root).values())):
        brought = "hooks, commands, agents and the MCP server, so none of them is written"
        return Plan(notes=[f"the plugin {plugin.name} brings {brought}"])
    settings = SettingsWriting(
        path, SETTINGS, before, registered(before, installation.command(NAME, scope), installation.judged)
    )
    plan = Plan([installation.launcher_writing(NAME)], notes=_notes(installation, scope))
    if installation.commands:
        plan.add(placed(command_files(scope, installation.root), Receipts(installation.state)))
    if installation.mcp:
        plan.add(install_mcp(installation, scope))
    plan.writings.append(settings)
    return plan


def remove(installation: Installation, receipts: Receipts) -> Removal:
    found = Removal()
    for scope in (installation.scope,) if installation.scope else settings_files(installation.root):
        _remove(found, installation, receipts, scope)
        _remove_commands(found, installation, receipts, scope)
    if installation.scope is None:
        found.add(_FILE.removed(_path(Scope.PROJECT, installation.root), receipts))
    return found


def runs(path: Path, command: str) -> bool:
    """Whether the client finds this command in that file of settings."""
    text = settings_text(read_bytes(path) or b"{}")
    return not refusals(text) and any(entry.command == command for entry in our_entries(text))


def hook_seconds(event: str, root: Path, environment: Mapping[str, str]) -> float:
    """How long the client waits for our hook at an event, as its settings say; 0 where we are not registered.

    A person's own settings count, and an administrator's; those of a repository only where neither registers us, and
    the plugin only where no settings do.
    """
    own = settings_folder(environment) / "settings.json"
    shared = (root / ".claude" / name for name in ("settings.local.json", "settings.json"))
    plugin = find_plugin(root, environment)
    return (
        _longest(event, _entries((own, *managed_paths())))
        or _longest(event, _entries(shared))
        or _longest(event, plugin.entries() if plugin else ())
    )


def _entries(files: Iterable[Path]) -> Iterator[Entry]:
    for path in files:
        with contextlib.suppress(UserError, MalformedError):  # the client takes nothing from it either
            yield from our_entries(_text_of(path))


def _longest(event: str, entries: Iterable[Entry]) -> float:
    return max((entry.timeout for entry in entries if entry.event == event), default=0.0)


def managed(command: str) -> str:
    """What an administrator lays down so that the agent of another account runs this command and no other hook."""
    return json.dumps({**json.loads(registered(None, command)), "allowManagedHooksOnly": True}, indent=2)


@dataclass(frozen=True, slots=True)
class SettingsWriting(EntriesWriting):
    def confirm(self) -> None:
        """Read the file as the client will; one it would not take is put back before anybody relies on it."""
        data = read_bytes(self.path)
        text = settings_text(data or b"")
        fatal = [refusal for refusal in refusals(text) if refusal.drops_file]
        entries = [] if fatal else our_entries(text)
        sound = {entry.event for entry in entries if not differences(entry, entry.command)}
        if fatal or sound != {row.event for row in LISTENING}:
            Writing(self.path, self.kind, data, self.before).write()
            why = str(fatal[0]) if fatal else "some of vetgate's entries are missing"
            raise UserError(f"{self.path} did not read back as written ({why}); it was put back", hint="run it again")


def _refuse_unfit(path: Path, data: bytes | None) -> None:
    """Raise for a file that cannot be edited, or that the client skips whole: hooks in it would never run."""
    if data is None:
        return
    text = settings_text(data)
    in_our_way = {"hooks", *(f"hooks.{row.event}" for row in LISTENING)}
    fatal = [refusal for refusal in refusals(text) if refusal.drops_file or refusal.where in in_our_way]
    if fatal and not are_in_our_entries(text, fatal):
        raise UserError(
            f"{path}:{fatal[0].line}: {fatal[0]}",
            hint="Claude Code skips a settings file like this, with every hook in it, and hardly says so; "
            "correct that line and run this again. Nothing was changed",
        )


def _notes(installation: Installation, scope: Scope) -> list[str]:
    path = settings_path(scope, installation.root)
    files = settings_files(installation.root)
    found = [f"{path}:{each.line}: {each}; the client ignores it" for each in refusals(_text_of(path))]
    found += [
        f"{other_path} has vetgate's hooks too, so they run twice: `vetgate init --remove --settings {other}`"
        for other, other_path in files.items()
        if installation.command(NAME, other) != installation.command(NAME, scope) and _is_registered(other_path)
    ]
    switched_off = _switched_off(files.values())
    found += [f"{each} sets disableAllHooks: until that is taken out no hook runs" for each in switched_off]
    if scope is not Scope.USER:
        found.append("a session started in a subfolder does not load this file; --settings user works from everywhere")
    if scope is Scope.LOCAL and not _is_ignored(path, installation.root):
        found.append(f"git does not ignore {path}; add it to .gitignore so that it is not committed")
    if scope is Scope.LOCAL and installation.commands and not _is_ignored(path.parent / "commands", installation.root):
        found.append(f"commands, agents and the skill are in {path.parent}, which git does not ignore")
    return found


def _switched_off(files: Iterable[Path]) -> Iterator[Path]:
    """Settings that the client reads for this project and that silence every hook."""
    for path in files:
        with contextlib.suppress(ValueError):
            value = json.loads(_text_of(path) or "{}")
            if isinstance(value, dict) and value.get("disableAllHooks") is True:
                yield path


def _is_registered(path: Path) -> bool:
    text = _text_of(path)
    return bool(text.strip()) and not refusals(text) and bool(our_entries(text))


def _is_ignored(path: Path, root: Path) -> bool:
    if not (root / ".git").exists():
        return True
    return is_ignored(root, path)


def _text_of(path: Path) -> str:
    return settings_text(read_bytes(path) or b"")


def _remove(found: Removal, installation: Installation, receipts: Receipts, scope: Scope) -> None:
    path = settings_path(scope, installation.root)
    data = read_bytes(path)
    if data is None:
        return
    _refuse_unfit(path, data)
    if not our_entries(settings_text(data)):
        return
    others = receipts.others(path, installation.root)
    if installation.keeps(scope, others):
        found.left.append(
            f"the hooks in {path}: still needed in {_count(others)} (removed by vetgate init --remove --settings user)"
        )
        return
    found.writings.append(Writing(path, SETTINGS, data, without_us(data, receipts.of(path))))


def _remove_commands(found: Removal, installation: Installation, receipts: Receipts, scope: Scope) -> None:
    files = command_files(scope, installation.root)
    others = used_by_others(files, installation, receipts)
    if installation.keeps(scope, others):
        folder = settings_path(scope, installation.root).parent
        found.left.append(f"the commands in {folder}: {_count(others)} may use them")
        return
    going = {writing.path for writing in found.writings}
    # The repository's settings and a person's local ones share a folder.
    beside = settings_path(Scope.LOCAL if scope is Scope.PROJECT else Scope.PROJECT, installation.root)
    if scope is not Scope.USER and beside not in going and _is_registered(beside):
        return
    taken = displaced(files, receipts)
    found.left += [each for each in taken.left if each not in found.left]
    found.writings += [writing for writing in taken.writings if writing.path not in going]


def _count(projects: tuple[str, ...]) -> str:
    return projects[0] if len(projects) == 1 else f"{len(projects)} other projects"
