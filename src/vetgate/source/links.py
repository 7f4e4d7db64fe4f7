"""Which of some names below a folder are links: asked before every edit, of folders that mostly stay as they are."""

from __future__ import annotations

import os
import stat
import time
from typing import NamedTuple

# The kernel's clock for files ticks more slowly than ours: what is younger may change again unseen.
_TICK = 50_000_000
_MOST = 256


class _KnownLinks(NamedTuple):
    """`folders` are those that the names may lie in, with the moment in which what is in them last changed."""

    folders: tuple[tuple[str, int], ...]
    links: frozenset[str]


_known: dict[tuple[str, frozenset[str]], _KnownLinks] = {}


def links_among(base: str, names: frozenset[str]) -> frozenset[str]:
    """`names` are relative to the base, and hold every folder on the way to one of them."""
    known = _known.get((base, names))
    if known is None or any(_changed_at(folder) != at for folder, at in known.folders):
        known = _looked(base, names)
    return known.links


def _looked(base: str, names: frozenset[str]) -> _KnownLinks:
    now = time.time_ns()
    folders, links = [(base, _changed_at(base))], []
    for name in names:
        try:
            status = os.lstat(f"{base}/{name}")
        except OSError:
            continue
        if stat.S_ISLNK(status.st_mode):
            links.append(name)
        elif stat.S_ISDIR(status.st_mode):
            folders.append((f"{base}/{name}", status.st_ctime_ns))
    known = _KnownLinks(tuple(folders), frozenset(links))
    if all(0 <= at < now - _TICK for _, at in folders):
        if len(_known) >= _MOST:
            _known.clear()
        _known[base, names] = known
    return known


def _changed_at(folder: str) -> int:
    """By the time that nobody can set; -1 for what is not there."""
    try:
        return os.stat(folder).st_ctime_ns  # noqa: PTH116 - asked before every edit
    except OSError:
        return -1
