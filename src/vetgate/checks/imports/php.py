"""What PHP uses by its namespace, and whether Composer, or the project itself, can load it.

Only a lock file says which namespaces there are: without one nothing is told.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vetgate.checks.imports.misspellings import is_slip_on_the_way
from vetgate.checks.imports.unknown_imports import (
    MISTYPED,
    UNKNOWN,
    UnknownImport,
    folders,
    index_of,
    is_aside,
    resembles,
    statement_at,
)
from vetgate.source.disk_cache import listed, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.source.syntax import Source, Syntax


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


_USED = re.compile(rb"^[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?\\?([A-Za-z_]\w*(?:\\\w+)+)", re.MULTILINE)
_NAMESPACE = re.compile(rb"^[ \t]*namespace[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
# A file that asks whether a class is there lives without it.
_ASKED = re.compile(rb"\b(?:class|interface|function|enum|trait)_exists\b")
# What extensions and host programs bring.
_BROUGHT = frozenset(
    """Aerospike BcMath Composer Couchbase Cassandra Decimal Dom Drupal Ds Elementor FFI Grpc Io MongoDB OpenSwoole
    OpenTelemetry Pdo Phalcon PHPUnit Protobuf Random Relay RdKafka Simdjson Spl Swoole TYPO3 Uri WP WP_CLI Zephir
    parallel pcov pq""".split()
)


def unknown(source: Source, syntax: Syntax, *, is_test: bool) -> Iterator[UnknownImport]:
    if source.root is None or b"use" not in syntax.data:
        return
    known = ComposerPackages()
    for folder in folders(str(source.root), source.path):
        known |= loaded(folder) or ComposerPackages()
    if not known.locked or "" in known.namespaces:
        return
    own = {match.decode() for match in _NAMESPACE.findall(syntax.data)} | _BROUGHT
    sure_only = is_test or is_aside(source.path) or _ASKED.search(syntax.data) is not None
    for name, offset in _written(syntax.data):
        first = name.partition("\\")[0]
        if first in own or _is_loaded(name, known):
            continue
        found = _found(name, syntax, offset, known)
        if found is None or _is_elsewhere(str(source.root), name, known) or (sure_only and found.rule == UNKNOWN):
            continue
        own.add(first)
        yield found


def _written(data: bytes) -> Iterator[tuple[str, int]]:
    for match in _USED.finditer(data):
        yield match[1].decode(), match.start(1)


def _is_loaded(name: str, known: ComposerPackages) -> bool:
    parts = name.split("\\")
    return any("\\".join(parts[:count]) in known.namespaces for count in range(1, len(parts) + 1))


def _found(name: str, syntax: Syntax, offset: int, known: ComposerPackages) -> UnknownImport | None:
    """Below a namespace of which some is known only a slip counts: it may be a package that splits another."""
    node = statement_at(syntax, offset, "namespace_use_declaration")
    if node is None:
        return None
    parts = name.split("\\")
    meant = next((each for each in known.namespaces if is_slip_on_the_way(parts, each.split("\\"))), "")
    if meant:
        message = f"Composer loads nothing for `{name}`; there is a namespace `{meant}`."
        return UnknownImport(MISTYPED, name, node, message, f"Use what is in `{meant}`.", 0.95)
    if any(each.partition("\\")[0] == parts[0] for each in known.namespaces):
        return None
    message = f"The namespace `{parts[0]}` is unknown: it is in neither PHP, this project nor `composer.lock`."
    return UnknownImport(UNKNOWN, name, node, message, "Make sure that the package exists, and `composer require` it.")


def _is_elsewhere(root: str, name: str, known: ComposerPackages) -> bool:
    index = index_of(root)
    first = name.partition("\\")[0]
    if not index.whole or first in index.modules or resembles(first, known.packages):
        return True
    return any(_is_loaded(name, loaded(folder) or ComposerPackages()) for folder in index.manifests)
