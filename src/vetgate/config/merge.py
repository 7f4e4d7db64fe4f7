"""How one file is laid over another. Mappings merge key by key; any other value replaces the one below it.

The exceptions are `paths.exclude` and `paths.tests`, which add: a project that excludes one more folder does not
want its dependencies checked. A glob that begins with `!` takes an inherited one back.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from vetgate.config.node import ConfigNode

if TYPE_CHECKING:
    from collections.abc import Iterable

ADDING = frozenset({"paths.exclude", "paths.tests"})
_WHOLE = "on."  # the gates of an event are one value, whether written as a list or with filters


def merge(trees: Iterable[ConfigNode]) -> ConfigNode:
    """The trees laid over each other, the last on top; each value keeps the place it came from."""
    return reduce(lambda below, above: _over(below, above, ""), trees)


def _over(below: ConfigNode, above: ConfigNode, key: str) -> ConfigNode:
    if key.startswith(_WHOLE):
        return above if isinstance(above.value, list | dict) else below
    if isinstance(below.value, dict):
        # What is no mapping was told already by the schema; the names below it still stand.
        return (
            ConfigNode(_entries(below, above, key), above.place, above.key) if isinstance(above.value, dict) else below
        )
    if key in ADDING and isinstance(below.value, list) and isinstance(above.value, list):
        return ConfigNode(_joined(below.value, above.value), above.place, above.key)
    return above


def _entries(below: ConfigNode, above: ConfigNode, key: str) -> dict[str, ConfigNode]:
    merged = dict(below.entries)
    for name, node in above.entries.items():
        path = f"{key}.{name}" if key else name
        merged[name] = _over(merged[name], node, path) if name in merged else node
    return merged


def _joined(below: list[ConfigNode], above: list[ConfigNode]) -> list[ConfigNode]:
    """A glob that is repeated moves to its last place, where it decides."""
    repeated = {node.plain for node in above if isinstance(node.value, str)}
    return [node for node in below if node.plain not in repeated] + above
