"""The launchers, looked after by a process that an overwritten one cannot silence: put back, and reported."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from typing import TYPE_CHECKING

from vetgate.agents.installation import EXECUTABLE, LAUNCHER, Receipts
from vetgate.model import UserError
from vetgate.source.inotify import watching
from vetgate.source.replace import write_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EVERY = 30.0  # seconds, where nobody says that something changed
SETTLED = 0.1  # after a change, in which setting up ends what it began
GONE = 2.0  # the same where a launcher is gone: taking back ends with its receipt


class LauncherWatch:
    """What vetgate wrote is kept in memory, so that nothing on disk has to be believed to put it back."""

    def __init__(self, state: Path) -> None:
        self._receipts = Receipts(state)
        written = [each for each in self._receipts.all() if each.kind == LAUNCHER]
        # Before the first look: what changes after it is told of.
        folders = sorted({os.fspath(each.path.parent) for each in written})
        self._watch = watching([each for each in folders if os.path.isdir(each)])  # noqa: PTH112 - as the watch wants it
        found = [(each, _content(each.path)) for each in written]
        self._kept = {each.path: data for each, data in found if data is not None and each.is_untouched(data)}
        self._seen: dict[Path, float] = {}  # not as it was kept, since when
        self._next = time.monotonic() + EVERY

    @property
    def told_by(self) -> int | None:
        """What becomes readable when something happens to them; None where the system cannot tell."""
        return self._watch.fileno() if self._watch is not None else None

    def notice(self) -> None:
        """Something happened; what is not as it was may be put back by another such process before we look."""
        if self._watch is not None:
            list(self._watch.drain())
        now = time.monotonic()
        for path, data in self._kept.items():
            if _content(path) != data:
                self._seen.setdefault(path, now)
                self._next = min(self._next, now + SETTLED)

    def due_in(self) -> float:
        return self._next - time.monotonic()

    def put_back(self, tell: Callable[[list[Path]], None]) -> None:
        """Write those again that somebody else than vetgate changed.

        They are told of first: one that is as it was answers at once, and that answer says so.
        """
        self.notice()
        now = time.monotonic()
        self._next = now + EVERY
        paths = [path for path in list(self._seen) if self._is_tampered(path, now)]
        if paths:
            tell(paths)
        for path in paths:
            with contextlib.suppress(UserError, OSError):
                _write(path, self._kept[path])

    def _is_tampered(self, path: Path, now: float) -> bool:
        found = _content(path)
        if found is None and not os.path.lexists(path):
            if now - self._seen[path] < GONE:
                self._next = now + SETTLED
                return False
            if self._receipts.of(path) is None:  # a person took it back
                del self._seen[path], self._kept[path]
                return False
        del self._seen[path]
        if found != self._kept[path] and self._receipts.vouch_for(path, found):  # a person set it up anew
            self._kept[path] = found or b""
            return False
        return True


def _content(path: Path) -> bytes | None:
    """Of a file that may be run and is no link; None for anything else."""
    try:
        status = os.lstat(path)
        return path.read_bytes() if stat.S_ISREG(status.st_mode) and os.access(path, os.X_OK) else None
    except OSError:
        return None


def _write(path: Path, data: bytes) -> None:
    if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
        path.unlink()
    write_bytes(path, data, expected=path.read_bytes() if path.exists() else None, mode=EXECUTABLE)
