"""Tokens that say what they are, by how they begin or by a mark inside, also in disguise; what their shape proves."""

from __future__ import annotations

import base64
import binascii
import json
import re
import time
import zlib
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from vetgate.checks.secrets.linear import any_of, compiled, hits, re2
from vetgate.checks.secrets.match import SecretMatch
from vetgate.checks.secrets.token_kinds import anchored, by_start, bytes_pattern
from vetgate.checks.secrets.values import entropy, is_filled, reads_as_words, stands_in
from vetgate.source.text_diff import LineCache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from vetgate.checks.secrets.token_kinds import TokenKind

REAL, NO_SECRET, UNKNOWN = "real", "no secret", ""
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
# A token without any of these opens nothing: it was made to show what one looks like.
_CLAIMS = frozenset(
    "exp iat nbf iss sub aud jti sid uid user user_id userId email role roles scope scopes azp client_id".split()
)
_CHECKED, _SUM = 30, 6
_FORGOTTEN = 30 * 24 * 3600


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
    header, payload = (_json(part) for part in token.split(".", 2)[:2])
    if not isinstance(header, dict) or "alg" not in header or not isinstance(payload, dict):
        return NO_SECRET
    if not payload.keys() & _CLAIMS:
        return NO_SECRET
    ends = payload.get("exp")
    if isinstance(ends, int | float) and ends < time.time() - _FORGOTTEN:
        return NO_SECRET  # it has opened nothing for long
    shown = payload.get("sub") == "1234567890" or payload.get("name") == "John Doe" or "foo" in payload
    anybody = shown or payload.get("role") == "anon"
    return NO_SECRET if anybody or header["alg"] == "none" else UNKNOWN


def is_spent_jwt(text: str) -> bool:
    """A JSON Web Token, whole or cut off, that opens nothing; its contents say so."""
    return text.startswith("eyJ") and "." in text and _jwt(text) == NO_SECRET


def _json(part: str) -> Any:
    try:
        return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        return None


_TESTS: Mapping[str, Callable[[str], str]] = {"crc32-base62": _crc32, "jwt": _jwt}


VENDOR = "vendor-token"
_WORD = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_ESCAPES = frozenset(b"nrtbf0")
_OF_BASE64, _BASE64, _INSIDE = frozenset(b"+/"), re.compile(rb"[A-Za-z0-9+/]{80}"), 80
_BACKSLASH = ord("\\")
_AROUND = 200


@cache
def _begins(engine: Any) -> Any:
    # Behind a word only where that is an escape, as in "\nAKIA".
    texts = any_of(by_start())
    return compiled(rb"(?:\b|\\[nrtbf0])" + texts, engine)


def tokens(data: bytes, engine: Any = ...) -> Iterator[SecretMatch]:
    """Every place is tried once, and no try reaches further than its pattern is wide."""
    engine = re2() if engine is ... else engine
    yield from _begun(data, engine)
    for place, kind in _anchors(data, engine):
        match = _around(data, place, kind)
        if match is not None:
            yield match


def _begun(data: bytes, engine: Any) -> Iterator[SecretMatch]:
    behind = 0
    for first, end in hits(_begins(None), _begins(engine), data):
        start = first + 2 if data[first] == _BACKSLASH else first
        if start < behind or _any_of_them(data[start:end])(data, start) is None:
            continue
        for kind in _candidates(data[start:end]):
            match = _tried(data, start, kind)
            if match is not None:
                behind = match.end
                yield match
                break


@cache
def _candidates(start: bytes) -> tuple[TokenKind, ...]:
    same = (kinds for begins, kinds in by_start().items() if begins.startswith(start))
    # The longest beginning says most: `sk-ant-` before `sk-`.
    unique = {kind.id: kind for kinds in same for kind in kinds}
    return tuple(sorted(unique.values(), key=lambda kind: -max(map(len, kind.starts))))


@cache
def _any_of_them(start: bytes) -> Callable[[bytes, int], re.Match[bytes] | None]:
    """Nine kinds begin with `sk-`; mostly it is none of them."""
    return bytes_pattern("|".join(f"(?:{kind.pattern})" for kind in _candidates(start))).match


def _anchors(data: bytes, engine: Any) -> Iterator[tuple[int, TokenKind]]:
    if engine is not None:
        of = dict(anchored())
        for found in _anywhere(engine).finditer(data):
            yield found.start(), of[found[0]]
        return
    for anchor, kind in anchored():  # two dozen plain searches are quicker than Python's own expressions
        place = data.find(anchor)
        while place >= 0:
            yield place, kind
            place = data.find(anchor, place + len(anchor))


@cache
def _anywhere(engine: Any) -> Any:
    return compiled(any_of(anchor for anchor, _ in anchored()), engine)


def _around(data: bytes, place: int, kind: TokenKind) -> SecretMatch | None:
    tries = (_tried(data, place - back, kind) for back in kind.back if place >= back)
    return next((match for match in tries if match is not None), None)


