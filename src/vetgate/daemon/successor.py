"""A daemon that has grown makes way for a fresh one, and no call meets either a cold one or none.

The successor is started beside it, with its lock, loads everything, and puts its own socket in the place of the old
one; that one answers what it has taken and ends.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time

from vetgate import fallback

# One that could not start, or grew as fast, is not tried again all the time.
AGAIN_AFTER = 600.0


class Succession:
    """The socket by its name in a folder of ours, and who is to have it next."""

    def __init__(self, inside: int, name: str, lock: int, words: tuple[str, ...]) -> None:
        """`inside` is the folder, `words` what a daemon of this address is started with."""
        self._inside = inside
        self._name = name
        self._lock = lock
        self._words = words
        self._socket = self._identity()
        self._started = -AGAIN_AFTER
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def is_under_way(self) -> bool:
        return self._process is not None

    def begin(self) -> None:
        if self.is_under_way or time.monotonic() - self._started < AGAIN_AFTER:
            return
        self._started = time.monotonic()
        with contextlib.suppress(OSError):
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter, our own program
                fallback.command(fallback.DAEMON, *self._words, "--lock", str(self._lock)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=fallback.ROOT,
                env=fallback.environment(),
                pass_fds=(self._lock,),
                start_new_session=True,
            )

    def is_done(self) -> bool:
        """Whether another process listens under this name; to be asked while it is under way."""
        if self._process is None:
            return False
        if self._identity() != self._socket:
            return True
        if self._process.poll() is not None:
            self._process = None
        return False

    def finish(self) -> bool:
        """As above, for good: one that is not there yet will not come."""
        is_done = self.is_done()
        if self._process is not None and not is_done:
            self._process.kill()
            self._process.wait()
        return self._process is not None and self._identity() != self._socket

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._name, dir_fd=self._inside)
        except OSError:
            return None
        return found.st_dev, found.st_ino
