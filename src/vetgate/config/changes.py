"""What one configuration says differently from another, key by key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vetgate.config.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.config.schema import Config


def changes(base: Config, other: Config) -> tuple[str, ...]:
    return tuple(_changes(plain(base), plain(other), ""))


def _changes(old: dict[str, Any], new: dict[str, Any], path: str) -> Iterator[str]:
    for key in {**old, **new}:
        name = f"{path}.{key}" if path else key
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        if isinstance(before, dict | None) and isinstance(after, dict | None):
            yield from _changes(before or {}, after or {}, name)
        elif isinstance(before, list) and isinstance(after, list) and sorted(before) != sorted(after):
            yield from (f"{name}: - {each}" for each in before if each not in after)
            yield from (f"{name}: + {each}" for each in after if each not in before)
        else:
            yield f"{name}: {_shown(before)} -> {_shown(after)}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    return "unset" if value is None else str(value)
