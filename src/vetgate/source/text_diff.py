"""What two texts have in common at their ends, the lines an edit writes, and lines that were searched before."""

from __future__ import annotations

import threading
from collections import Counter
from functools import lru_cache
from itertools import accumulate, compress
from typing import TYPE_CHECKING, AnyStr, Generic, NamedTuple

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


class _Lines(NamedTuple, Generic[AnyStr]):
    """Of a text, in order, with where each begins, and each once."""

    every: tuple[AnyStr, ...]
    starts: tuple[int, ...]
    once: frozenset[AnyStr]


@lru_cache(maxsize=2)
def _lines_of(text: AnyStr, newline: AnyStr) -> _Lines[AnyStr]:
    """For a dozen searches of one text."""
    every = tuple(text.split(newline))
    starts = accumulate((len(line) + len(newline) for line in every[:-1]), initial=0)
    return _Lines(every, tuple(starts), frozenset(every))


# Searches ask of the same two texts one after the other.
_between = lru_cache(maxsize=4)(lines_between)


class LineCache(Generic[AnyStr]):
    """Thread-safe. For a search whose every hit lies within one line; `holds` says whether there is any in a text."""

    def __init__(self, holds: Callable[[AnyStr], bool], newline: AnyStr) -> None:
        self._holds: Callable[[AnyStr], bool] = holds
        self._newline: AnyStr = newline
        self._lock = threading.Lock()
        self._quiet: RecentSets[str, AnyStr] = RecentSets(_MOST)
        self._loud: RecentSets[str, AnyStr] = RecentSets(_MOST)
        self._texts: dict[AnyStr, tuple[AnyStr, frozenset[AnyStr]]] = {}

    def may_hold(self, text: AnyStr) -> bool:
        """Whether it is worth searching; only what is new has to be read for that."""
        return bool(self._lines_with_hits(text))

    def holding(self, text: AnyStr) -> Iterator[tuple[int, AnyStr]]:
        """The lines in which there is a hit, each with where it begins."""
        loud = self._lines_with_hits(text)
        if loud:
            lines = _lines_of(text, self._newline)
            places = zip(lines.starts, lines.every, strict=True)
            yield from compress(places, map(loud.__contains__, lines.every))

    def _lines_with_hits(self, text: AnyStr) -> frozenset[AnyStr]:
        """By what differs from the text before; some of them may stand in no line of their own any more."""
        earlier = self._texts.get(text[-_EDGE:]) or self._texts.get(text[:_EDGE])
        between = None if earlier is None else _between(earlier[0], text, self._newline)
        if earlier is None or between is None or 2 * len(between) >= len(text):
            lines = _lines_of(text, self._newline)
            loud = self._found_among(lines.every, lines.once)
        else:
            fresh = between.split(self._newline)
            some = earlier[1] | self._found_among(fresh, frozenset(fresh))
            loud = frozenset(line for line in some if line in text)
        self._keep(text, loud)
        return loud

    def _found_among(self, lines: Sequence[AnyStr], once: frozenset[AnyStr]) -> frozenset[AnyStr]:
        """Of these lines, some of them several times; what was searched before is not searched again."""
        fresh = self._quiet.unknown(_ALL, once)
        unheard = self._loud.unknown(_ALL, fresh)
        loud = self._holding_among([line for line in dict.fromkeys(lines) if line in unheard])
        if len(once) < _LONG:
            self._quiet.add(_ALL, unheard - loud)
            self._loud.add(_ALL, loud)
        return frozenset(loud | (fresh - unheard))

    def _holding_among(self, lines: list[AnyStr]) -> set[AnyStr]:
        """By halves: mostly it is a few of them, or none. A hit that needs several lines is one of all of these."""
        if not lines or not self._holds(self._newline.join(lines)):
            return set()
        if len(lines) == 1:
            return set(lines)
        middle = len(lines) // 2
        return self._holding_among(lines[:middle]) | self._holding_among(lines[middle:]) or set(lines)

    def _keep(self, text: AnyStr, loud: frozenset[AnyStr]) -> None:
        if len(text) < _LARGEST:
            with self._lock:
                if len(self._texts) > _TEXTS:
                    self._texts.clear()
                self._texts[text[:_EDGE]] = self._texts[text[-_EDGE:]] = (text, loud)
