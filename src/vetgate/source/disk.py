"""Files on disk as text, and which there are below a folder: only regular ones, up to a limit, nothing to wait for."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetgate.expression import expression
from vetgate.model import Unchecked, UncheckedKind
from vetgate.source.text import LARGEST, NotText, decode, link_text

if TYPE_CHECKING:
    from collections.abc import Iterable


_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)


def read(path: Path) -> str:
    """The text of a file of the work tree, or `NotText` with the reason; a link is a file of its own there."""
    leads = target(path)
    text = read_existing(path, follow=False) if leads is None else link_text(leads)
    if text is None:
        raise NotText(UncheckedKind.UNREADABLE, "cannot be read: No such file or directory")
    return text


def target(path: Path) -> str | None:
    """Where a symbolic link leads, as it says; None for what is none."""
    try:
        return os.readlink(path)  # noqa: PTH115 - pathlib would tidy up what it says
    except (OSError, ValueError):
        return None


def read_existing(path: Path, *, follow: bool) -> str | None:
    """The text, None where there is no file; `NotText` where there is one that has no text to judge."""
    try:
        # O_NONBLOCK: a named pipe in the tree must not hold the run until somebody writes into it.
        handle = os.open(path, os.O_RDONLY | _NONBLOCK | (0 if follow else _NOFOLLOW))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise NotText(UncheckedKind.UNREADABLE, _why_not_opened(path, error)) from error
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise NotText(UncheckedKind.UNREADABLE, "not a regular file")
        with open(handle, "rb", closefd=False) as file:
            # What is asked for is set aside first, so no more than it says it has; and the rest, if it has more.
            data = file.read(min(status.st_size, LARGEST) + 1)
            return decode(data + file.read(LARGEST + 1 - len(data)) if len(data) > status.st_size else data)
    except OSError as error:
        raise NotText(UncheckedKind.UNREADABLE, f"cannot be read: {error.strerror}") from error
    finally:
        os.close(handle)


def file_identity(file: Path) -> tuple[int, ...]:
    """What tells without reading that a file is another one; nothing where there is none."""
    try:
        status = file.stat()
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def existing_text(path: Path) -> str:
    """The text behind a name, wherever it leads; "" where there is none that can be read."""
    try:
        return read_existing(path, follow=True) or ""
    except (NotText, OSError):
        return ""


def _why_not_opened(path: Path, error: OSError | ValueError) -> str:
    if isinstance(error, ValueError):  # a NUL in the name
        return f"cannot be read: {error}"
    return "a symbolic link" if path.is_symlink() else f"cannot be read: {error.strerror}"


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
