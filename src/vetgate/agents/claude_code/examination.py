"""Is Claude Code really gated here? Our entries in its settings, what they answer, and the client itself."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.agents import CANARY, session_agents
from vetgate.agents.claude_code.accepts import refusals
from vetgate.agents.claude_code.client_record import HookFailure, failures
from vetgate.agents.claude_code.known import NAME
from vetgate.agents.claude_code.plugin import InstalledPlugin, find_plugin, look_at_plugin
from vetgate.agents.claude_code.probe import FAILS_CLOSED, SUPPORTED, fault, installed, probe, spelled
from vetgate.agents.claude_code.registration import install, look_at_mcp
from vetgate.agents.claude_code.settings import (
    LISTENING,
    are_in_our_entries,
    config_dir,
    differences,
    managed_paths,
    settings_files,
)
from vetgate.agents.diagnosis import Diagnosis, Examination, bad, good, look_at_launcher, note
from vetgate.agents.hook_entries import Entry, command_entries, is_ours, reaches_us, settings_text
from vetgate.agents.hook_examination import is_here
from vetgate.agents.installation import Scope
from vetgate.agents.json_text import parse
from vetgate.model import UserError
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.agents import Agent
    from vetgate.agents.installation import Installation, Writing
    from vetgate.progress import Progress

_REPAIR = "vetgate doctor --repair"
_LONGEST = 30.0
_MS = 1000
_GUARD = "PreToolUse"
_PROBING = "probing the hooks"
_SWITCHES = ("CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE")
_OFF = frozenset({"", "0", "false", "no", "off"})
_REMEMBERED = timedelta(days=7)


def examine(installation: Installation, progress: Progress) -> Examination:
    files, plugin = read_settings(installation), find_plugin(installation.root, os.environ)
    stands_alone = not any(file.ours for file in files)
    ours = plugin is not None or any(reaches_us(entry.command) for file in files for entry in file.entries)
    if not ours and not any(file.problems for file in files) and _is_for_others(installation):
        return Examination()
    return Examination(
        chain(look_at_settings(installation, files, plugin), look_at_plugin(plugin, stands_alone=stands_alone)),
        chain(
            _probed(installation, _probes(files, plugin if stands_alone else None), progress),
            look_at_mcp(installation, brought=bool(plugin and plugin.is_on)),
        ),
        _look_at_client(installation, files),
    )


def _is_for_others(installation: Installation) -> bool:
    """Whether nobody has this client, and another one is gated."""
    others = (each for each in session_agents() if each.name != NAME)
    return not is_here(NAME, installation.root) and any(_is_gated(each, installation.root) for each in others)


def _is_gated(other: Agent, root: Path) -> bool:
    events = other.known.gated.events if other.known.gated else {}
    return any(other.registration.hook_seconds(event, root, os.environ) for event in events)


def repairs(installation: Installation) -> list[Writing]:
    """Our entries where they stand, or can stand again, and the launcher."""
    scopes = [file.scope for file in read_settings(installation) if file.scope and (file.ours or file.repairable)]
    if not scopes and _is_for_others(installation):
        return []
    installation = replace(installation, mcp=False)  # it is no part of the gate
    plans = [install(replace(installation, scope=scope)) for scope in scopes or [Scope.USER]]
    return [*plans[0].writings, *(writing for plan in plans[1:] for writing in plan.writings[1:])]


def require_supported() -> str:
    """What is worth knowing of the client that is installed; raises UserError for one that is too old."""
    client = installed()
    if client is None:
        return "no `claude` on the PATH; the hooks take effect once Claude Code is installed"
    if client.version is None:
        return f"{client.path} did not say its version; {spelled(SUPPORTED)} or later is needed"
    if client.version < SUPPORTED:
        raise UserError(
            f"Claude Code {client} is too old: vetgate needs {spelled(SUPPORTED)} or later",
            hint="update it with `claude update` and run it again",
        )
    return ""


@dataclass(frozen=True, slots=True)
class Settings:
    """One settings file as the client reads it: `value` is empty when there is none, or it skips the file.

    `repairable`: it skips the file for an entry of ours alone, which can be written anew.
    """

    scope: Scope | None
    path: Path
    value: dict[str, Any]
    entries: tuple[Entry, ...]
    problems: tuple[Diagnosis, ...] = ()
    repairable: bool = False

    @property
    def ours(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if is_ours(entry.command))


def read_settings(installation: Installation) -> list[Settings]:
    files: list[tuple[Scope | None, Path]] = [*settings_files(installation.root).items()]
    files += [(None, path) for path in managed_paths()]
    return [_read(scope, path) for scope, path in files]


def _read(scope: Scope | None, path: Path) -> Settings:
    try:
        text = settings_text(read_bytes(path) or b"")
    except UserError as error:
        problem = bad("settings", error.message, "its hooks may not run", error.hint)
        return Settings(scope, path, {}, (), (problem,))
    found = refusals(text)
    fatal = [refusal for refusal in found if refusal.drops_file]
    repairable = scope is not None and bool(fatal) and are_in_our_entries(text, fatal)
    problems = tuple(
        bad(
            "settings",
            f"{path}:{refusal.line}: {refusal}",
            "Claude Code skips the whole file for it, with every hook in it"
            if refusal.drops_file
            else "Claude Code ignores this entry; older versions skip the whole file",
            _REPAIR if repairable else f"correct line {refusal.line} of {path}",
        )
        for refusal in found
    )
    if not text.strip() or fatal:
        return Settings(scope, path, {}, (), problems, repairable)
    root = parse(text)
    return Settings(scope, path, root.value, tuple(command_entries(text, root)), problems)


def look_at_settings(
    installation: Installation, files: list[Settings], plugin: InstalledPlugin | None = None
) -> Iterator[Diagnosis]:
    for file in files:
        yield from file.problems
        yield from _switches(file)
        if file.ours and file.scope:
            yield from _registration(installation, file)
    if not (plugin and plugin.entries()):  # it is loaded wherever a session starts
        yield from _reach(installation, files)
    if any(str(installation.launcher(NAME)) in entry.command for file in files for entry in file.entries):
        yield look_at_launcher(installation, NAME)


def _switches(file: Settings) -> Iterator[Diagnosis]:
    if file.value.get("disableAllHooks") is True:
        why = "no hook runs, whichever file it is registered in"
        yield bad("disabled", f"{file.path} sets disableAllHooks", why, "take `disableAllHooks` out of that file")
    if file.scope is None and file.value.get("allowManagedHooksOnly") is True:
        why = "only hooks from your administrator's settings run"
        yield bad("disabled", f"{file.path} sets allowManagedHooksOnly", why, "have vetgate's hooks added there")


def _registration(installation: Installation, file: Settings) -> Iterator[Diagnosis]:
    assert file.scope is not None  # noqa: S101
    command = installation.command(NAME, file.scope)
    missing = [row.event for row in LISTENING if row.event not in {entry.event for entry in file.ours}]
    if missing:
        why = "the gate does not hear of these events"
        yield bad("registration", f"{file.path} lacks vetgate's hook for {', '.join(missing)}", why, _REPAIR)
    drifted = [(entry, differences(entry, command, installation.judged)) for entry in file.ours]
    for entry, how in drifted:
        if how:
            why = "this is not how vetgate registers itself, so it may be slower, blind or easy to pass"
            yield bad("drift", f"{file.path}:{entry.line}: {entry.event}: {'; '.join(how)}", why, _REPAIR)
    if not missing and not any(how for _, how in drifted):
        yield good("registration", f"{file.path} has vetgate's hooks for all {len(LISTENING)} events")


def _reach(installation: Installation, files: list[Settings]) -> Iterator[Diagnosis]:
    holding = [file for file in files if any(reaches_us(entry.command) for entry in file.entries)]
    if not holding and any(file.problems for file in files):
        return  # they may well stand in the file that cannot be read; that is said above
    if not holding:
        why = "nothing an agent writes is judged"
        yield bad("registration", "our hooks are not registered in any settings file", why, "vetgate init")
        return
    if len({entry.command for file in holding for entry in file.ours}) > 1:
        where = " and ".join(str(file.path) for file in holding)
        why = "every call is judged twice, which takes twice as long"
        spare = next((file.scope for file in reversed(holding) if file.scope), Scope.USER)
        yield bad(
            "twice",
            f"vetgate's hooks are registered in different forms in {where}",
            why,
            f"vetgate init --remove --settings {spare}",
        )
    if all(file.scope in {Scope.PROJECT, Scope.LOCAL} for file in holding):
        what = "a session started in a subfolder does not load the repository's settings"
        yield note(
            "subfolder", what, f"there the gate is off; start in {installation.root}", "vetgate init --settings user"
        )


def _probes(files: list[Settings], plugin: InstalledPlugin | None) -> dict[tuple[str, str], Entry]:
    """Every registered command line that reaches us, once for each event."""
    listed = chain(*(file.entries for file in files), plugin.entries() if plugin else ())
    return {(entry.event, entry.command): entry for entry in listed if reaches_us(entry.command)}


def _probed(
    installation: Installation, entries: dict[tuple[str, str], Entry], progress: Progress
) -> Iterator[Diagnosis]:
    """Run a canary through each."""
    slowest = 0.0
    faults: dict[str, list[str]] = {}
    progress(_PROBING, 0, len(entries))
    for done, ((event, command), entry) in enumerate(entries.items(), 1):
        ran = probe(command, event, installation.root, CANARY, _patience(entry))
        progress(_PROBING, done, len(entries))
        slowest = max(slowest, ran.seconds)
        wrong = fault(event, ran)
        if wrong:
            faults.setdefault(wrong, []).append(event)
    for wrong, events in faults.items():
        why = "a bad edit passes, or every edit is stopped" if _GUARD in events else "the gate does not hear of these"
        yield bad("canary", f"{', '.join(events)}: {wrong}", why, _REPAIR)
    if entries and not faults:
        yield good("canary", f"{len(entries)} hooks answered; a bad edit is stopped (slowest {slowest * _MS:.0f} ms)")


def _patience(entry: Entry) -> float:
    timeout = entry.hook.get("timeout")
    return min(float(timeout), _LONGEST) if isinstance(timeout, int | float) else _LONGEST


def _look_at_client(installation: Installation, files: list[Settings]) -> Iterator[Diagnosis]:
    yield _version()
    yield from _environment(files)
    yield from _folder_trust(installation.root)
    yield from _failures(installation, files)


def _version() -> Diagnosis:
    client = installed()
    if client is None:
        return note("client", "no `claude` on the PATH", "there is no agent to gate here", "install Claude Code")
    if client.version is None:
        why = f"vetgate needs {spelled(SUPPORTED)} or later"
        return bad("client", f"{client.path} does not say its version", why, "claude --version")
    if client.version < SUPPORTED:
        why = f"vetgate needs {spelled(SUPPORTED)} or later"
        return bad("client", f"Claude Code {client} is too old", why, "claude update")
    if client.version < FAILS_CLOSED:
        why = (
            f"before {spelled(FAILS_CLOSED)} an edit passes unjudged when the hook is killed or takes longer than its "
            "timeout; later versions stop it"
        )
        return note("client", f"Claude Code {client} does not know `onFailure`", why, "claude update")
    return good("client", f"Claude Code {client}")


def _environment(files: list[Settings]) -> Iterator[Diagnosis]:
    why = "Claude Code then starts without any hooks"
    for name in _SWITCHES:
        if os.environ.get(name, "").lower() not in _OFF:
            yield bad("environment", f"{name} is set in this terminal", why, f"unset {name}")
        for file in files:
            env = file.value.get("env")
            given = str(env.get(name, "")) if isinstance(env, dict) else ""
            # The client applies these from a person's own settings, not from a repository's.
            if file.scope in {Scope.USER, None} and given.lower() not in _OFF:
                yield bad("environment", f"{file.path} sets {name}", why, f"take {name} out of `env` in that file")


def _folder_trust(root: Path) -> Iterator[Diagnosis]:
    """Before a person accepts a folder in the client, an interactive session there runs no hook at all."""
    moved = os.environ.get("CLAUDE_CONFIG_DIR")
    state = (Path(moved) if moved else Path.home()) / ".claude.json"
    try:
        projects = json.loads(state.read_bytes())["projects"]
        accepted = any(projects.get(str(each), {}).get("hasTrustDialogAccepted") for each in (root, *root.parents))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        accepted = False
    if not accepted:
        why = "until then an interactive session runs no hooks; `claude -p` runs them without asking"
        what = f"Claude Code does not yet trust {root}"
        found = note("folder", what, why, "start claude there and accept")
        yield replace(found, until="once Claude Code trusts this folder")


def _failures(installation: Installation, files: list[Settings]) -> Iterator[Diagnosis]:
    since = datetime.now(UTC) - _REMEMBERED
    found = [each for each in failures(config_dir(), installation.root, reaches_us) if _time_of(each) >= since]
    written = datetime.fromtimestamp(_last_written(installation, files), UTC)
    fresh = [each for each in found if _time_of(each) >= written]
    if not fresh:
        older = f"; {len(found)} before the last repair" if found else ""
        yield good("sessions", f"no failures of vetgate's hooks in the client's transcripts of the last week{older}")
        return
    passed = sum(each.passed for each in fresh)
    times = "once" if len(fresh) == 1 else f"{len(fresh)} times"
    last = fresh[-1]
    why = f"{passed} of the calls went through unjudged" if passed else "the calls were stopped without being judged"
    what = f"vetgate's hooks failed {times} in the client's sessions, last at {last.at} on {last.event}: {last.detail}"
    yield bad("sessions", what, why, "see the other findings; a repair starts the count anew")


def _last_written(installation: Installation, files: list[Settings]) -> float:
    """What failed before the launcher or the settings were last written may well be repaired."""
    paths = [installation.launcher(NAME), *(file.path for file in files if file.entries)]
    return max((written for path in paths if (written := _modified(path))), default=time.time())


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # missing, or closed to us
        return 0.0


def _time_of(failure: HookFailure) -> datetime:
    try:
        at = datetime.fromisoformat(failure.at)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
