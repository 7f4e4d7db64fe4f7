"""Where one of many short texts stands: by google-re2 in linear time where it is installed, by Python's own elsewhere.

Both read the same expression, a tree of literals without any repetition, for which either is linear.
"""

from __future__ import annotations

import importlib
import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

_MEMORY = 32 << 20
# Of so many places, nearer to each other than so many bytes, the next so many bytes will hold many more.
_MANY, _CLOSE, _STRETCH = 64, 16, 8_192
_LONGEST = 64


@cache
def re2() -> Any:
    """None where there is no wheel of it."""
    try:
        found = importlib.import_module("re2")
    except ImportError:
        return None
    return found if hasattr(found, "Options") else None  # others are called re2, too


def compiled(expression: bytes, engine: Any) -> Any:
    if engine is None:
        return re.compile(expression)
    options = engine.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    options.encoding = engine.Options.Encoding.LATIN1
    return engine.compile(expression, options)


def hits(own: Any, fast: Any, data: bytes) -> Iterator[tuple[int, int]]:
    """Where one of the texts stands: RE2 is quick between places and slow at each, Python's own the other way round."""
    if own is fast:
        yield from (found.span() for found in own.finditer(data))
        return
    place = 0
    while place < len(data):
        place = yield from _apart(fast, data, place)
        place = yield from _close(own, data, place)


def _apart(fast: Any, data: bytes, place: int) -> Generator[tuple[int, int], None, int]:
    """As far as the places lie apart; where the last one ends."""
    stretch = place
    for number, found in enumerate(fast.finditer(data, place), 1):
        yield found.span()
        place = found.end()
        if number % _MANY == 0:
            if place - stretch < _MANY * _CLOSE:
                return place
            stretch = place
    return len(data)


def _close(own: Any, data: bytes, place: int) -> Generator[tuple[int, int], None, int]:
    last = place + _STRETCH
    for found in own.finditer(data, place, last + _LONGEST):
        if found.start() >= last:
            break
        yield found.span()
        place = found.end()
    return max(place, last)


def any_of(texts: Iterable[bytes]) -> bytes:
    """An expression for the shortest of the texts at a place: what has another in front of it is left out."""
    tree: dict[int, Any] = {}
    for text in sorted(texts, key=len):
        _plant(tree, text)
    return _written(tree)


def _plant(tree: dict[int, Any], text: bytes) -> None:
    node = tree
    for letter in text:
        if letter in node and not node[letter]:
            return  # a shorter one ends here
        node = node.setdefault(letter, {})


def _written(node: dict[int, Any]) -> bytes:
    """Never deeper than the longest of the texts."""
    parts = [re.escape(bytes([letter])) + _written(rest) for letter, rest in sorted(node.items())]
    if len(parts) <= 1:
        return b"".join(parts)
    return b"(?:" + b"|".join(parts) + b")"
