"""Base64 in a text, and what comes out of it."""

from __future__ import annotations

import base64
import binascii
import re

SHORTEST = 20
LONGEST = 16_384
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{18,}={0,2}")
# Of "-----BEGIN ", at each of the three places in a group of four letters.
PEM = (b"LS0tLS1CRUdJTi", b"0tLS0tQkVHSU4g", b"tLS0tLUJFR0lOI")


def decoded(text: str) -> bytes | None:
    """None where it is not base64, or nothing that anybody could read."""
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
