"""A file on disk as text: only regular files, only up to the limit, and nothing that could make us wait."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from vetgate.model import UncheckedKind
from vetgate.source.text import LARGEST, NotText, decode, link_text

if TYPE_CHECKING:
    from pathlib import Path

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
