"""Linux's own list of what changed in watched folders, without a thread: the kernel keeps it until it is read.

The standard library has no binding. A reader in a thread would have to be waited for after every command; what the
kernel has queued is there, in order, the moment a command has ended.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from typing import TYPE_CHECKING, NamedTuple
from weakref import finalize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MODIFY, _ATTRIBUTES, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x2, 0x4, 0x40, 0x80, 0x100, 0x200
_CLOSED = 0x8  # what was open for writing; all that is ever told of a file written through a mapping
_OVERFLOW, _IGNORED, _IS_FOLDER = 0x4000, 0x8000, 0x40000000
_ONLY_FOLDERS, _DONT_FOLLOW = 0x01000000, 0x02000000
_WANTED = _MODIFY | _CLOSED | _ATTRIBUTES | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _ONLY_FOLDERS | _DONT_FOLLOW
_HEAD = struct.Struct("iIII")
_AT_ONCE = 1 << 20


class FileEvent(NamedTuple):
    """Something happened to `name` in a watched folder; `lost` when the kernel could not keep up.

    `ended` for a folder that is gone, and is watched no more.
    """

    watch: int
    name: str
    is_folder: bool = False
    appeared: bool = False
    lost: bool = False
    ended: bool = False


class Inotify:
    """Raises OSError where the system has no such thing, or no more of it."""

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise OSError(errno.ENOSYS, "only Linux has inotify")
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._handle = self._checked(self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        self._close = finalize(self, os.close, self._handle)  # also when its last user forgets to

    def add(self, folder: str) -> int:
        return self._checked(self._libc.inotify_add_watch(self._handle, os.fsencode(folder), _WANTED))

    def drain(self) -> Iterator[FileEvent]:
        """Everything since the last time, in order."""
        while True:
            try:
                data = os.read(self._handle, _AT_ONCE)
            except BlockingIOError:
                return
            at = 0
            while at < len(data):
                watch, mask, _, length = _HEAD.unpack_from(data, at)
                name = os.fsdecode(data[at + _HEAD.size : at + _HEAD.size + length].rstrip(b"\0"))
                at += _HEAD.size + length
                # Who may read a folder is nobody's business here; whether a file can be run is.
                if mask & _IGNORED:
                    yield FileEvent(watch, "", is_folder=True, ended=True)
                elif not (mask & _ATTRIBUTES and mask & _IS_FOLDER):
                    appeared = bool(mask & (_CREATE | _MOVED_TO))
                    yield FileEvent(watch, name, bool(mask & _IS_FOLDER), appeared, lost=bool(mask & _OVERFLOW))

    def fileno(self) -> int:
        return self._handle

    def close(self) -> None:
        self._close()
        self._handle = -1

    def _checked(self, result: int) -> int:
        if result < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return int(result)


def watching(folders: Iterable[str]) -> Inotify | None:
    """None where the system cannot tell: then every file is looked at every time."""
    try:
        watch = Inotify()
    except OSError:
        return None
    try:
        for folder in folders:
            watch.add(os.path.realpath(folder))
    except OSError:
        watch.close()
        return None
    return watch
