"""A file of the work tree as text: only regular files, only up to the limit, links never followed."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from vetgate.source.text import LARGEST, NotText, decode

if TYPE_CHECKING:
    from pathlib import Path


def read(path: Path) -> str:
    """The text of a file, or `NotText` with the reason why there is none to judge."""
    try:
        # O_NONBLOCK: a named pipe in the tree must not hold the run until somebody writes into it.
        handle = os.open(path, os.O_RDONLY | _NOFOLLOW | _NONBLOCK)
    except OSError as error:
        raise NotText(_why_not_opened(path, error)) from error
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise NotText("not a regular file")
        with open(handle, "rb", closefd=False) as file:
            return decode(file.read(LARGEST + 1)).text
    except OSError as error:
        raise NotText(f"cannot be read: {error.strerror}") from error
    finally:
        os.close(handle)


def _why_not_opened(path: Path, error: OSError) -> str:
    return "a symbolic link" if path.is_symlink() else f"cannot be read: {error.strerror}"


_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
