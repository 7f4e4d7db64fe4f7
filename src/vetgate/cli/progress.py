"""A bar on a terminal for what takes longer than a second; nobody else sees anything of it."""

from __future__ import annotations

import sys
import time
from typing import Self, TextIO

_PATIENCE = 1.0
_BETWEEN = 0.1
_WIDTH = 24


class Bar:
    """Called as `model.Progress` says; one after the other for each kind of work."""

    def __init__(self, stream: TextIO | None = None, patience: float = _PATIENCE) -> None:
        self._stream = stream or sys.stderr
        self._patience = patience
        self._next = 0.0
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.clear()

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if not done:
            self._next = now + self._patience
        elif done == total:
            self.clear()
        elif now >= self._next and self._stream.isatty():
            self._next = now + _BETWEEN
            self._drawn = True
            filled = _WIDTH * done // total
            bar = "#" * filled + "-" * (_WIDTH - filled)
            self._stream.write(f"\r\x1b[K{what} [{bar}] {done}/{total}")
            self._stream.flush()

    def clear(self) -> None:
        if self._drawn:
            self._drawn = False
            self._stream.write("\r\x1b[K")
            self._stream.flush()
