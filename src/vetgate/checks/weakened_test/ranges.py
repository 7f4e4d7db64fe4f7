"""Stretches of a text, asked whether a place lies in one of them; and the lines of a text."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Ranges:
    """Overlapping ones are one: asking takes no longer for many than for few."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(ranges):
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def __contains__(self, place: int) -> bool:
        before = bisect_right(self._starts, place) - 1
        return before >= 0 and place < self._ends[before]
