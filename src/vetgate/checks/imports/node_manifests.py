"""What `package.json`, the lock files and the settings of compilers and bundlers beside it say of packages."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from vetgate.source.disk_cache import listed, read

if TYPE_CHECKING:
    from collections.abc import Iterator

_GROUPS = (
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
    "bundledDependencies",
    "bundleDependencies",
    "resolutions",
    "overrides",
    "imports",
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
