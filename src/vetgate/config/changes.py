"""What one configuration says differently from another, key by key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vetgate.config.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.config.pages import Page
    from vetgate.config.schema import Config


def changes(base: Config, other: Config) -> tuple[str, ...]:
    return (*_changes(plain(base), plain(other), ""), *_pages(base.security.pages, other.security.pages))


def _pages(old: tuple[Page, ...], new: tuple[Page, ...]) -> Iterator[str]:
    before, after = {page.name: page for page in old}, {page.name: page for page in new}
    for name in {**before, **after}:
        if before.get(name) != after.get(name):
            yield f"{name}: {'gone' if name not in after else 'new' if name not in before else 'changed'}"


def _changes(old: dict[str, Any], new: dict[str, Any], path: str) -> Iterator[str]:
    for key in {**old, **new}:
        name = f"{path}.{key}" if path else key
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        if isinstance(before, dict | None) and isinstance(after, dict | None):
            yield from _changes(before or {}, after or {}, name)
        elif (
            isinstance(before, list) and isinstance(after, list) and sorted(map(str, before)) != sorted(map(str, after))
        ):
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
