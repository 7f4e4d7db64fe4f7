"""Regular expressions in linear time, where google-re2 is installed; Python's own elsewhere."""

from __future__ import annotations

import importlib
import re
import warnings
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    # The first match in a line, as its start and end; None where there is none.
    Search = Callable[[str], tuple[int, int] | None]


@cache
def _re2() -> Any:
    try:
        return importlib.import_module("re2")
    except ImportError:
        return None


def is_linear(pattern: str) -> bool:
    return _linear(pattern) is not None


@lru_cache(maxsize=512)
def _linear(pattern: str) -> Any:
    """None for what only Python understands, such as a look ahead."""
    if _re2() is None:
        return None
    options = _re2().Options()
    options.log_errors = False
    try:
        return _re2().compile(pattern, options)
    except _re2().error:
        return None


def searcher(pattern: str) -> Search:
    with warnings.catch_warnings(action="ignore"):
        compiled: Any = _linear(pattern) or re.compile(pattern)

    def search(line: str) -> tuple[int, int] | None:
        found = compiled.search(line)
        return (found.start(), found.end()) if found else None

    return search
