"""Values as they are kept: text without secrets, JSON in one form, files that only their owner can read."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import threading
from typing import TYPE_CHECKING

from vetgate.redact import redacted

if TYPE_CHECKING:
    from pathlib import Path


def encoded(value: object) -> str:
    # ASCII, so that lone surrogates from a payload are text like any other.
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def plain(text: str) -> str:
    """As it is kept, and found again: a name may hold a secret like any other text."""
    return redacted(text.encode("utf-8", "backslashreplace").decode())


def all_plain(value: object) -> object:
    """Data of any depth, each text of it by itself: in JSON the ends of lines and quotes look different."""
    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, dict):
        return {key: all_plain(each) for key, each in value.items()}
    return [all_plain(each) for each in value] if isinstance(value, list | tuple) else value


def read_file(path: Path, most: int = -1) -> bytes:
    """A file, and nothing else: whoever puts a pipe in its place must not have us wait for it. Raises OSError."""
    with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no file", os.fspath(path))
        return file.read(most)


def write(path: Path, text: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(text.encode("utf-8", "surrogateescape"))


def write_new(path: Path, text: str) -> None:
    """Whole from the start, and never over one that another process made meanwhile."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
    write(temporary, text)
    try:
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def make_database(path: Path) -> None:
    """Closed to others, before SQLite makes it by the umask. One that is there is not opened.

    Whoever closes a descriptor of it ends the locks of every other connection in this process. The next process
    that is done with it would then take the log of changes away from under them.
    """
    if path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(path))
    if not path.exists():
        write_new(path, "")
