"""What two texts have in common at their ends, the lines between, and the lines that an edit writes."""

from __future__ import annotations

from collections import Counter
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


def written_lines(before: str, after: str) -> frozenset[int]:
    """The numbers of the lines of `after` that were not there before, wherever; only those that say something.

    A line that moved is not written. One pass over what lies between the ends that both share: nobody waits for the
    shortest script of changes.
    """
    old, new = before.split("\n"), after.split("\n")
    first = common_head(old, new)
    last = len(new) - common_tail(old, new, min(len(old), len(new)) - first)
    there = Counter(line.strip() for line in old[first : len(old) - (len(new) - last)])
    found = set()
    for number in range(first, last):
        line = new[number].strip()
        if there[line] > 0:
            there[line] -= 1
        elif any(map(str.isalnum, line)):
            found.add(number + 1)
    return frozenset(found)
