"""What a Kubernetes manifest of a Secret holds: base64, which hides nothing, or plain text."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets.connections import is_trivial
from vetgate.checks.secrets.match import SecretMatch
from vetgate.checks.secrets.names import SECRET, words
from vetgate.checks.secrets.values import looked_up, stands_in

if TYPE_CHECKING:
    from collections.abc import Iterator

_KIND = re.compile(rb"(?mi)^[ \t]{0,8}(?:-[ \t]{1,4})?kind:[ \t]{0,8}[\"']?secret[\"']?[ \t]{0,8}\r?$")
_DOCUMENT = re.compile(rb"(?m)^---")
_DATA = re.compile(rb"(?m)^(?P<indent>[ \t]{0,16})(?P<which>data|stringData):[ \t]{0,8}\r?\n")
_ENTRY = re.compile(
    rb"[ \t]{1,24}(?P<name>[\w.\-]{1,100}):[ \t]{0,8}(?:[|>][-+]?[ \t]{0,8}\r?\n[ \t]{1,24})?"
    rb"[\"']?(?P<value>[A-Za-z0-9+/=_.!@#%^*-]{8,4000})[\"']?[ \t]{0,8}\r?(?:\n|$)"
)
_OTHER_LINE = re.compile(rb"(?:[ \t]{1,24}[^\n]{0,4000}|[ \t]{0,24}\r?)\n")
_PUBLIC = ("-----BEGIN CERTIFICATE", "-----BEGIN PUBLIC", "ssh-")
_NO_SECRET = frozenset("user username login email host hostname url uri port name namespace region cert crt ca".split())
_SHORTEST = 6


def in_manifests(data: bytes) -> Iterator[SecretMatch]:
    if b"kind:" not in data or not _KIND.search(data):
        return
    first = 0
    for end in [*(cut.start() for cut in _DOCUMENT.finditer(data)), len(data)]:
        if _KIND.search(data, first, end):
            for block in _DATA.finditer(data, first, end):
                yield from _entries(data, block.end(), end, plain=block["which"] == b"stringData")
        first = end


def _entries(data: bytes, place: int, end: int, *, plain: bool) -> Iterator[SecretMatch]:
    while place < end:
        found = _ENTRY.match(data, place, end)
        if found is None:
            other = _OTHER_LINE.match(data, place, end)
            if other is None:
                return
            place = other.end()
            continue
        place = found.end()
        name, value = found["name"].decode("ascii"), found["value"].decode("ascii")
        if _is_secret(name, value if plain else _decoded(value)):
            yield SecretMatch(SECRET, value, *found.span("value"), name=name, confidence=0.8)


def _is_secret(name: str, value: str) -> bool:
    if len(value) < _SHORTEST or stands_in(value) or looked_up(value) or is_trivial(value):
        return False
    return not value.startswith(_PUBLIC) and _NO_SECRET.isdisjoint(words(name)[-1:])


def _decoded(value: str) -> str:
    try:
        return base64.b64decode(value, validate=True).decode("utf-8", "replace").strip()
    except (ValueError, binascii.Error):
        return ""
