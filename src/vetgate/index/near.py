"""The functions of a change, and which of them may be like another: a big change holds thousands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from vetgate.index.shape import sketch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vetgate.index.facts import Function

    Placed = tuple[str, Function]

# Up to so many are compared one by one; of more, those that share most values of their sketches.
_FEW = 100
_SHARED = 2
_CANDIDATES = 60


class Near:
    def __init__(self, functions: Iterable[Placed]) -> None:
        self._functions: list[Placed] = sorted(functions, key=lambda each: each[1].tokens)
        self._lengths = [each.tokens for _, each in self._functions]
        self._holders: dict[int, list[int]] = {}

    def to(self, function: Function, shortest: int, longest: int) -> Sequence[Placed]:
        """Those that are about as long as this one, and may be like it."""
        first, last = bisect_left(self._lengths, shortest), bisect_right(self._lengths, longest)
        if last - first <= _FEW:
            return self._functions[first:last]
        shared: Counter[int] = Counter()
        for value in sketch(function.blind):
            shared.update(self._holding(value))
        near = (number for number, count in shared.most_common() if count >= _SHARED and first <= number < last)
        return [self._functions[number] for number, _ in zip(near, range(_CANDIDATES), strict=False)]

    def _holding(self, value: int) -> list[int]:
        if not self._holders:
            self._holders = defaultdict(list)
            for number, (_, each) in enumerate(self._functions):
                for own in sketch(each.blind):
                    self._holders[own].append(number)
        return self._holders.get(value, [])
