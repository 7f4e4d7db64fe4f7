"""Which files a command is about: what the user named, or the whole project."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.model import UserError
from vetgate.source import git
from vetgate.source.language import language_of
from vetgate.source.root import name_in, project_root, real

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_NEVER_ENTERED = frozenset({".git", ".hg", ".svn", "__pycache__"})


@dataclass(slots=True)
class Selection:
    """The files of one project: name relative to its root -> as the user calls it.

    `named` are those that the user gave by name, not by a folder around them.
    """

    root: Path
    files: dict[str, str] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)


def select(paths: Sequence[str], cwd: Path) -> tuple[Selection, ...]:
    """One selection per project that the paths lie in; without paths, the whole project around `cwd`."""
    if not paths:
        return (_whole_project(real(cwd)),)
    selections: dict[Path, Selection] = {}
    for path in paths:
        place = real(cwd / path)
        if not place.exists():
            raise UserError(f"{path} does not exist", hint="paths are relative to the current folder")
        root = _root_of(place, real(cwd))
        selection = selections.setdefault(root, Selection(root))
        if place.is_dir():
            selection.files |= {name_in(root, place / below): _joined(path, below) for below in files_below(place)}
        else:
            name = name_in(root, place)
            selection.files[name] = os.path.normpath(path)
            selection.named.add(name)
    return tuple(selections.values())


def _whole_project(here: Path) -> Selection:
    root = project_root(here) or here
    return Selection(root, {below: os.path.relpath(root / below, here) for below in files_below(root)})


def has_language(path: str) -> bool:
    """Whether there is a grammar for it; a notebook holds code in one."""
    return language_of(path) is not None or path.endswith(".ipynb")


def files_below(folder: Path) -> Iterator[str]:
    """Source files relative to the folder; git knows best which of them count."""
    listed = _listed_by_git(folder)
    return (path for path in (_walked(folder) if listed is None else listed) if has_language(path))


def _listed_by_git(folder: Path) -> Iterable[str] | None:
    """None: not for git to say, because it has no part in this folder, or is told to ignore it."""
    root = project_root(folder)
    if root is None or not (root / ".git").exists():
        return None
    repository = git.find(folder)
    if repository is None or repository.ignores(folder):
        return None
    under = name_in(repository.top, folder)
    prefix = "" if under == "." else f"{under}/"
    return (path.removeprefix(prefix) for path in repository.files(under))


def _walked(folder: Path) -> Iterator[str]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _NEVER_ENTERED)
        for name in sorted(names):
            file = Path(here, name)
            if not file.is_symlink() and file.is_file():
                yield file.relative_to(folder).as_posix()


def _root_of(place: Path, here: Path) -> Path:
    folder = place if place.is_dir() else place.parent
    return project_root(folder) or (here if folder.is_relative_to(here) else folder)


def _joined(folder: str, below: str) -> str:
    return os.path.normpath(os.path.join(folder, below))  # noqa: PTH118 - pathlib would lose how the user wrote it
