"""What JavaScript and TypeScript import, and whether Node, `package.json`, a lock file or the project knows it."""

from __future__ import annotations

import json
import posixpath
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from vetgate.checks.imports.misspellings import POPULAR_IN_NODE, is_slip, nearest, popular_meant
from vetgate.checks.imports.unknown_imports import (
    UNKNOWN,
    WRONG_FILE,
    UnknownImport,
    folders,
    index_of,
    is_aside,
    known_in,
    mistyped,
    places_of,
    unknown_package,
)
from vetgate.source.disk_cache import listed, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from vetgate.source.syntax import Source, Syntax

_GROUPS = tuple(
    """
    dependencies devDependencies peerDependencies optionalDependencies bundledDependencies bundleDependencies
    resolutions overrides imports
    """.split()
)
_LOCKS = ("package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", ".pnp.cjs")
_TYPESCRIPT = re.compile(r"^(?:ts|js)config\b.*\.json$")
# Whoever bundles, tests or maps names may give a folder another name; in whose files it stands, it is known.
_SETTINGS = re.compile(
    r"^(?:vite|vitest|webpack|rollup|rspack|rsbuild|next|nuxt|svelte|astro|babel|jest|metro|craco|gulpfile|electron|vue|"
    r"snowpack|farm|quasar|docusaurus|remix|esbuild|karma|wmr|ember-cli-build|angular|nx|project|tsup|tsdown|config-overrides)"
    r"\b.*\.(?:[cm]?[jt]s|json)$|^\.babelrc|^(?:deno|jsr|import_?map)\.jsonc?$|^\.swcrc$|^package\.json$"
)
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING = re.compile(r",(\s*[}\]])")


@dataclass(frozen=True, slots=True)
class Compiler:
    """What a `tsconfig.json` maps: names of paths (a `*` at their end cut off), and the folder that all are below."""

    paths: tuple[str, ...] = ()
    base: str | None = None


def packages(folder: str) -> frozenset[str] | None:
    """What the `package.json` of a folder names, itself included; None where there is none."""
    return read(f"{folder}/package.json", _packages) if "package.json" in listed(folder) else None


def compilers(folder: str) -> Iterator[Compiler]:
    for name in _settings(listed(folder)):
        found = read(f"{folder}/{name}", _compiler)
        if found is not None:
            yield found


@lru_cache(maxsize=1024)
def _settings(names: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in names if _TYPESCRIPT.search(name))


def is_mentioned(folder: str, package: str) -> bool:
    """Whether a lock file or some settings in the folder speak of the name."""
    names = listed(folder)
    asked = re.compile(rf"(?<![\w@.-]){re.escape(package)}(?![\w-])")
    return any(name in names and asked.search(_text(folder, name)) for name in _LOCKS) or any(
        _SETTINGS.search(name) and asked.search(_text(folder, name)) for name in names
    )


def declares(path: str, package: str) -> bool:
    """Whether a `.d.ts` says what the module is."""
    return re.search(rf"declare\s+module\s+['\"]{re.escape(package)}(?:['\"/*])", read(path, str) or "") is not None


def _text(folder: str, name: str) -> str:
    return read(f"{folder}/{name}", str) or ""


def _packages(text: str) -> frozenset[str]:
    table = json.loads(text)
    found = {name for group in _GROUPS for name in (table.get(group) or ())}
    found |= {name.removeprefix("@types/").replace("__", "/") for name in tuple(found)}
    if isinstance(table.get("name"), str):
        found.add(table["name"])
    return frozenset(found)


def _compiler(text: str) -> Compiler:
    options: dict[str, Any] = _lenient(text).get("compilerOptions") or {}
    paths = options.get("paths") or {}
    base = options.get("baseUrl")
    return Compiler(tuple(key.partition("*")[0] for key in paths), base if isinstance(base, str) else None)


def _lenient(text: str) -> Any:
    """JSON with comments and commas too many."""
    bare = _COMMENT.sub(lambda it: it[1] or "", text.removeprefix("\ufeff"))
    return json.loads(_TRAILING.sub(r"\1", bare))


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


_IMPORT = re.compile(rb"""\s*(?:\(\s*)?(?:"([^"\\\n]+)"|'([^'\\\n]+)')""")
_WORDS = (b"from", b"import", b"require")
# Not a package's name: addresses, schemes, absolute paths, aliases by their sign, loaders in the name.
_ELSEWHERE = re.compile(r"[:!\0\\ ]|^[/~#$%]|^@/|^$")
_SPEAKS = frozenset({"import_statement", "export_statement", "import_require_clause"})
_GUARDS = frozenset(
    {"try_statement", "if_statement", "ternary_expression", "switch_statement", "catch_clause", "ambient_declaration"}
)
_CALLED = frozenset({b"require", b"import"})
_ENDINGS = re.compile(r"(?:\.d)?\.(?:[cm]?[jt]sx?|json|vue|svelte|astro)$")


