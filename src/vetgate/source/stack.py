"""What a project is made of: its languages, its package managers, and the commands that test and lint it."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.model import UserError
from vetgate.source import git_process
from vetgate.source.language import language_of
from vetgate.source.tasks import Task, tasks, tasks_below

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_MOST_FILES = 50_000
_SKIPPED = frozenset(
    {".git", ".hg", ".venv", "venv", "node_modules", "dist", "build", "target", "vendor", "__pycache__", ".tox"}
)

# The first file found of an ecosystem names its manager: lock files before manifests.
_MANAGERS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "JavaScript": (
        ("pnpm-lock.yaml", "pnpm"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
        ("yarn.lock", "yarn"),
        ("package-lock.json", "npm"),
        ("npm-shrinkwrap.json", "npm"),
        ("package.json", "npm"),
    ),
    "Python": (
        ("uv.lock", "uv"),
        ("poetry.lock", "poetry"),
        ("requirements.txt", "pip"),
        ("pyproject.toml", "pip"),
        ("setup.py", "pip"),
    ),
    "Rust": (("Cargo.toml", "cargo"),),
    "Go": (("go.mod", "go"),),
    "Java": (
        ("pom.xml", "maven"),
        ("build.gradle", "gradle"),
        ("build.gradle.kts", "gradle"),
    ),
    "PHP": (("composer.json", "composer"),),
    "Ruby": (("Gemfile", "bundler"),),
}
_DEEPEST_PART, _MOST_PARTS = 2, 4
_NO_PARTS = _SKIPPED | {"test", "tests", "testdata", "fixtures", "examples", "example", "samples", "docs", "e2e"}
_DOTNET = (".sln", ".slnx", ".csproj")


@dataclass(frozen=True, slots=True)
class Stack:
    """Languages with their number of files, most first; `partial` when the project was too large to count whole."""

    languages: tuple[tuple[str, int], ...] = ()
    managers: tuple[str, ...] = ()
    tasks: tuple[Task, ...] = ()
    partial: bool = False


def detect(root: Path) -> Stack:
    files = _listed(root)
    counts = Counter(language for file in files if (language := language_of(file)))
    found = managers(root)
    parts = {folder: managers(root / folder) for folder in _parts(files, found)}
    below = (task for folder, own in parts.items() for task in tasks_below(root, folder, own))
    return Stack(
        languages=tuple(counts.most_common()),
        managers=tuple(dict.fromkeys((*found, *(name for own in parts.values() for name in own)))),
        tasks=(*tasks(root, found), *below),
        partial=len(files) >= _MOST_FILES,
    )


def _parts(files: Iterable[str], found: tuple[str, ...]) -> list[str]:
    """Folders with a manifest of an ecosystem that has none at the top, such as `web` beside a Python package."""
    known = {name for candidates in _MANAGERS.values() for _, name in candidates if name in found}
    ecosystems = [
        {file for file, _ in candidates}
        for candidates in _MANAGERS.values()
        if known.isdisjoint(m for _, m in candidates)
    ]
    folders: list[str] = []
    for file in sorted(files, key=lambda name: (name.count("/"), name)):
        folder, _, name = file.rpartition("/")
        is_part = folder and folder.count("/") < _DEEPEST_PART and _NO_PARTS.isdisjoint(folder.lower().split("/"))
        if not is_part or not any(name in manifests for manifests in ecosystems):
            continue
        if not any(folder == each or folder.startswith(f"{each}/") for each in folders):
            folders.append(folder)
    return folders[:_MOST_PARTS]


def managers(root: Path) -> tuple[str, ...]:
    try:
        names = {path.name for path in root.iterdir()}
    except OSError:
        return ()
    found = [next((manager for name, manager in candidates if name in names), "") for candidates in _MANAGERS.values()]
    dotnet = "dotnet" if any(name.endswith(_DOTNET) for name in names) else ""
    return tuple(manager for manager in (*found, dotnet) if manager)


def _listed(root: Path) -> list[str]:
    try:
        answer = git_process.ask(("ls-files", "-z", "--cached", "--others", "--exclude-standard"), root)
    except UserError:  # no git on this machine: the files are there all the same
        return list(_walked(root))
    if answer.status != 0:
        return list(_walked(root))
    names = answer.out.decode("utf-8", "surrogateescape").split("\0")
    return [name for name in names[:_MOST_FILES] if name]


def _walked(root: Path) -> Iterator[str]:
    left = _MOST_FILES
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        for name in files[:left]:
            yield os.path.relpath(Path(folder) / name, root)
        left -= len(files)
        if left <= 0:
            return
