"""What two texts have in common at their ends, the lines an edit writes, and lines that were searched before."""

from __future__ import annotations

import threading
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, AnyStr, Generic

from vetgate.source.recent_sets import RecentSets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


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


_MOST = 3_000
# A text of so many lines is seldom edited twice.
_LONG = 20_000
_ALL = ""  # there is one set

# By how a text ends, or else begins, the one is found that it was before the edit.
_EDGE = 300
_TEXTS = 32
_LARGEST = 500_000


@lru_cache(maxsize=2)
def _lines_of(text: AnyStr, newline: AnyStr) -> frozenset[AnyStr]:
    """For a dozen searches of one text."""
    return frozenset(text.split(newline))


class LineCache(Generic[AnyStr]):
    """Thread-safe. For a search whose every hit lies within one line; `holds` says whether there is any in a text."""

    def __init__(self, holds: Callable[[AnyStr], bool], newline: AnyStr) -> None:
        self._holds: Callable[[AnyStr], bool] = holds
        self._newline: AnyStr = newline
        self._lock = threading.Lock()
        self._quiet: RecentSets[str, AnyStr] = RecentSets(_MOST)
        self._loud: RecentSets[str, AnyStr] = RecentSets(_MOST)
        self._texts: dict[AnyStr, AnyStr] = {}

    def may_hold(self, text: AnyStr) -> bool:
        """Whether it is worth searching; only what is new has to be read for that."""
        holds = self._holds_between(text)
        if holds is None:
            holds = self._may_hold_anew(text)
        if not holds:
            self._keep(text)
        return holds

    def holding(self, text: AnyStr) -> Iterator[tuple[int, AnyStr]]:
        """The lines in which there is a hit, each with where it begins."""
        if self._holds_between(text) is False:
            self._keep(text)
            return
        lines = text.split(self._newline)
        fresh = self._quiet.unknown(_ALL, _lines_of(text, self._newline))
        unheard = self._loud.unknown(_ALL, fresh)
        loud = self._holding_among(list(unheard))
        if len(lines) < _LONG:
            self._quiet.add(_ALL, unheard - loud)
            self._loud.add(_ALL, loud)
        loud |= fresh - unheard
        if not loud:
            self._keep(text)
            return
        start = 0
        for line in lines:
            if line in loud:
                yield start, line
            start += len(line) + len(self._newline)

    def _holding_among(self, lines: list[AnyStr]) -> set[AnyStr]:
        """By halves: mostly it is a few of them, or none."""
        if not lines or not self._holds(self._newline.join(lines)):
            return set()
        if len(lines) == 1:
            return set(lines)
        middle = len(lines) // 2
        return self._holding_among(lines[:middle]) | self._holding_among(lines[middle:])

    def _holds_between(self, text: AnyStr) -> bool | None:
        """Whether anything lies in what differs from the text before; None where that is another one."""
        earlier = self._texts.get(text[-_EDGE:]) or self._texts.get(text[:_EDGE])
        if earlier is None:
            return None
        between = lines_between(earlier, text, self._newline)
        return self._holds(between) if 2 * len(between) < len(text) else None

    def _keep(self, text: AnyStr) -> None:
        if len(text) < _LARGEST:
            with self._lock:
                if len(self._texts) > _TEXTS:
                    self._texts.clear()
                self._texts[text[:_EDGE]] = self._texts[text[-_EDGE:]] = text

    def _may_hold_anew(self, text: AnyStr) -> bool:
        fresh = self._quiet.unknown(_ALL, _lines_of(text, self._newline))
        if not fresh:
            return False
        if self._loud.unknown(_ALL, fresh) != fresh or self._holds(self._newline.join(fresh)):
            return True
        if len(fresh) < _LONG:
            self._quiet.add(_ALL, fresh)
        return False