def unknown(source: Source, syntax: Syntax, *, is_test: bool) -> Iterator[UnknownImport]:
    if source.root is None:
        return
    above = folders(str(source.root), source.path)
    named = known_in(above, packages)
    if named is None:
        return
    names = NodeNames(tuple(above), str(source.root), named)
    sure_only = is_test or is_aside(source.path)
    for specifier, node in _unaccounted(syntax, names):
        package = package_in(specifier)
        found = _found(names, package, node) if package else _wrong_file(above[0], specifier, node)
        if found is not None and not (sure_only and found.rule == UNKNOWN):
            yield found


def _unaccounted(syntax: Syntax, names: NodeNames) -> Iterator[tuple[str, Node]]:
    """Each package that nobody near the file knows, and each file, once, where it is imported in earnest."""
    seen: set[str] = set()
    for specifier, offset in _written(syntax.data):
        package = package_in(specifier)
        key = package or specifier
        if key in seen or (names.knows(specifier, package) if package else _is_file(names.folders[0], specifier)):
            continue
        node = _statement(syntax, offset)
        if node is not None:
            seen.add(key)
            yield specifier, node


def _written(data: bytes) -> Iterator[tuple[str, int]]:
    for match in _matches(data):
        group = 1 if match[1] is not None else 2
        specifier = match[group].decode("utf-8", "replace")
        if not _ELSEWHERE.search(specifier):
            yield specifier, match.start(group)


def _matches(data: bytes) -> Iterator[re.Match[bytes]]:
    for word in _WORDS:
        for place in places_of(word, data):
            match = _IMPORT.match(data, place + len(word))
            if match is not None:
                yield match


def _statement(syntax: Syntax, offset: int) -> Node | None:
    """The import around a name; None where it is none, or one that is made only where it works."""
    node = syntax.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    while node is not None and node.type in {"string_fragment", "string"}:
        node = node.parent
    if node is not None and node.type == "arguments":
        node = node.parent
        called = node.child_by_field_name("function") if node is not None else None
        if called is None or syntax.data[called.start_byte : called.end_byte] not in _CALLED:
            return None
    elif node is None or node.type not in _SPEAKS:
        return None
    return node if node is not None and not _is_guarded(syntax, node) else None


def _is_guarded(syntax: Syntax, node: Node) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.type in _GUARDS or _is_caught(syntax, parent):
            return True
        parent = parent.parent
    return False


def _is_caught(syntax: Syntax, node: Node) -> bool:
    if node.type != "member_expression":
        return False
    name = node.child_by_field_name("property")
    return name is not None and syntax.data[name.start_byte : name.end_byte] == b"catch"


def _found(names: NodeNames, package: str, node: Node) -> UnknownImport | None:
    if names.is_elsewhere(package):
        return None
    near = nearest(package, names.all())
    if not (near and is_slip(package, near)):
        near = popular_meant(package, POPULAR_IN_NODE) or near
    if near and is_slip(package, near):
        return mistyped(package, node, near, "package")
    message = f"`{package}` is unknown: it is not part of Node.js, not in `package.json`, not installed."
    return unknown_package(package, node, near, message, ("package", "`package.json`"))


def _is_file(folder: str, specifier: str) -> bool:
    place, name = _place(folder, specifier)
    there = listed(place) if specifier.startswith(".") else frozenset()
    stem = _ENDINGS.sub("", name)
    return not there or name in there or not _stems(there).isdisjoint((name, stem, stem.partition(".")[0]))


def _wrong_file(folder: str, specifier: str, node: Node) -> UnknownImport | None:
    """Only where there is a file that was meant: a file that is not there may be written next."""
    place, name = _place(folder, specifier)
    stem = _ENDINGS.sub("", name)
    near = nearest(stem, _stems(listed(place)))
    if not near or not is_slip(stem, near):
        return None
    message = f"There is no file `{name}` in that folder, but there is `{near}`."
    return UnknownImport(WRONG_FILE, specifier, node, message, f"Import `{specifier.removesuffix(name)}{near}`.", 0.9)


def _place(folder: str, specifier: str) -> tuple[str, str]:
    place, _, name = posixpath.normpath(f"{folder}/{specifier.partition('?')[0]}").rpartition("/")
    return place, name


@lru_cache(maxsize=1024)
def _stems(names: frozenset[str]) -> frozenset[str]:
    return frozenset(_ENDINGS.sub("", name) for name in names)
