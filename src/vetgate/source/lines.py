"""Lines that were searched before, and in vain: most of a text stays as it was from edit to edit."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, AnyStr, Generic

if TYPE_CHECKING:
    from collections.abc import Callable

# When there are too many, all are forgotten and searched anew.
_MOST = 50_000
# A text of so many lines is seldom edited twice.
_LONG = 20_000


class QuietLines(Generic[AnyStr]):
    """Thread-safe. For a search whose every hit lies within one line; `holds` says whether there is any in a text."""

    def __init__(self, holds: Callable[[AnyStr], bool], newline: AnyStr) -> None:
        self._holds: Callable[[AnyStr], bool] = holds
        self._newline: AnyStr = newline
        self._lock = threading.Lock()
        self._quiet: set[AnyStr] = set()

    def may_hold(self, text: AnyStr) -> bool:
        """Whether it is worth searching; only what is new has to be read for that."""
        lines = set(text.split(self._newline))
        fresh = lines - self._quiet
        if not fresh:
            return False
        if self._holds(self._newline.join(fresh)):
            return True
        with self._lock:
            if len(self._quiet) > _MOST:
                self._quiet.clear()
            if len(fresh) < _LONG:
                self._quiet |= fresh
        return False
