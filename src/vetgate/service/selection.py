"""Which files a command is about: what the user named, or the whole project."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.model import Unchecked, UncheckedKind, UserError
from vetgate.runtime import state_dir
from vetgate.source import git
from vetgate.source.disk import NOWHERE, Listing, leads_nowhere, walked
from vetgate.source.language import may_hold_code
from vetgate.source.root import name_in, project_root, real

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_CLOSED = "check its owner and permissions"


@dataclass(slots=True)
class Selection:
    """The files of one project: name relative to its root -> as the user calls it.

    `named` are those that the user gave by name, not by a folder around them; `unchecked` says of others why they
    cannot be looked at. With `by_git` the files are those that git knows, or would take in.
    """

    root: Path
    files: dict[str, str] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    unchecked: dict[str, Unchecked] = field(default_factory=dict)
    by_git: bool = False
    _lost: dict[str, str] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, str]:
        return self.files | self._lost

    def add(self, name: str, called: str) -> None:
        self.files[name] = called
        self.named.add(name)

    def add_folder(self, folder: Path, called: Callable[[str], str]) -> None:
        found = files_below(folder)
        self.by_git |= found.by_git
        self.files |= {name_in(self.root, folder / below): called(below) for below in found.files}
        for each in found.unchecked:
            self.lose(replace(each, path=name_in(self.root, folder / each.path)), called(each.path))

    def lose(self, item: Unchecked, called: str) -> None:
        self.unchecked[item.path] = item
        self._lost[item.path] = called


def select(paths: Sequence[str], cwd: Path) -> tuple[Selection, ...]:
    """One selection per project that the paths lie in; without paths, the whole project around `cwd`."""
    here = real(cwd)
    if not paths:
        return (_whole_project(here),)
    selections: dict[Path, Selection] = {}
    for path in paths:
        dangling = leads_nowhere(cwd / path)
        place = real((cwd / path).parent) / Path(path).name if dangling else real(cwd / path)
        is_folder = not dangling and _is_folder(place, path)
        folder = place if is_folder else place.parent
        root = project_root(folder) or (here if folder.is_relative_to(here) else folder)
        selection = selections.setdefault(root, Selection(root))
        if dangling:
            selection.lose(
                Unchecked(name_in(root, place), UncheckedKind.DANGLING_LINK, NOWHERE), os.path.normpath(path)
            )
        elif is_folder:
            selection.add_folder(place, partial(_joined, path))
        else:
            selection.add(name_in(root, place), os.path.normpath(path))
    return tuple(selections.values())


def _is_folder(place: Path, path: str) -> bool:
    """UserError for what is not there, or closed to us: a check that was asked for by name must not be left out."""
    try:
        mode = place.stat().st_mode
        if stat.S_ISREG(mode):
            os.close(os.open(place, os.O_RDONLY))
    except (FileNotFoundError, NotADirectoryError):
        raise UserError(f"{path} does not exist", hint="paths are relative to the current folder") from None
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}", hint=_CLOSED) from error
    return stat.S_ISDIR(mode)


def _whole_project(here: Path) -> Selection:
    root = project_root(here) or here
    selection = Selection(root)
    selection.add_folder(root, lambda below: os.path.relpath(root / below, here))
    return selection


def files_below(folder: Path) -> Listing:
    """Files relative to the folder; git knows best which of them count."""
    found = _listed_by_git(folder) or walked(folder)
    own = name_in(folder, real(state_dir())) + "/"
    files = tuple(path for path in found.files if not path.startswith(own))  # what we keep ourselves is nobody's code
    # A folder has no suffix, and nobody knows what is in it.
    unchecked = (
        each for each in found.unchecked if may_hold_code(each.path) or each.kind is not UncheckedKind.DANGLING_LINK
    )
    return Listing(files, tuple(unchecked), found.by_git)


def _listed_by_git(folder: Path) -> Listing | None:
    """None: not for git to say, because it has no part in this folder, or is told to ignore it."""
    root = project_root(folder)
    if root is None or not (root / ".git").exists():
        return None
    repository = git.find(folder)
    if repository is None or repository.ignores(folder):
        return None
    under = name_in(repository.top, folder)
    prefix = "" if under == "." else f"{under}/"
    found = repository.listing(under)
    return Listing(
        tuple(path.removeprefix(prefix) for path in found.files),
        tuple(replace(each, path=each.path.removeprefix(prefix)) for each in found.unchecked),
        by_git=True,
    )


def _joined(folder: str, below: str) -> str:
    return os.path.normpath(os.path.join(folder, below))  # noqa: PTH118 - pathlib would lose how the user wrote it
