"""The values in a project's `.env` files: they are known, so they are hidden wherever they turn up in what is sent.

A copy, a script's output or somebody's own words name no file that could be withheld, and such a value need not look
like a secret.
"""

from __future__ import annotations

import os
import re
import stat
from functools import cached_property
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.judges.path_rules import is_environment
from vetgate.source.shell.scope import is_secret_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HIDDEN = "[hidden value of a .env file]"
_ASSIGNED = expression(
    r"(?m)^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.]{0,100})[ \t]*[=:][ \t]*(\"[^\"\n]*\"|'[^'\n]*'|[^\n]*)$"
)
_COMMENT = expression(r"[ \t]#.*$")
# What stands in the settings of any program, and in its code as well: an address without a password, a path, a version.
_ORDINARY = expression(
    r"(?i)https?://[^@\s]*|[\w.-]+:\d{1,5}|[./~].*|v?\d[\d.,_-]*|true|false|null|none|(?:local|dev|prod|test|stag)\w*"
)
_LEAST_NAMED, _LEAST = 4, 8
_MOST_DEPTH, _MOST_ENTRIES, _MOST_FILES, _MOST_BYTES, _MOST_VALUES = 3, 4_000, 40, 65_536, 500
_NEVER_ENTERED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__"})


class EnvironmentValues:
    """Of one project, read once."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def hidden_in(self, text: str) -> str:
        return self._any.sub(HIDDEN, text) if self._any is not None else text

    @cached_property
    def _any(self) -> re.Pattern[str] | None:
        values = {value for path in _environment_files(str(self._root)) for value in _values(lenient_text(path))}
        longest_first = sorted(values, key=len, reverse=True)[:_MOST_VALUES]
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)") if values else None


def _environment_files(root: str) -> Iterator[str]:
    """The few that lie near the top, links and hard links included."""
    pending, seen, found = [(root, 0)], 0, 0
    while pending:
        folder, depth = pending.pop(0)
        try:
            entries = sorted(os.scandir(folder), key=lambda each: each.name)
        except OSError:
            continue
        for entry in entries:
            seen += 1
            if seen > _MOST_ENTRIES or found >= _MOST_FILES:
                return
            if is_environment(entry.name):
                found += 1
                yield entry.path
            elif depth < _MOST_DEPTH and entry.name not in _NEVER_ENTERED and entry.is_dir(follow_symlinks=False):
                pending.append((entry.path, depth + 1))


def lenient_text(path: str | Path, most: int = _MOST_BYTES) -> str:
    """As programs read such a file: whatever bytes are in it. Nothing where there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return os.read(descriptor, most).decode("utf-8", "replace") if is_file else ""
    except OSError:
        return ""
    finally:
        os.close(descriptor)


def _values(text: str) -> Iterator[str]:
    for found in _ASSIGNED.finditer(text.replace("\r\n", "\n")):
        name, value = found[1], found[2].strip()
        value = value[1:-1] if value[:1] in ("'", '"') else _COMMENT.sub("", value).strip()
        if _is_worth_hiding(name, value):
            yield value


def _is_worth_hiding(name: str, value: str) -> bool:
    """Everything whose name says secret; else what is no ordinary setting."""
    if _ORDINARY.fullmatch(value):
        return False
    if is_secret_name(name):
        return len(value) >= _LEAST_NAMED
    is_mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return len(value) >= _LEAST and (is_mixed or " " in value)
