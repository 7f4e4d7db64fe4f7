"""Which files there are below a folder, and what there is that nobody can look at."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.expression import expression
from vetgate.model import Unchecked, UncheckedKind

if TYPE_CHECKING:
    from collections.abc import Iterable

_NEVER_ENTERED = frozenset({".git", ".hg", ".svn", "__pycache__"})
_CLOSED_TO_GIT = expression(r"^warning: could not open directory '(.*?)/?': (.*)$", re.MULTILINE)
NOWHERE = "a symbolic link that leads nowhere"


class Listing(NamedTuple):
    """Paths relative to the folder. Links that lead somewhere are left out: what is there is looked at itself."""

    files: tuple[str, ...]
    unchecked: tuple[Unchecked, ...] = ()
    by_git: bool = False


def walked(folder: Path) -> Listing:
    closed: list[Unchecked] = []

    def refused(error: OSError) -> None:
        closed.append(
            Unchecked(
                _below(folder, str(error.filename)), UncheckedKind.UNREADABLE, f"cannot be read: {error.strerror}"
            )
        )

    names = []
    for here, folders, files in os.walk(folder, onerror=refused):
        folders[:] = sorted(name for name in folders if name not in _NEVER_ENTERED)
        names += [_below(folder, f"{here}/{name}") for name in sorted(files)]
    return sorted_out(folder, names, closed)


def sorted_out(folder: Path, names: Iterable[str], closed: Iterable[Unchecked] = ()) -> Listing:
    """What of these names is a file to look at; what is missing is not told."""
    files, unchecked = [], list(closed)
    for name in names:
        try:
            mode = os.lstat(f"{folder}/{name}").st_mode  # there may be many; pathlib takes longer than the question
        except PermissionError as error:
            unchecked.append(Unchecked(name, UncheckedKind.UNREADABLE, f"cannot be read: {error.strerror}"))
        except OSError:
            continue
        else:
            if stat.S_ISREG(mode):
                files.append(name)
            elif stat.S_ISLNK(mode) and leads_nowhere(folder / name):
                files.append(name)  # for what it says
                unchecked.append(Unchecked(name, UncheckedKind.DANGLING_LINK, NOWHERE))
    return Listing(tuple(files), tuple(unchecked))


def leads_nowhere(path: Path) -> bool:
    return os.path.islink(path) and not os.path.exists(path)  # noqa: PTH110, PTH114 - pathlib raises where one may not look


def closed_to_git(said: str) -> list[Unchecked]:
    """The folders that git could not list, from what it says about them; it goes on without."""
    return [
        Unchecked(path, UncheckedKind.UNREADABLE, f"cannot be read: {why}")
        for path, why in _CLOSED_TO_GIT.findall(said)
    ]


def _below(folder: Path, path: str) -> str:
    return Path(path).relative_to(folder).as_posix()
