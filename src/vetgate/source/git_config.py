"""Git's settings as they stand in a file: read by us, so that nothing of a repository is run to know them."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SECTION = re.compile(r'^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_VALUE = re.compile(r"^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$")
_MOST_BYTES = 1_000_000


def values_in(text: str) -> Iterator[tuple[str, str]]:
    """Names in small letters, `section.part.key`, and their values; a line that goes on is put together."""
    section = ""
    for line in text.replace("\\\n", "").split("\n"):
        stripped = line.strip()
        head = _SECTION.match(stripped)
        if head:
            section = head[1].lower() + (f".{head[2]}" if head[2] else "")
            stripped = stripped[head.end() :].strip()
        value = _VALUE.match(stripped)
        if value and section:
            yield f"{section}.{value[1].lower()}", (value[2] or "").strip()


def values_of(file: Path) -> tuple[tuple[str, str], ...]:
    """Of a file; nothing where there is none. Read again when it has changed."""
    try:
        status = file.stat()
    except (OSError, ValueError):
        return ()
    return _read(os.fspath(file), status.st_mtime_ns, status.st_size) if status.st_size < _MOST_BYTES else ()


@lru_cache(maxsize=32)
def _read(file: str, _changed: int, _size: int) -> tuple[tuple[str, str], ...]:
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:  # noqa: PTH123
            return tuple(values_in(opened.read()))
    except OSError:
        return ()
