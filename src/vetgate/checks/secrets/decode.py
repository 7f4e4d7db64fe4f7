"""Base64 and hexadecimal in a text, and what comes out of them."""

from __future__ import annotations

import base64
import binascii
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from vetgate.checks.secrets.linear import compiled, re2

if TYPE_CHECKING:
    from collections.abc import Iterator

SHORTEST = 20
LONGEST = 16_384
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{18,}={0,2}")
_RUN = rb"[A-Za-z0-9+/_-]{24,}={0,2}"
_REST = re.compile(rb"[A-Za-z0-9+/_=-]{20,16000}")
_HEX = re.compile(rb"[0-9a-fA-F]{20,}")
_HEAD = 16
_GROUP = 4
# Of "-----BEGIN ", at each of the three places in a group of four letters.
_PEM = (b"LS0tLS1CRUdJTi", b"0tLS0tQkVHSU4g", b"tLS0tLUJFR0lOI")


@cache
def _runs(engine: Any) -> Any:
    return compiled(_RUN, engine)


def encoded(data: bytes) -> Iterator[re.Match[bytes]]:
    """What may be base64 of a text: its first letters are, or a key as a kubeconfig holds it begins somewhere in it."""
    for found in _runs(re2()).finditer(data):
        if _begins_readable(found[0][:_HEAD]) or _unhexed(found[0][: 2 * _HEAD]):
            yield found
    for mark in _PEM:
        yield from _from_mark(data, mark)


def _from_mark(data: bytes, mark: bytes) -> Iterator[re.Match[bytes]]:
    """What was decoded along with an earlier mark, in groups that fall together with its own, is not decoded again."""
    behind = [0] * _GROUP
    place = data.find(mark)
    while place >= 0:
        rest = _REST.match(data, place) if place >= behind[place % _GROUP] else None
        if rest is not None:
            behind[place % _GROUP] = rest.end()
            yield rest
        place = data.find(mark, place + len(mark))


def _begins_readable(head: bytes) -> bool:
    first = binascii.a2b_base64(head.replace(b"-", b"+").replace(b"_", b"/"))
    return all(32 <= byte < 127 or byte in {9, 10, 13} for byte in first)


def _unhexed(text: bytes) -> bytes:
    """A hash is never all letters and signs; a text that somebody wrote in hexadecimal is."""
    digits = text.removeprefix(b"0x")
    digits = digits[: len(digits) // 2 * 2]
    if not _HEX.fullmatch(digits):
        return b""
    plain = binascii.unhexlify(digits)
    return plain if all(32 <= byte < 127 for byte in plain) else b""


def is_hex(text: str) -> bool:
    return text.isascii() and bool(_unhexed(text.encode("ascii")))


def decoded(text: str) -> bytes | None:
    """None where it is neither, or nothing that anybody could read."""
    if SHORTEST <= len(text) <= LONGEST and is_hex(text):
        return _unhexed(text.encode("ascii"))
    if not SHORTEST <= len(text) <= LONGEST or not _BASE64.fullmatch(text):
        return None
    plain = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        data = base64.b64decode(plain + "=" * (-len(plain) % 4))
    except (ValueError, binascii.Error):
        return None
    return data if _is_readable(data) else None


def _is_readable(data: bytes) -> bool:
    """Chance gives bytes of all kinds; secrets are written in letters, digits and signs."""
    head = data[:256]
    readable = sum(32 <= byte < 127 or byte in {9, 10, 13} for byte in head)
    return bool(head) and readable >= 0.95 * len(head)
