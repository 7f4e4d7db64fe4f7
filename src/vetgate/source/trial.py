"""Texts that a parser would not get through in time: suspected cheaply, then tried in a process that can be ended.

How long a parser takes to get over errors grows with the square of how many stand in a row: two kilobytes of `->` take
it a second, a megabyte days, and a call into it can be neither interrupted nor left. Code looks nothing like that.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import zlib
from hashlib import blake2b

from tree_sitter import Parser

from vetgate.fallback import ROOT, command, environment
from vetgate.source.language import grammar
from vetgate.source.recent_sets import RecentValues

_BLOCK = 1_024
_SUSPICIOUS_BLOCKS = 3
# Mostly signs, or the same again and again: so are tables of data, which is why suspicion alone decides nothing.
_SIGNS, _REPEATED = 0.5, 11
_NO_SIGNS = bytes(byte for byte in range(128) if chr(byte).isalnum()) + b"_ \t\r\n"
# Words in place of code take a parser seconds only from here on.
_LARGE = 200_000

_SECONDS = 1.0  # of a processor's time; a megabyte of code takes a third of that
_MOST_SECONDS = 2.5  # by the clock
_REMEMBERED = 64


def is_suspicious(data: bytes) -> bool:
    if len(data) > _LARGE:
        return True
    blocks = (data[start : start + _BLOCK] for start in range(0, len(data) - _BLOCK // 2, _BLOCK))
    return sum(map(_is_odd, blocks)) >= _SUSPICIOUS_BLOCKS


def _is_odd(block: bytes) -> bool:
    if len(block.translate(None, _NO_SIGNS)) > _SIGNS * len(block):
        return True
    return len(zlib.compress(block, 1)) * _REPEATED < len(block)


# The latest that were tried, by content: each is tried once.
_tried: RecentValues[bytes, bool] = RecentValues(_REMEMBERED)


def can_be_parsed(language: str, data: bytes) -> bool:
    """Whether a parser gets through in time; for the most part that can be told by looking at the text."""
    if not is_suspicious(data):
        return True
    key = blake2b(data, digest_size=16, person=language.encode()[:16]).digest()
    passed = _tried.get(key)
    if passed is None and (passed := _passes(language, data)) is not None:
        _tried.put(key, passed)
    return bool(passed)  # a busy machine says nothing of the text


def _passes(language: str, data: bytes) -> bool | None:
    """None where nobody can say: it could not be tried, or did not get the time it has."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(  # noqa: S603 - our own interpreter, our own program
            command("source.trial", language, str(_SECONDS)),
            input=data,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=environment(),
            timeout=_MOST_SECONDS,
            check=False,
        )
        return done.returncode == 0
    return None


def main() -> None:
    """In the child: it ends well, or is ended by the clock that counts its own time only."""
    language, seconds = sys.argv[2:4]
    data = sys.stdin.buffer.read()
    parser = Parser(grammar(language))
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, float(seconds))
    parser.parse(data)
