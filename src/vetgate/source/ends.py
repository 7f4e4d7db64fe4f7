"""What two texts begin and end with in common: two steps of an edit differ in little else than what lies between."""

from __future__ import annotations

from typing import TYPE_CHECKING, AnyStr

if TYPE_CHECKING:
    from collections.abc import Sequence


def common_head(one: Sequence[object], other: Sequence[object]) -> int:
    """How long the beginning is that the two share; by halves, for comparing is quicker than counting."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_tail(one: Sequence[object], other: Sequence[object], most: int) -> int:
    """How long the end is that the two share, up to `most`."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def lines_between(old: AnyStr, new: AnyStr, newline: AnyStr) -> AnyStr:
    """The lines of `new` that are not, as they stand, at the beginning or the end of `old`."""
    start = common_head(old, new)
    stop = len(new) - common_tail(old, new, min(len(old), len(new)) - start)
    begin = new.rfind(newline, 0, start) + 1
    end = new.find(newline, stop)
    return new[begin : end if end >= 0 else len(new)]
