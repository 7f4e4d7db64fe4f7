"""The gate's own program on disk: whether its files are still those that were there."""

from __future__ import annotations

import os
import stat
from functools import lru_cache
from hashlib import blake2b

_CACHES = "__pycache__"
_PART = 1 << 20


def digest_of(place: str) -> str:
    """Of a file, or of all files below a folder; "" where nothing is there. Bytecode is left out: it comes and goes."""
    signs = tuple(_signs(place))
    return _content(place, signs) if signs else ""


def _signs(place: str) -> list[tuple[str, int, int, int, int]]:
    """What tells without reading that a file is another: as long as all of it stays, so does the content."""
    found: list[tuple[str, int, int, int, int]] = []
    pending = [place]
    while pending:
        path = pending.pop()
        try:
            status = os.stat(path)  # noqa: PTH116 - many of them, at every end of a turn
            if not stat.S_ISDIR(status.st_mode):
                found.append((path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino))
                continue
            pending += [f"{path}/{name}" for name in os.listdir(path) if name != _CACHES]  # noqa: PTH208
        except OSError:
            continue
    return sorted(found)


@lru_cache(maxsize=8)
def _content(place: str, signs: tuple[tuple[str, int, int, int, int], ...]) -> str:
    whole = blake2b(digest_size=16)
    for path, *_ in signs:
        whole.update(os.path.relpath(path, place).encode("utf-8", "surrogatepass") + b"\0")
        try:
            with open(path, "rb") as file:  # noqa: PTH123
                while part := file.read(_PART):
                    whole.update(part)
        except OSError:
            whole.update(b"\0unreadable")
    return whole.hexdigest()
