"""Put our entries into the text of a settings file, and take them out; every other byte stays as it was."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from vetgate.agents import json_edit
from vetgate.agents.claude_code.settings import LISTENING, Entry, Listening, command_entries, is_ours
from vetgate.agents.json_text import Node, parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.agents.claude_code.accepts import Refusal

_EMPTY = "{}\n"


def register(text: str, command: str) -> str:
    """Give the text with exactly one entry of ours per event; unchanged when it has them."""
    text = _without(text if text.strip() else _EMPTY, _is_out_of_place, frozenset())
    for row in LISTENING:
        text = _ensure(text, row, command)
    return text


def unregister(text: str, before: str | None = None) -> str:
    """Give the text without our entries, and without the lists they leave empty unless `before` had them."""
    return _without(text, lambda _entry, _earlier: True, _containers(before))


def our_entries(text: str) -> list[Entry]:
    if not text.strip():  # the client reads an empty file as no settings
        return []
    return [entry for entry in command_entries(text, parse(text)) if is_ours(entry.command)]


def are_in_our_entries(text: str, found: list[Refusal]) -> bool:
    """Whether all that the client refuses stands in entries of ours, which `register` writes anew."""
    if any(not refusal.where for refusal in found):  # it is not even JSON
        return False
    ours = [f"hooks.{entry.event}[{entry.group}].hooks[{entry.index}]" for entry in our_entries(text)]
    return all(any(refusal.where.startswith(place) for place in ours) for refusal in found)


def _is_out_of_place(entry: Entry, earlier: list[Entry]) -> bool:
    row = next((row for row in LISTENING if row.event == entry.event), None)
    if row is None or any(other.event == entry.event for other in earlier):
        return True
    # A group that others share has their matcher; changing it would change when their hooks run.
    return not entry.alone and entry.matcher != row.matcher


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
        return json_edit.remove_part(text, _existing(groups.items[entry.group], "hooks"), entry.index)
    if len(groups.items) > 1 or entry.event in kept:
        return json_edit.remove_part(text, groups, entry.group)
    if len(hooks.members) > 1 or "" in kept:
        return json_edit.remove_part(text, hooks, [m.key for m in hooks.members].index(entry.event))
    return json_edit.remove_part(text, root, [m.key for m in root.members].index("hooks"))


def _containers(before: str | None) -> frozenset[str]:
    """Name the events that had a list before we came; the empty name stands for `hooks` itself."""
    hooks = parse(before).get("hooks") if before and before.strip() else None
    return frozenset({"", *hooks.value}) if hooks else frozenset()


def _ensure(text: str, row: Listening, command: str) -> str:
    mine = next((entry for entry in our_entries(text) if entry.event == row.event), None)
    if mine is None:
        return _append(text, row, command)
    group = _existing(_existing(_existing(parse(text), "hooks"), row.event), None, mine.group)
    if not mine.alone:
        hook = _existing(group, "hooks", mine.index)
        return text if hook.value == row.hook(command) else json_edit.replace(text, hook, row.hook(command))
    return text if group.value == row.group(command) else json_edit.replace(text, group, row.group(command))


def _append(text: str, row: Listening, command: str) -> str:
    root = parse(text)
    hooks = root.get("hooks")
    if hooks is None:
        return json_edit.insert_member(text, root, "hooks", {row.event: [row.group(command)]})
    groups = hooks.get(row.event)
    if groups is None:
        return json_edit.insert_member(text, hooks, row.event, [row.group(command)])
    return json_edit.append_item(text, groups, row.group(command))


def _existing(node: Node, key: str | None, index: int | None = None) -> Node:
    found = node if key is None else node.get(key)
    assert found is not None  # noqa: S101 - the entry was read from this very text
    return found if index is None else found.items[index]


def registered(data: bytes | None, command: str) -> bytes:
    mark, text = _decoded(data or b"")
    return mark + _encoded(register(text, command))


def unregistered(data: bytes, before: bytes | None) -> bytes:
    mark, text = _decoded(data)
    return mark + _encoded(unregister(text, _decoded(before)[1] if before is not None else None))


def settings_text(data: bytes) -> str:
    return _decoded(data)[1]


def _decoded(data: bytes) -> tuple[bytes, str]:
    # The client reads a byte order mark and stray bytes without complaint, so they are kept and not refused.
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    return mark, data.removeprefix(mark).decode("utf-8", "surrogateescape")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
