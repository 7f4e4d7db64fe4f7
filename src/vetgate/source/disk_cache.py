"""Files and folders on disk, read once: again when the file, its size or its time is another. Who asks can be noted."""

from __future__ import annotations

import contextlib
import os
import time
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")
_MOST = 4_096
_LARGEST = 32_000_000
# A file system's clock ticks slowly: what changed just now may change again without showing it.
_TICK = 50_000_000

_Stamp = tuple[int, int, int]
_kept: dict[tuple[str, Any], tuple[_Stamp, Any]] = {}


@dataclass(slots=True)
class DiskReads:
    """What was asked of the disk, with the answer: names of folders, stamps of files. None of it where too much was."""

    folders: dict[str, frozenset[str]] = field(default_factory=dict)
    files: dict[str, _Stamp | None] = field(default_factory=dict)
    is_complete: bool = True


_noting: ContextVar[DiskReads | None] = ContextVar("disk reads", default=None)


@contextlib.contextmanager
def disk_reads() -> Iterator[DiskReads]:
    """Of all that runs below it."""
    reads = DiskReads()
    token = _noting.set(reads)
    try:
        yield reads
    finally:
        _noting.reset(token)


def read_too_much() -> None:
    """Says that more is looked at than can be noted."""
    reads = _noting.get()
    if reads is not None:
        reads.is_complete = False


def listed(folder: str) -> frozenset[str]:
    """The names in a folder; none where there is no folder."""
    names = _known(folder, _names, stamp_of(folder)) or frozenset()
    reads = _noting.get()
    if reads is not None:
        reads.folders[folder] = names
    return names


def read(path: str, parse: Callable[[str], T]) -> T | None:
    """What `parse` makes of a file's text; None where there is no file, or none that it understands."""
    stamp = stamp_of(path)
    reads = _noting.get()
    if reads is not None:
        reads.files[path] = stamp
        reads.is_complete &= stamp is None or _is_settled(stamp)
    return _known(path, parse, stamp)


def _names(folder: str) -> frozenset[str]:
    return frozenset(os.listdir(folder))  # noqa: PTH208 - names are all that is asked for, at every edit


def _known(path: str, parse: Callable[[str], T], stamp: _Stamp | None) -> T | None:
    if stamp is None:
        return None
    key = (path, parse)
    kept = _kept.get(key)
    if kept is not None and kept[0] == stamp:
        return kept[1]  # type: ignore[no-any-return]
    made = _made(path, stamp, parse)
    if _is_settled(stamp):
        if len(_kept) > _MOST:
            _kept.clear()
        _kept[key] = (stamp, made)
    return made


def _made(path: str, stamp: _Stamp, parse: Callable[[str], T]) -> T | None:
    try:
        if parse is _names:
            return parse(path)
        if stamp[1] > _LARGEST:
            return None
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - as os.stat below
            return parse(file.read())
    except (OSError, ValueError, RecursionError, TypeError, AttributeError):  # written by people, and half written
        return None


def _is_settled(stamp: _Stamp) -> bool:
    return time.time_ns() - stamp[0] > _TICK


def stamp_of(path: str) -> _Stamp | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - a dozen at every edit: a Path for each costs more than the call
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
