"""Files and folders on disk, read once: again when the file, its size or its time is another."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
_MOST = 4_096
_LARGEST = 32_000_000
# A file system's clock ticks slowly: what changed just now may change again without showing it.
_TICK = 50_000_000

_Stamp = tuple[int, int, int]
_kept: dict[tuple[str, Any], tuple[_Stamp, Any]] = {}


def listed(folder: str) -> frozenset[str]:
    """The names in a folder; none where there is no folder."""
    return _known(folder, _names) or frozenset()


def read(path: str, parse: Callable[[str], T]) -> T | None:
    """What `parse` makes of a file's text; None where there is no file, or none that it understands."""
    return _known(path, parse)


def _names(folder: str) -> frozenset[str]:
    return frozenset(os.listdir(folder))  # noqa: PTH208 - names are all that is asked for, at every edit


def _known(path: str, parse: Callable[[str], T]) -> T | None:
    stamp = _stamp(path)
    if stamp is None:
        return None
    key = (path, parse)
    kept = _kept.get(key)
    if kept is not None and kept[0] == stamp:
        return kept[1]  # type: ignore[no-any-return]
    made = _made(path, stamp, parse)
    if time.time_ns() - stamp[0] > _TICK:
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


def _stamp(path: str) -> _Stamp | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - a dozen at every edit: a Path for each costs more than the call
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