def _tried(data: bytes, start: int, kind: TokenKind) -> SecretMatch | None:
    found = bytes_pattern(kind.pattern).match(data, start)
    if found is None or not _stands_alone(data, found):
        return None
    if kind.nearby and not _is_near(data, found, kind):
        return None
    token = found[0].decode("ascii")
    secret = token.rpartition(kind.value_after)[2] if kind.value_after else token
    proof = verdict(kind.proof, token)
    if proof == NO_SECRET or (proof != REAL and is_made_up(token, secret, kind)):
        return None
    skipped = len(token) - len(secret)
    return SecretMatch(VENDOR, secret, start + skipped, found.end(), kind, confidence=1.0 if proof == REAL else 0.9)


@lru_cache(maxsize=512)
def is_made_up(token: str, secret: str, kind: TokenKind) -> bool:
    body = secret[_start_length(token, kind) :] if not kind.value_after else secret
    # Two dozen letters of chance hold short words, so only the long ones count in a long token.
    return stands_in_token(body) or entropy(body) < kind.entropy or _is_a_name(body)


def _is_a_name(body: str) -> bool:
    """`test_TheThingThatWasMeantByThisName` begins like a token, too."""
    letters = body.replace("-", "").replace("_", "")  # of options, too, that are joined: `--md`, `--all-commits`
    return letters.isalpha() and not body.isupper() and reads_as_words(body)


def stands_in_token(body: str) -> bool:
    return is_filled(body) if len(body) > 100 else stands_in(body)


def _start_length(token: str, kind: TokenKind) -> int:
    return max((len(start) for start in kind.starts if token.startswith(start)), default=0)


def _stands_alone(data: bytes, found: re.Match[bytes]) -> bool:
    start, end = found.span()
    if start and data[start - 1] in _OF_BASE64 and _BASE64.fullmatch(data, max(0, start - _INSIDE), start):
        return False  # in the middle of a picture or another file in base64
    if end < len(data) and data[end] in _WORD and data[end - 1] in _WORD:
        return False
    if start == 0 or data[start - 1] not in _WORD or data[start] not in _WORD:
        return True
    return start > 1 and data[start - 2] == _BACKSLASH and data[start - 1] in _ESCAPES


def _is_near(data: bytes, found: re.Match[bytes], kind: TokenKind) -> bool:
    around = data[max(0, found.start() - _AROUND) : found.end() + _AROUND]
    return any(word.encode() in around for word in kind.nearby)


def any_token_begins(data: bytes) -> bool:
    """Whatever else there has to be for one, in the line or near it."""
    engine = re2()
    return bool(_begins(engine).search(data)) or any(True for _ in _anchors(data, engine))


AS_NUMBERS = "written as numbers"
_NUMBER = rb"(?:0x[2-7][0-9a-fA-F]|3[2-9]|[4-9][0-9]|1[01][0-9]|12[0-6])"
_RUN = re.compile(rb"(?<![\w.])(?:" + _NUMBER + rb"\s{0,40},\s{0,40}){11,4000}+" + _NUMBER + rb"(?![\w.])")
_SOME = re.compile(rb"(?:" + _NUMBER + rb"[ \t]{0,4},[ \t]{0,4}){5}")
_EACH = re.compile(rb"[0-9a-fA-Fx]+")


def find_as_numbers(data: bytes) -> Iterator[SecretMatch]:
    for found in _RUN.finditer(data) if may_be_numbers(data) else ():
        letters = bytes(int(number, 0) for number in _EACH.findall(found[0]))
        for match in tokens(letters):
            yield replace(match, start=found.start(), end=found.end(), how=AS_NUMBERS)


def may_be_numbers(data: bytes) -> bool:
    return _SOME.search(data) is not None


BACKWARDS = "written backwards"
_TURNS = re.compile(rb"\[::-1\]|\b(?:[rR]everse[dD]?|strrev|StrReverse)\b|\.rev\(|\|[ \t]{0,4}rev\b")
_HINTS = (b"[::-1]", b"everse", b"rev")
_REVERSED_RUN = re.compile(rb"[A-Za-z0-9+/=_.-]{16,300}")
_BEFORE, _AFTER = 400, 400


def find_reversed(data: bytes) -> Iterator[SecretMatch]:
    """What stands around a word that turns something around, read from its end; each place once."""
    turns = ((start, found) for start, line in TURNED_LINES.holding(data) for found in _TURNS.finditer(line))
    behind = 0
    for start, found in turns:
        if start + found.end() <= behind:
            continue
        first, behind = max(behind, start + found.start() - _BEFORE), start + found.end() + _AFTER
        for run in _REVERSED_RUN.finditer(data, first, behind):
            for match in tokens(run[0][::-1]):
                yield replace(match, start=run.start(), end=run.end(), how=BACKWARDS)


def _may_be_reversed(data: bytes) -> bool:
    return any(hint in data for hint in _HINTS) and _TURNS.search(data) is not None


TURNED_LINES = LineCache(_may_be_reversed, b"\n")
