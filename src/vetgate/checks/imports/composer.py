"""The namespaces that Composer's lock, or what it installed, can load, and those of the project itself."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vetgate.source.disk_cache import listed, read

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class ComposerPackages:
    """`packages` are the names of those whose classes are listed one by one: their namespaces are anybody's guess."""

    namespaces: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()
    locked: bool = False

    def __or__(self, other: ComposerPackages) -> ComposerPackages:
        return ComposerPackages(
            self.namespaces | other.namespaces, self.packages | other.packages, self.locked or other.locked
        )


def loaded(folder: str) -> ComposerPackages | None:
    """None where there is no `composer.json`."""
    if "composer.json" not in listed(folder):
        return None
    known = read(f"{folder}/composer.json", _own) or ComposerPackages()
    for file in ("composer.lock", "vendor/composer/installed.json"):
        known |= read(f"{folder}/{file}", _locked) or ComposerPackages()
    return known


def _own(text: str) -> ComposerPackages:
    manifest = json.loads(text)
    return ComposerPackages(frozenset(_namespaces(manifest)), frozenset(manifest.get("suggest") or ()))


def _locked(text: str) -> ComposerPackages:
    lock = json.loads(text)
    packages = lock if isinstance(lock, list) else [*lock.get("packages", ()), *lock.get("packages-dev", ())]
    vague = {each["name"] for each in packages if not _is_mapped(each)}
    names = (namespace for each in packages for namespace in _namespaces(each))
    suggested = {name for each in packages for name in each.get("suggest") or ()}
    return ComposerPackages(frozenset(names), frozenset(vague | suggested), locked=True)


def _is_mapped(package: dict[str, Any]) -> bool:
    loads = package.get("autoload") or {}
    return bool(loads.get("psr-4")) and not loads.get("classmap") and not loads.get("psr-0")


def _namespaces(package: dict[str, Any]) -> Iterator[str]:
    for key in ("autoload", "autoload-dev"):
        for standard in ("psr-4", "psr-0"):
            for prefix in (package.get(key) or {}).get(standard) or ():
                yield prefix.replace("_", "\\").strip("\\")
