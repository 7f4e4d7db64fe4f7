"""Private keys: PEM of every kind, PGP, PuTTY, bare PKCS#8 and JSON Web Keys."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets.match import SecretMatch
from vetgate.checks.secrets.values import entropy, is_known_sample, stands_in

if TYPE_CHECKING:
    from collections.abc import Iterator

PRIVATE, ENCRYPTED = "private-key", "encrypted-private-key"
_BEGIN = b"---- BEGIN ", b"-----BEGIN "
_LABEL = re.compile(rb"----[- ]BEGIN ((?:[A-Z0-9]{2,12} ){0,4}PRIVATE KEY(?: BLOCK)?)[- ]----")
_END = re.compile(rb"----[- ](?:END|BEGIN)")
_LONGEST = 20_000
_SHORTEST = 24
# Line ends as they stand in files, in literals, between concatenated literals and in comments.
_BETWEEN = re.compile(r"\\[nr]|[\s\"'`+\\,.;|>()#*%!]+")
_HEADERS = re.compile(r"(?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset)\s?:[^\n\\]{0,120}(?:\n|\\n)")
_BASE64 = re.compile(r"[A-Za-z0-9+/=_-]{16,}")
# What stands first in one piece: no name of a function that makes the rest, no word of a sentence.
_FIRST_PIECE = re.compile(r"[A-Za-z0-9+/=]{16,}(?![A-Za-z0-9_(])")
_PUTTY = b"PuTTY-User-Key-File-"
_PUTTY_LINES = re.compile(rb"Private-Lines: ?\d{1,3}(?:\r?\n|\\n)((?:[A-Za-z0-9+/=]{1,80}(?:\r?\n|\\n)?){1,120})")
_PKCS8 = re.compile(rb"MII[A-Za-z0-9+/]{2,6}IBADA[A-Za-z0-9+/]{60,4000}={0,2}")
_JWK = re.compile(rb"""["']?\bd["']?\s{0,8}:\s{0,8}["']([A-Za-z0-9_-]{40,900})["']""")
_AROUND = 3_000


_CUT_OFF = re.compile(r"[A-Za-z0-9+/=]\s*(?:\.\.\.|…)")
_WHOLE = 60


def keys(data: bytes) -> Iterator[SecretMatch]:
    yield from _pem(data)
    if _PUTTY in data:
        yield from _putty(data)
    if b"IBADA" in data:
        yield from _bare(data)
    if b'kty"' in data or b"kty'" in data:
        yield from _json_web_keys(data)


def any_key_begins(data: bytes) -> bool:
    return any(mark in data for mark in (*_BEGIN, _PUTTY, b"IBADA", b'kty"', b"kty'"))


def _pem(data: bytes) -> Iterator[SecretMatch]:
    for begin in _BEGIN:
        place = data.find(begin)
        while place >= 0:
            found = _LABEL.match(data, place)
            match = _key_in(data, found) if found is not None else None
            if match is not None:
                yield match
            place = data.find(begin, place + len(begin))


def _key_in(data: bytes, found: re.Match[bytes]) -> SecretMatch | None:
    start = found.end()
    behind = _END.search(data, start, start + _LONGEST)
    end = behind.start() if behind else min(len(data), start + _LONGEST)
    text = data[start:end].decode("utf-8", "replace")
    body = _body(text)
    if len(body) < _SHORTEST or is_stand_in(body) or (len(body) < _WHOLE and _CUT_OFF.search(text)):
        return None
    label = found[1].decode("ascii")
    rule = ENCRYPTED if _is_encrypted(label, text, body) else PRIVATE
    lead = len(text) - len(text.lstrip("\r\n\\n "))
    return SecretMatch(rule, body, start + lead, end, confidence=1.0, what=label)


def _body(text: str) -> str:
    """The base64 of the key, without line ends, quotes and headers; empty when something else stands there."""
    bare = _HEADERS.sub("", text)
    lead = _BETWEEN.match(bare)
    if not _FIRST_PIECE.match(bare, lead.end() if lead else 0):
        return ""
    clean = _BETWEEN.sub("", bare)
    found = _BASE64.match(clean)
    return found[0] if found else ""


def is_stand_in(body: str) -> bool:
    head = body[:200]
    made_up = len(body) < 200 and stands_in(body)
    return made_up or is_known_sample(body[:64]) or entropy(head) < (3.0 if len(head) < 64 else 3.6)


def _is_encrypted(label: str, text: str, body: str) -> bool:
    if "ENCRYPTED" in label or "4,ENCRYPTED" in text[:400]:
        return True
    if not label.startswith("OPENSSH"):
        return False
    try:
        head = base64.b64decode(body[:120])
    except (ValueError, binascii.Error):
        return False
    return b"bcrypt" in head


def _putty(data: bytes) -> Iterator[SecretMatch]:
    for found in _PUTTY_LINES.finditer(data):
        body = _body(found[1].decode("ascii"))
        head = data[max(0, found.start() - _AROUND) : found.start()]
        rule = PRIVATE if b"Encryption: none" in head else ENCRYPTED
        if len(body) >= _SHORTEST and not is_stand_in(body):
            yield SecretMatch(rule, body, found.start(1), found.end(1), confidence=1.0, what="PuTTY PRIVATE KEY")


def _bare(data: bytes) -> Iterator[SecretMatch]:
    for found in _PKCS8.finditer(data):
        before = data[max(0, found.start() - 40) : found.start()]
        if b"PRIVATE KEY" not in before and not is_stand_in(found[0].decode("ascii")):
            yield SecretMatch(PRIVATE, found[0].decode("ascii"), *found.span(), what="PRIVATE KEY without its frame")


def _json_web_keys(data: bytes) -> Iterator[SecretMatch]:
    for found in _JWK.finditer(data):
        around = data[max(0, found.start() - _AROUND) : found.end() + _AROUND]
        value = found[1].decode("ascii")
        if b"kty" in around and not is_stand_in(value):
            yield SecretMatch(PRIVATE, value, *found.span(1), what="JSON Web Key")
