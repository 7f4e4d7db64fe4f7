"""Line and column of an offset in a text: asked in order, each part of it is read once."""

from __future__ import annotations


class Positions:
    """Lines and columns count from 1, columns in characters; offsets are bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._offset = 0
        self._place = (1, 1)

    def at(self, offset: int) -> tuple[int, int]:
        line, column = self._place if offset >= self._offset else (1, 1)
        first = self._offset if offset >= self._offset else 0
        passed = self._data[first:offset]
        lines = passed.count(b"\n")
        if lines:
            passed, column = passed.rpartition(b"\n")[2], 1
        self._offset, self._place = offset, (line + lines, column + _characters(passed))
        return self._place


def _characters(data: bytes) -> int:
    return len(data) if data.isascii() else len(data.decode("utf-8", "replace"))
