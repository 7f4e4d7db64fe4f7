"""What the structure of a token says about it: real beyond doubt, no secret at all, or nothing."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

REAL, NO_SECRET, UNKNOWN = "real", "no secret", ""
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
# A token without any of these opens nothing: it was made to show what one looks like.
_CLAIMS = frozenset(
    "exp iat nbf iss sub aud jti sid uid user user_id userId email role roles scope scopes azp client_id".split()
)
_CHECKED, _SUM = 30, 6


def verdict(proof: str, token: str) -> str:
    test = _TESTS.get(proof)
    return test(token) if test else UNKNOWN


def _crc32(token: str) -> str:
    """The last six characters are the checksum of the thirty before; made-up ones do not fit, but may stand for one."""
    body = token.rpartition("_")[2]
    if len(body) != _CHECKED + _SUM:
        return UNKNOWN
    return REAL if base62(zlib.crc32(body[:_CHECKED].encode())) == body[_CHECKED:] else UNKNOWN


def base62(number: int) -> str:
    digits = ""
    while number:
        number, rest = divmod(number, 62)
        digits = _BASE62[rest] + digits
    return digits.rjust(_SUM, "0")


def _jwt(token: str) -> str:
    header, payload = (_json(part) for part in token.split(".")[:2])
    if not isinstance(header, dict) or "alg" not in header or not isinstance(payload, dict):
        return NO_SECRET
    if not payload.keys() & _CLAIMS:
        return NO_SECRET
    anybody = payload.get("role") == "anon" or payload.get("sub") == "1234567890" or payload.get("name") == "John Doe"
    return NO_SECRET if anybody or header["alg"] == "none" else UNKNOWN


def _json(part: str) -> Any:
    try:
        return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        return None


_TESTS: Mapping[str, Callable[[str], str]] = {"crc32-base62": _crc32, "jwt": _jwt}
