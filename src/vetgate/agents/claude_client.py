"""The version of the Claude Code that asks: its payloads do not say, the lines of its transcript do."""

from __future__ import annotations

import json
import os
import stat

from vetgate.expression import expression

_TAIL_BYTES = 128 << 10
_MOST_KNOWN = 64
_VERSION = expression(r"[0-9]{1,6}(\.[0-9A-Za-z-]{1,30}){1,5}")
_known: dict[str, str] = {}


def client_of(transcript: str) -> str:
    """By the newest line that says; "" where there is none yet."""
    if transcript not in _known:
        found = next(filter(None, map(_version, reversed(_tail(transcript)))), "")
        if not found:
            return ""
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[transcript] = found
    return _known[transcript]


def _tail(transcript: str) -> list[bytes]:
    try:
        # Whatever is named there: a pipe must not make us wait.
        descriptor = os.open(transcript, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return []
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            return []
        file.seek(max(0, status.st_size - _TAIL_BYTES))
        return file.read(_TAIL_BYTES).split(b"\n")


def _version(line: bytes) -> str:
    if b'"version"' not in line:
        return ""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    version = said.get("version") if isinstance(said, dict) else None
    return version if isinstance(version, str) and _VERSION.fullmatch(version) else ""
