"""Root as an ordinary owner: it may read what it owns, and is refused what is closed to it."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
_READS_EVERYTHING = 1 << 1 | 1 << 2
_VERSION_3 = 0x20080522
_SECUREBITS, _NOROOT = 28, 1  # children of root would get all of it back


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


@contextmanager
def as_ordinary_owner() -> Iterator[None]:
    """Without root's right to pass by every permission; whoever is not root has none to give up.

    Not another user: that one could not enter the folder of root's in which the repository may lie.
    """
    if os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        raise OSError("root keeps its rights here")
    before = _change(0, _READS_EVERYTHING)
    try:
        yield
    finally:
        _change(before, 0)


def _change(more: int, less: int) -> int:
    """The effective set of this thread; what it was."""
    libc = ctypes.CDLL(None, use_errno=True)
    header, sets = _Header(_VERSION_3, 0), (_Sets * 2)()
    _done(libc.capget(ctypes.byref(header), sets))
    before = int(sets[0].effective)
    sets[0].effective = (before | more) & ~less
    if more:
        _done(libc.capset(ctypes.byref(header), sets))
    _done(libc.prctl(_SECUREBITS, _NOROOT if less else 0, 0, 0, 0))
    if less:
        _done(libc.capset(ctypes.byref(header), sets))
    return before


def _done(status: int) -> None:
    if status != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
