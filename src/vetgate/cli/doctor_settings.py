"""The doctor's look at the client's settings: are our hooks there, in force, and do they really stop a bad edit?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vetgate.agents.claude_code.accepts import refusals
from vetgate.agents.claude_code.probe import fault, probe
from vetgate.agents.claude_code.register import are_in_our_entries, settings_text
from vetgate.agents.claude_code.settings import (
    LISTENING,
    Entry,
    Place,
    command_entries,
    differences,
    is_ours,
    managed_paths,
    places,
    reaches_us,
)
from vetgate.agents.json_text import parse
from vetgate.cli.diagnosis import Diagnosis, bad, good, note
from vetgate.cli.setup import said
from vetgate.model import UserError
from vetgate.respond import CANARY
from vetgate.service.spread import unseen
from vetgate.source.replace import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vetgate.cli.setup import Ground
    from vetgate.service.spread import Progress

_REPAIR = "vetgate doctor --repair"
_LONGEST = 30.0
_MS = 1000
_GUARD = "PreToolUse"
_PROBING = "probing the hooks"


@dataclass(frozen=True, slots=True)
class Settings:
    """One settings file as the client reads it: `value` is empty when there is none, or it skips the file.

    `mendable`: it skips the file for an entry of ours alone, which can be written anew.
    """

    place: Place | None
    path: Path
    value: dict[str, Any]
    entries: tuple[Entry, ...]
    problems: tuple[Diagnosis, ...] = ()
    mendable: bool = False

    @property
    def ours(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if is_ours(entry.command))


def read_settings(ground: Ground) -> list[Settings]:
    files: list[tuple[Place | None, Path]] = [*places(ground.root).items()]
    files += [(None, path) for path in managed_paths()]
    return [_read(place, path) for place, path in files]


def _read(place: Place | None, path: Path) -> Settings:
    try:
        text = settings_text(read_bytes(path) or b"")
    except UserError as error:
        problem = bad("settings", error.message, "its hooks may not run", error.hint)
        return Settings(place, path, {}, (), (problem,))
    found = refusals(text)
    fatal = [refusal for refusal in found if refusal.drops_file]
    mendable = place is not None and bool(fatal) and are_in_our_entries(text, fatal)
    problems = tuple(
        bad(
            "settings",
            f"{path}:{refusal.line}: {said(refusal)}",
            "Claude Code skips the whole file for it, with every hook in it"
            if refusal.drops_file
            else "Claude Code ignores this entry; older versions skip the whole file",
            _REPAIR if mendable else f"put line {refusal.line} of {path} right",
        )
        for refusal in found
    )
    if not text.strip() or fatal:
        return Settings(place, path, {}, (), problems, mendable)
    root = parse(text)
    return Settings(place, path, root.value, tuple(command_entries(text, root)), problems)


def look_at_settings(ground: Ground, files: list[Settings]) -> Iterator[Diagnosis]:
    for file in files:
        yield from file.problems
        yield from _switches(file)
        if file.ours and file.place:
            yield from _registration(ground, file)
    yield from _reach(ground, files)


def _switches(file: Settings) -> Iterator[Diagnosis]:
    if file.value.get("disableAllHooks") is True:
        why = "no hook runs, whichever file it is registered in"
        yield bad("disabled", f"{file.path} sets disableAllHooks", why, "take `disableAllHooks` out of that file")
    if file.place is None and file.value.get("allowManagedHooksOnly") is True:
        why = "only hooks from your administrator's settings run"
        yield bad("disabled", f"{file.path} sets allowManagedHooksOnly", why, "ask for vetgate's hooks to be put there")


def _registration(ground: Ground, file: Settings) -> Iterator[Diagnosis]:
    assert file.place is not None  # noqa: S101
    command = ground.command(file.place)
    missing = [row.event for row in LISTENING if row.event not in {entry.event for entry in file.ours}]
    if missing:
        why = "the gate does not hear of these events"
        yield bad("registration", f"{file.path} lacks our hook for {', '.join(missing)}", why, _REPAIR)
    drifted = [(entry, differences(entry, command)) for entry in file.ours]
    for entry, how in drifted:
        if how:
            why = "this is not how vetgate registers itself, so it may be slower, blind or easy to pass"
            yield bad("drift", f"{file.path}:{entry.line}: {entry.event}: {'; '.join(how)}", why, _REPAIR)
    if not missing and not any(how for _, how in drifted):
        yield good("registration", f"{file.path} has our hooks for all {len(LISTENING)} events")


def _reach(ground: Ground, files: list[Settings]) -> Iterator[Diagnosis]:
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
        spare = next((file.place for file in reversed(holding) if file.place), Place.USER)
        yield bad(
            "twice", f"different hooks of ours stand in {where}", why, f"vetgate init --remove --settings {spare}"
        )
    if all(file.place in {Place.PROJECT, Place.LOCAL} for file in holding):
        what = "a session started in a subfolder does not load the repository's settings"
        yield note("subfolder", what, f"there the gate is off; start in {ground.root}", "vetgate init --settings user")


def probe_hooks(ground: Ground, files: list[Settings], progress: Progress = unseen) -> Iterator[Diagnosis]:
    """Run a canary through every registered command line, once for each event and command."""
    entries = {(e.event, e.command): e for file in files for e in file.entries if reaches_us(e.command)}
    slowest = 0.0
    faults: dict[str, list[str]] = {}
    progress(_PROBING, 0, len(entries))
    for done, ((event, command), entry) in enumerate(entries.items(), 1):
        ran = probe(command, event, ground.root, CANARY, _patience(entry))
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
