"""Which packages a JavaScript or TypeScript file may import: Node's own, the project's, the declared, the installed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.checks.imports.node_manifests import compilers, declares, is_mentioned, packages
from vetgate.checks.imports.project_contents import index_of
from vetgate.source.disk_cache import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

BUILTIN = frozenset(
    """assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain
    events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl sea
    sqlite stream string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib""".split()
)
# Brought along by a runtime, a framework or a host program.
_HOSTED = frozenset(
    """electron vscode bun atom k6 server-only client-only aws-sdk @aws-sdk photoshop uxp powerbi-visuals-api
    original-fs react-native @theme @site @generated @env @docusaurus $app $lib $env cordova meteor
    obsidian figma ember @ember""".split()
)
# What npm lets a package be called; anything else is somebody's alias.
_PACKAGE = re.compile(r"(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9][a-z0-9._-]*")
_FILE = re.compile(
    r"\.(?:[cm]?[jt]sx?|css|s[ac]ss|less|styl|svg|png|jpe?g|gif|webp|json5?|ya?ml|vue|svelte|graphql|gql|wasm|txt|md|html)$"
)


def package_in(specifier: str) -> str:
    """The package that a specifier names; "" where it names something else."""
    parts = specifier.partition("?")[0].split("/")
    name = "/".join(parts[:2]) if specifier.startswith("@") else parts[0]
    is_package = _PACKAGE.fullmatch(name) is not None and not _FILE.search(name)
    return name if is_package else ""


@dataclass(frozen=True, slots=True)
class NodeNames:
    """As the file at hand sees them; `folders` go up from its own to the root."""

    folders: tuple[str, ...]
    root: str
    named: frozenset[str]

    def knows(self, specifier: str, package: str) -> bool:
        return (
            package in BUILTIN
            or package in self.named
            or package.partition("/")[0] in _HOSTED
            or any(self._is_installed(folder, package) or _is_mapped(folder, specifier) for folder in self.folders)
        )

    def is_elsewhere(self, package: str) -> bool:
        """Whether a lock file, an alias or any other part of the project knows it, which takes longer to find out."""
        if any(is_mentioned(folder, package) for folder in self.folders):
            return True
        index = index_of(self.root)
        return (
            not index.whole
            or any(package in (packages(folder) or ()) or is_mentioned(folder, package) for folder in index.manifests)
            or any(declares(path, package) for path in index.declarations)
        )

    def all(self) -> Iterator[str]:
        """What a slip may have meant."""
        yield from BUILTIN
        yield from self.named

    def _is_installed(self, folder: str, package: str) -> bool:
        if "node_modules" not in listed(folder):
            return False
        scope, _, name = package.rpartition("/")
        place = f"{folder}/node_modules"
        types = f"{place}/@types"
        return name in listed(f"{place}/{scope}" if scope else place) or package.strip("@").replace(
            "/", "__"
        ) in listed(types)


def _is_mapped(folder: str, specifier: str) -> bool:
    first = specifier.partition("/")[0]
    for compiler in compilers(folder):
        if any(path and specifier.startswith(path) for path in compiler.paths):
            return True
        if compiler.base is not None:
            names = listed(f"{folder}/{compiler.base}")
            if any(name == first or name.startswith(f"{first}.") for name in names):
                return True
    return False
