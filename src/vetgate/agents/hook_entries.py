"""Hooks in the JSON text of a settings file, as four agents lay them out: an event has groups, a group has commands.

Our entries are put into the text and taken out of it; every other byte stays as it was.
"""

from __future__ import annotations

import codecs
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetgate.agents import json_text
from vetgate.agents.json_text import Node, line_of, parse
from vetgate.launcher import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

EVERY = "*"
_EMPTY = "{}\n"


@dataclass(frozen=True, slots=True)
class Listening:
    """One event we are registered for. `timeout` is when the client gives up on us, in the unit that it counts in."""

    event: str
    timeout: int
    matcher: str | None = EVERY
    on_failure: str | None = None
    status_message: str | None = None

    def group(self, command: str) -> dict[str, Any]:
        """Build the entry as it stands in a settings file."""
        matcher = {} if self.matcher is None else {"matcher": self.matcher}
        return {**matcher, "hooks": [self.hook(command)]}

    def hook(self, command: str) -> dict[str, Any]:
        failure = {} if self.on_failure is None else {"onFailure": self.on_failure}
        status = {} if self.status_message is None else {"statusMessage": self.status_message}
        return {"type": "command", "command": command, "timeout": self.timeout, **failure, **status}


@dataclass(frozen=True, slots=True)
class Entry:
    """One command hook in a settings file, and where it stands."""

    event: str
    group: int
    index: int
    alone: bool
    matcher: Any
    hook: dict[str, Any]
    line: int

    @property
    def command(self) -> str:
        return str(self.hook["command"])

    @property
    def timeout(self) -> float:
        """0 where it says none."""
        said = self.hook.get("timeout")
        return float(said) if isinstance(said, int | float) and not isinstance(said, bool) else 0.0


def command_entries(text: str, root: Node) -> Iterator[Entry]:
    """Give every command hook that can be made out, skipping what is misshapen."""
    hooks = root.get("hooks")
    for member in hooks.members if hooks else ():
        for position, group in enumerate(member.node.items):
            yield from _of_group(text, member.key, position, group)


def _of_group(text: str, event: str, position: int, group: Node) -> Iterator[Entry]:
    listed = group.get("hooks")
    for index, hook in enumerate(listed.items if listed else ()):
        if isinstance(hook.value, dict) and isinstance(hook.value.get("command"), str):
            alone = listed is not None and len(listed.items) == 1
            matcher = group.value.get("matcher")
            yield Entry(event, position, index, alone, matcher, hook.value, line_of(text, hook))


def is_ours(command: str) -> bool:
    """Tell whether `init` wrote this command: the launcher's path alone, or the form that looks the hook up."""
    if f"command -v {NAME}" in command:
        return True
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    is_alone = len(words) == 1 or (len(words) == 3 and words[1] == "--event")
    return is_alone and Path(words[0]).is_absolute() and Path(words[0]).name == NAME


def reaches_us(command: str) -> bool:
    """Tell whether the command runs our hook at all, also in a person's own wrapping."""
    return NAME in command or "vetgate hook" in command


def matches_all(matcher: Any) -> bool:
    return matcher in {None, "", EVERY}


def register(text: str, command: str, rows: Sequence[Listening]) -> str:
    """Give the text with exactly one entry of ours for each row; unchanged when it has them."""
    events = {row.event: row for row in rows}

    def is_out_of_place(entry: Entry, earlier: list[Entry]) -> bool:
        row = events.get(entry.event)
        if row is None or any(other.event == entry.event for other in earlier):
            return True
        # A group that others share has their matcher; changing it would change when their hooks run.
        return not entry.alone and entry.matcher != row.matcher

    text = _without(text if text.strip() else _EMPTY, is_out_of_place, frozenset())
    for row in rows:
        text = _ensure(text, row, command)
    return text


def unregister(text: str, before: str | None = None) -> str:
    """Give the text without our entries, and without the lists they leave empty unless `before` had them."""
    return _without(text, lambda _entry, _earlier: True, _containers(before))


def our_entries(text: str) -> list[Entry]:
    if not text.strip():  # the client reads an empty file as no settings
        return []
    return [entry for entry in command_entries(text, parse(text)) if is_ours(entry.command)]


def _without(text: str, unwanted: Callable[[Entry, list[Entry]], bool], kept: frozenset[str]) -> str:
    while True:
        entries = our_entries(text)
        victim = next((e for i, e in enumerate(entries) if unwanted(e, entries[:i])), None)
        if victim is None:
            return text
        text = _remove(text, victim, kept)


def _remove(text: str, entry: Entry, kept: frozenset[str]) -> str:
    root = parse(text)
    hooks = _existing(root, "hooks")
    groups = _existing(hooks, entry.event)
    if not entry.alone:
        return json_text.remove_part(text, _existing(groups.items[entry.group], "hooks"), entry.index)
    if len(groups.items) > 1 or entry.event in kept:
        return json_text.remove_part(text, groups, entry.group)
    if len(hooks.members) > 1 or "" in kept:
        return json_text.remove_member(text, hooks, entry.event)
    return json_text.remove_member(text, root, "hooks")


def _containers(before: str | None) -> frozenset[str]:
    """Name the events that had a list before we came; the empty name stands for `hooks` itself."""
    hooks = parse(before).get("hooks") if before and before.strip() else None
    return frozenset({"", *hooks.value}) if hooks else frozenset()


def _ensure(text: str, row: Listening, command: str) -> str:
    mine = next((entry for entry in our_entries(text) if entry.event == row.event), None)
    if mine is None:
        return json_text.append_at(text, "hooks", row.event, row.group(command))
    group = _existing(_existing(_existing(parse(text), "hooks"), row.event), None, mine.group)
    if not mine.alone:
        hook = _existing(group, "hooks", mine.index)
        return text if hook.value == row.hook(command) else json_text.replace(text, hook, row.hook(command))
    return text if group.value == row.group(command) else json_text.replace(text, group, row.group(command))


def _existing(node: Node, key: str | None, index: int | None = None) -> Node:
    found = node if key is None else node.get(key)
    assert found is not None  # noqa: S101 - the entry was read from this very text
    return found if index is None else found.items[index]


def registered(data: bytes | None, command: str, rows: Sequence[Listening]) -> bytes:
    return edited(data or b"", lambda text: register(text, command, rows))


def unregistered(data: bytes, before: bytes | None) -> bytes:
    return edited(data, lambda text: unregister(text, settings_text(before) if before is not None else None))


def edited(data: bytes, change: Callable[[str], str]) -> bytes:
    """A settings file after a change of its text; every byte that is no text stays."""
    mark, text = _decoded(data)
    return mark + change(text).encode("utf-8", "surrogateescape")


def settings_text(data: bytes) -> str:
    return _decoded(data)[1]


def _decoded(data: bytes) -> tuple[bytes, str]:
    # The client reads a byte order mark and stray bytes without complaint, so they are kept and not refused.
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    return mark, data.removeprefix(mark).decode("utf-8", "surrogateescape")
