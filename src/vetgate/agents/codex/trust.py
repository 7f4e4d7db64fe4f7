"""Codex runs no hook that is not trusted, and says nothing: its hash has to stand in a person's own config.toml.

The hash is that of an entry in one place of a file, so it holds for exactly that entry: whoever changes the command or
the timeout, or puts a group before it, has switched it off.
"""

from __future__ import annotations

import json
import re
import tomllib
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from vetgate.agents.hook_entries import Entry

_LIMIT = 600  # seconds, where an entry says nothing
_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)


def key_of(path: Path, entry: Entry) -> str:
    event = re.sub(r"(?<!^)(?=[A-Z])", "_", entry.event).lower()
    return f"{path}:{event}:{entry.group}:{entry.index}"


def hash_of(entry: Entry) -> str:
    handler = {
        "async": bool(entry.hook.get("async", False)),
        "command": entry.command,
        "timeout": entry.hook.get("timeout", _LIMIT),
        "type": "command",
    }
    if entry.hook.get("statusMessage") is not None:
        handler["statusMessage"] = entry.hook["statusMessage"]
    event = re.sub(r"(?<!^)(?=[A-Z])", "_", entry.event).lower()
    hashed: dict[str, Any] = {"event_name": event, "hooks": [handler]}
    if entry.matcher is not None:
        hashed["matcher"] = entry.matcher
    compact = json.dumps(hashed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + sha256(compact.encode("utf-8", "surrogateescape")).hexdigest()


def trusted_in(text: str) -> Mapping[str, Mapping[str, Any]]:
    """What the file says of hooks, by key; nothing where it cannot be read."""
    try:
        hooks = tomllib.loads(text).get("hooks")
    except tomllib.TOMLDecodeError:
        return {}
    state = hooks.get("state") if isinstance(hooks, dict) else None
    return {key: value for key, value in state.items() if isinstance(value, dict)} if isinstance(state, dict) else {}


def with_trust(text: str, path: Path, entries: Iterable[Entry]) -> str | None:
    """The text with the hash of each entry; None where that would spoil the file."""
    wanted = {key_of(path, entry): hash_of(entry) for entry in entries}
    there = trusted_in(text)
    missing = {key: value for key, value in wanted.items() if there.get(key) != {"trusted_hash": value}}
    if not missing:
        return text
    rest = without_trust(text, missing)
    tables = "".join(f"\n{_header(key)}\ntrusted_hash = {json.dumps(value)}\n" for key, value in missing.items())
    after = (f"{rest.rstrip()}\n" if rest.strip() else "").removeprefix("\n") + tables
    found = trusted_in(after)
    return after.lstrip("\n") if all(found.get(key, {}).get("trusted_hash") == wanted[key] for key in wanted) else None


def without_trust(text: str, keys: Iterable[str]) -> str:
    """Without the tables of these keys; every other byte stays."""
    for key in keys:
        text = without_table(text, _header(key))
    return text


def without_table(text: str, header: str) -> str:
    """Without the table of this header, and without those below it."""
    while (start := _start(text, header)) >= 0:
        following = _HEADER.search(text, start + 1)
        end = following.start() if following else len(text)
        text = text[:start].rstrip("\n") + ("\n\n" if text[:start].strip() and text[end:] else "\n") + text[end:]
    return text


def _start(text: str, header: str) -> int:
    found = [text.find(each) for each in (header, f"{header[:-1]}.")]
    return max(found)


def _header(key: str) -> str:
    return f"[hooks.state.{json.dumps(key, ensure_ascii=False)}]"
