"""Requests that a daemon did not survive. Its successor leaves them to a process of their own."""

from __future__ import annotations

import os
import time
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

REMEMBERED = 600.0


class Poison:
    """One empty file per request in progress: what is still there when the next daemon starts has killed the last."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(mode=0o700, exist_ok=True)
        self._until: dict[str, float] = {}
        for path in folder.iterdir():
            left = path.stat().st_mtime + REMEMBERED - time.time()
            if 0 < left <= REMEMBERED:
                self._until[path.name] = time.monotonic() + left
            else:
                path.unlink(missing_ok=True)

    def holds(self, digest: str) -> bool:
        return self._until.get(digest, 0.0) > time.monotonic()

    def begin(self, digest: str) -> None:
        try:
            os.close(os.open(self._folder / digest, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
        except OSError:  # a full disk: the daemon works, it only forgets
            return

    def end(self, digest: str) -> None:
        if digest not in self._until:
            (self._folder / digest).unlink(missing_ok=True)

    def leave(self) -> None:
        try:
            self._folder.rmdir()  # only when it is empty
        except OSError:
            return


def digest_of(payload: bytes) -> str:
    return blake2b(payload, digest_size=16).hexdigest()
