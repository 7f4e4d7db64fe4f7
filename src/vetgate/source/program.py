"""The gate's own program on disk: whether its files are still those that were there."""

from __future__ import annotations

import contextlib
import os
import stat
from hashlib import blake2b
from typing import TYPE_CHECKING

from vetgate.source.recent_sets import RecentValues

if TYPE_CHECKING:
    from collections.abc import Iterable

_CACHES = "__pycache__"
_PART = 1 << 20
_PLACES = 8

# A file by path, last change, size and inode: whatever is done to it sets the moment, which nobody can set back.
Sign = tuple[str, int, int, int]
_KNOWN: RecentValues[str, tuple[list[Sign], str]] = RecentValues(_PLACES)


def digest_of(place: str) -> str:
    """Of a file, or of all files below a folder; "" where nothing is there. Bytecode is left out: it comes and goes."""
    signs = _signs(place)
    known = _KNOWN.get(place)
    if known is None or known[0] != signs:
        known = signs, _content(place, signs) if signs else ""
        _KNOWN.put(place, known)
    return known[1]


def _signs(place: str) -> list[Sign]:
    """What tells without reading that a file is another. Written out: hundreds of files, at every end of a turn."""
    try:
        status = os.stat(place)  # noqa: PTH116 - as above
    except OSError:
        return []
    if not stat.S_ISDIR(status.st_mode):
        return [_sign(place, status)]
    found: list[Sign] = []
    pending = [place]
    while pending:
        with contextlib.suppress(OSError), os.scandir(pending.pop()) as entries:
            _add_signs(found, entries, pending)
    return sorted(found)


def _add_signs(found: list[Sign], entries: Iterable[os.DirEntry[str]], pending: list[str]) -> None:
    for entry in entries:
        try:
            if not entry.is_dir():
                found.append(_sign(entry.path, entry.stat()))
            elif entry.name != _CACHES:
                pending.append(entry.path)
        except OSError:
            continue


def _sign(path: str, status: os.stat_result) -> Sign:
    return path, status.st_ctime_ns, status.st_size, status.st_ino


def _content(place: str, signs: list[Sign]) -> str:
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
