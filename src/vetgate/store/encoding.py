"""Values as they are kept: text without secrets, JSON in one form, files that only their owner can read."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from vetgate.redact import redacted

if TYPE_CHECKING:
    from pathlib import Path


def encoded(value: object) -> str:
    # ASCII, so that lone surrogates from a payload are text like any other.
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def plain(text: str) -> str:
    """As it is kept, and found again: a name may hold a secret like any other text."""
    return redacted(text.encode("utf-8", "backslashreplace").decode())


def write(path: Path, text: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(text.encode("utf-8", "surrogateescape"))
