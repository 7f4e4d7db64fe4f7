"""What `Cargo.toml` and `Cargo.lock` name: the crates that code may use, as code calls them."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from vetgate.source.disk_cache import listed, read

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLES = ("dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies")
_LOCKED = re.compile(r'^name = "([\w-]+)"', re.MULTILINE)
# Under the first edition every path begins at the root of the crate.
EVERY_MODULE = "*"
_RENAMED = re.compile(r"\bextern\s+crate\s+\w+\s+as\s+(\w+)")


def crates(folder: str) -> frozenset[str] | None:
    """None where there is no manifest."""
    if "Cargo.toml" not in listed(folder):
        return None
    named = read(f"{folder}/Cargo.toml", _named)
    if named is None:
        return None
    more = (("Cargo.lock", _locked), ("src/lib.rs", _renamed), ("src/main.rs", _renamed))
    return named.union(*(read(f"{folder}/{file}", parse) or () for file, parse in more))


def _named(text: str) -> frozenset[str]:
    manifest = tomllib.loads(text)
    names = {name.replace("-", "_") for name in _names(manifest) if isinstance(name, str)}
    package = manifest.get("package")
    return frozenset(names | {EVERY_MODULE} if package is not None and "edition" not in package else names)


def _names(manifest: dict[str, Any]) -> Iterator[str]:
    for table in ("package", "project", "lib"):
        yield manifest.get(table, {}).get("name", "")
    for key in ("bin", "example"):
        yield from (each.get("name", "") for each in manifest.get(key, []))
    for place in (manifest, manifest.get("workspace", {}), *manifest.get("target", {}).values()):
        for table in _TABLES:
            for name, wanted in place.get(table, {}).items():
                yield name
                if isinstance(wanted, dict):
                    yield wanted.get("package", "")


def _locked(text: str) -> frozenset[str]:
    return frozenset(name.replace("-", "_") for name in _LOCKED.findall(text))


def _renamed(text: str) -> frozenset[str]:
    return frozenset(_RENAMED.findall(text))
