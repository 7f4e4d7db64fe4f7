"""Lines that were searched before without a match: most of a text stays as it was from edit to edit."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, AnyStr, Generic

from vetgate.source.text_diff import lines_between

if TYPE_CHECKING:
    from collections.abc import Callable

# When there are too many, all are forgotten and searched anew.
_MOST = 8_000
# A text of so many lines is seldom edited twice.
_LONG = 20_000


# By how a text ends, or else begins, the one is found that it was before the edit.
_EDGE = 300
_TEXTS = 32
_LARGEST = 500_000


class LineCache(Generic[AnyStr]):
    """Thread-safe. For a search whose every hit lies within one line; `holds` says whether there is any in a text."""

    def __init__(self, holds: Callable[[AnyStr], bool], newline: AnyStr) -> None:
        self._holds: Callable[[AnyStr], bool] = holds
        self._newline: AnyStr = newline
        self._lock = threading.Lock()
        self._quiet: set[AnyStr] = set()
        self._texts: dict[AnyStr, AnyStr] = {}

    def may_hold(self, text: AnyStr) -> bool:
        """Whether it is worth searching; only what is new has to be read for that."""
        holds = self._holds_between(text)
        if holds is None:
            holds = self._may_hold_anew(text)
        if not holds:
            self._keep(text)
        return holds

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
