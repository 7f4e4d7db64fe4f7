"""What a project holds anywhere, for a name that nobody near the file knows: modules, manifests, declarations."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vetgate.source.disk_cache import read_too_much

if TYPE_CHECKING:
    from collections.abc import Iterator

# Asked only when something is about to be told, so it may take a moment, but not at every edit of a file.
_SECONDS = 5.0
_MOST_ENTRIES = 40_000
_MOST_PROJECTS = 16
_MANIFESTS = frozenset(
    "package.json pyproject.toml setup.py setup.cfg Pipfile go.mod requirements.txt deno.json Cargo.toml Gemfile "
    "composer.json".split()
)
_SKIPPED = frozenset({"node_modules", "__pycache__", "target", "site-packages", "bower_components"})


@dataclass(slots=True)
class ProjectContents:
    """`modules` are names that code could be imported by from some folder; `manifests` the folders that have one."""

    at: float
    modules: set[str] = field(default_factory=set)
    manifests: set[str] = field(default_factory=set)
    declarations: list[str] = field(default_factory=list)
    whole: bool = True


_indexes: dict[str, ProjectContents] = {}


def index_of(root: str) -> ProjectContents:
    read_too_much()
    now = time.monotonic()
    index = _indexes.get(root)
    if index is None or now - index.at > _SECONDS:
        if len(_indexes) > _MOST_PROJECTS:
            _indexes.clear()
        index = _indexes[root] = _walked(root, now)
    return index


def _walked(root: str, now: float) -> ProjectContents:
    index = ProjectContents(now)
    left = _MOST_ENTRIES
    pending = [root]
    while pending:
        folder = pending.pop()
        for entry in _entries(folder):
            left -= 1
            if entry.is_dir(follow_symlinks=False):
                index.modules.add(entry.name)
                if entry.name not in _SKIPPED and not entry.name.startswith("."):
                    pending.append(entry.path)
            else:
                _take(index, folder, entry)
        if left < 0:
            index.whole = False
            break
    return index


def _take(index: ProjectContents, folder: str, entry: os.DirEntry[str]) -> None:
    stem, _, suffix = entry.name.partition(".")
    if suffix in {"py", "pyi", "pyx", "so", "pyd", "rs", "rb"} or suffix.endswith((".so", ".pyd")):
        index.modules.add(stem)
    elif entry.name.endswith(".d.ts"):
        index.declarations.append(entry.path)
    elif entry.is_symlink():
        index.modules.add(entry.name)
    if entry.name in _MANIFESTS or suffix == "gemspec":
        index.manifests.add(folder)


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError:
        return
