"""Expressions that are compiled when they are first used.

A process that answers one call needs few of the hundreds there are, and compiling all of them takes longer than its
answer. One that stays compiles them while nobody waits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, AnyStr, cast

if TYPE_CHECKING:
    from re import Pattern

_WAITING: list[_Later] = []


def expression(text: AnyStr, flags: int = 0) -> Pattern[AnyStr]:
    """As `re.compile`, and later; whether it can be compiled at all is a matter for tests."""
    made = _Later(text, flags)
    _WAITING.append(made)
    return cast("Pattern[AnyStr]", made)


def compile_all() -> None:
    while _WAITING:
        _WAITING.pop().compiled()


class _Later:
    """Has what a compiled expression has, as soon as somebody asks for any of it."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self.pattern = text
        self._flags = flags

    def compiled(self) -> Pattern[Any]:
        made: Pattern[Any] = re.compile(self.pattern, self._flags)
        for name in ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn"):
            setattr(self, name, getattr(made, name))
        return made

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.compiled(), name)

    def __reduce__(self) -> tuple[object, ...]:
        return _Later, (self.pattern, self._flags)
