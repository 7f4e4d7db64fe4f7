"""What was seen lately, with a bound: what nobody asks for any more is forgotten, and never all at once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable
    from collections.abc import Set as AbstractSet

K = TypeVar("K", bound="Hashable")
T = TypeVar("T", bound="Hashable")


class RecentSets(Generic[K, T]):
    """Thread-safe. One set for each key, in two halves of about `most` items: a new one begins when one is full.

    To forget everything at once would have all of it learned anew at once, which takes more time and memory than all
    the forgetting saves.
    """

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._most = most
        self._count = 0
        self._recent: dict[K, set[T]] = {}
        self._older: dict[K, set[T]] = {}

    def unknown(self, key: K, items: AbstractSet[T]) -> AbstractSet[T]:
        """Those that are not in the set of the key. What is asked for is not forgotten soon."""
        recent = self._recent.get(key)
        missing = items - recent if recent else items
        older = self._older.get(key) if missing else None
        if not older:
            return missing
        again = missing & older
        if again:
            self.add(key, again)
        return missing - again

    def add(self, key: K, items: AbstractSet[T]) -> None:
        with self._lock:
            known = self._recent.setdefault(key, set())
            before = len(known)
            known |= items
            self._count += len(known) - before
            if self._count > self._most:
                self._older, self._recent, self._count = self._recent, {}, 0


V = TypeVar("V")


class RecentValues(Generic[K, V]):
    """Thread-safe. At most `most` values; whose key nobody asked for longest is forgotten first, one by one.

    A process that lives for days then takes as much memory as it did in its first hour.
    """

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._most = most
        self._values: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        with self._lock:
            found = self._values.pop(key, None)
            if found is not None:
                self._values[key] = found  # now the youngest
            return found

    def put(self, key: K, value: V) -> None:
        with self._lock:
            self._values.pop(key, None)
            self._values[key] = value
            if len(self._values) > self._most:
                del self._values[next(iter(self._values))]

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
