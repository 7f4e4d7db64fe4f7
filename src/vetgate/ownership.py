"""Whose a path is, all the way up: who may write to a folder on the way can put another one in its place.

As ssh looks at the folders above a key. Access lists beyond owner, group and others are not looked at.
"""

from __future__ import annotations

import contextlib
import os
import stat
from functools import lru_cache

TYPE_CHECKING = False  # as typing's, without its price
if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = 0
_MOST_LINKS = 40
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def fault(path: str, *owners: int) -> str:
    """Why somebody besides root and these accounts, or else ours, decides what lies there; "" where nobody does.

    What is not there yet, or closed to us, is nobody's: using it creates it or fails.
    """
    return _first_fault(path, owners)[0]


def open_place(path: str) -> str:
    """Where on the way others can write, where that is the fault; "" where it is another one, or none."""
    return _first_fault(path, ())[1]


def _first_fault(path: str, owners: tuple[int, ...]) -> tuple[str, str]:
    if not hasattr(os, "getuid"):  # Windows
        return "", ""
    trusted = frozenset({ROOT, *(owners or (os.getuid(),))})
    faults = (_fault_of(place, found, trusted, ends=ends) for place, found, ends in _steps(path))
    try:
        return next(filter(any, faults), ("", ""))
    except RecursionError:
        return f"{path} leads through more than {_MOST_LINKS} links", ""


def _steps(path: str) -> Iterator[tuple[str, os.stat_result, bool]]:
    """Every folder and link on the way as the system goes it, from the root on; at last the place itself."""
    here, links = "/", 0
    pending = path.split("/")[::-1]
    while pending:
        place = os.path.normpath(f"{here.rstrip('/')}/{pending.pop()}")  # `here` holds no link, so `..` is its parent
        try:
            found = os.lstat(place)
        except OSError:
            return
        yield place, found, not pending
        if not stat.S_ISLNK(found.st_mode):
            here = place
            continue
        links += 1
        if links > _MOST_LINKS:
            raise RecursionError
        target = os.readlink(place)  # noqa: PTH115
        here = "/" if target.startswith("/") else here
        pending += target.split("/")[::-1]


def make(folder: str) -> None:
    """The folder and all that is missing above it, closed to others whatever the umask says."""
    if not os.path.isdir(folder):  # noqa: PTH112
        above = os.path.dirname(folder)  # noqa: PTH120
        if above != folder:
            make(above)
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, mode=0o700)  # noqa: PTH102


def _fault_of(place: str, found: os.stat_result, trusted: frozenset[int], *, ends: bool) -> tuple[str, str]:
    if found.st_uid not in trusted and not _is_from_outside(found.st_uid):
        kind = "is a link made by" if stat.S_ISLNK(found.st_mode) else "belongs to"
        return f"{place} {kind} {name_of(found.st_uid)}", ""
    if stat.S_ISLNK(found.st_mode) or not found.st_mode & _OTHERS_WRITE:
        return "", ""
    # In a sticky folder nobody moves what is another's; what is to be read or written itself must be closed.
    if stat.S_ISDIR(found.st_mode) and found.st_mode & stat.S_ISVTX and not ends:
        return "", ""
    if not found.st_mode & stat.S_IWOTH and _is_own_group(found.st_gid, found.st_uid):
        return "", ""
    return f"others can write to {place}", place


def name_of(uid: int) -> str:
    try:
        import pwd  # noqa: PLC0415 - only for a sentence

        return f"{pwd.getpwuid(uid).pw_name} (uid {uid})"
    except (ImportError, KeyError):
        return f"uid {uid}"


def _is_own_group(gid: int, uid: int) -> bool:
    """The group of a user's own name that nobody else is in: many systems make one, and let it write."""
    try:
        import grp  # noqa: PLC0415 - rarely needed, and not on Windows
        import pwd  # noqa: PLC0415

        user, group = pwd.getpwuid(uid), grp.getgrgid(gid)
    except (ImportError, KeyError):
        return False
    return (user.pw_gid, user.pw_name) == (gid, group.gr_name) and {*group.gr_mem} <= {user.pw_name}


@lru_cache(maxsize=4)
def _is_from_outside(uid: int) -> bool:
    """In a user namespace: an owner that it does not know, so nobody in here can be.

    A sandbox shows root's folders so. Where the number is also that of a user in here, it counts as that user.
    """
    try:
        with open("/proc/sys/kernel/overflowuid", encoding="ascii") as told:  # noqa: PTH123
            if uid != int(told.read()):
                return False
        with open("/proc/self/uid_map", encoding="ascii") as told:  # noqa: PTH123
            ranges = [(int(first), int(count)) for first, _, count in (line.split() for line in told)]
    except (OSError, ValueError):
        return False
    return not any(first <= uid < first + count for first, count in ranges)
