"""Which lines an edit writes."""

from __future__ import annotations

from collections import Counter

from vetgate.source.ends import common_head, common_tail


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
