"""A bar on a terminal for what takes longer than a second; nobody else sees anything of it."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    from types import TracebackType

_PATIENCE = 1.0
_BETWEEN = 0.1
_WIDTH = 24


class Progress:
    def __init__(self, what: str, total: int, stream: TextIO | None = None, patience: float = _PATIENCE) -> None:
        self._what = what
        self._total = total
        self._done = 0
        self._stream = stream or sys.stderr
        self._next = time.monotonic() + patience
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def advance(self, by: int) -> None:
        self._done += by
        now = time.monotonic()
        if now < self._next or not self._stream.isatty():
            return
        self._next = now + _BETWEEN
        self._drawn = True
        filled = _WIDTH * self._done // max(1, self._total)
        bar = "#" * filled + "-" * (_WIDTH - filled)
        self._stream.write(f"\r\x1b[K{self._what} [{bar}] {self._done}/{self._total}")
        self._stream.flush()
