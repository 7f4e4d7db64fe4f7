"""Secrets that only their use tells: behind `Bearer`, in a query, as an option of a command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets.addresses import is_made_up
from vetgate.checks.secrets.match import Match, Pair
from vetgate.checks.secrets.named import BARS, is_no_secret, secret_match
from vetgate.checks.secrets.names import SECRET
from vetgate.checks.secrets.values import looks_random

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEARER = re.compile(rb"(?i)\b(?:bearer|token|apikey)[ \t]{1,4}([A-Za-z0-9._~+/=-]{20,600})")
_QUERY = re.compile(
    rb"(?i)[?&](api[_-]?key|access[_-]?token|auth[_-]?token|token|secret|client[_-]?secret|access[_-]?key|private[_-]?key|"
    rb"password|passwd|appid|subscription-key)=([^&\s\"'<>`#;)\\]{8,300})"
)
_OPTIONS = (
    (b"curl", re.compile(rb"\bcurl\b[^\n|;]{0,300}?\s(?:-u|--user)[ =]?[\"']?([^\s:\"']{1,80}):([^\s\"']{4,120})")),
    (b"sshpass", re.compile(rb"\b(sshpass) -p ?[\"']?([^\s\"']{4,120})")),
    (b"mysql", re.compile(rb"\b(mysql(?:dump|admin)?)\b[^\n|;]{0,200}?\s-p([^\s\"'$]{4,120})")),
    (b"redis-cli", re.compile(rb"\b(redis-cli)\b[^\n|;]{0,200}?\s-a ?[\"']?([^\s\"'$]{4,120})")),
    (b"login", re.compile(rb"\b(login)\b[^\n|;]{0,200}?\s-p ?[\"']?([^\s\"'$]{8,200})")),
    (b"wget", re.compile(rb"\b(wget)\b[^\n|;]{0,200}?--(?:http-|ftp-)?password[ =][\"']?([^\s\"']{4,120})")),
)


def used(data: bytes) -> Iterator[Match]:
    yield from _behind_a_scheme(data)
    if b"=" in data and (b"?" in data or b"&" in data):
        yield from _in_queries(data)
    for word, expression in _OPTIONS:
        if word in data:
            yield from _in_options(data, expression)


def _behind_a_scheme(data: bytes) -> Iterator[Match]:
    if not any(hint in data for hint in (b"earer ", b"EARER ", b"oken ", b"pikey ", b"piKey ")):
        return
    for found in _BEARER.finditer(data):
        value = found[1].decode("ascii").rstrip(".")
        # A JSON Web Token is judged by what it says, and not here.
        if not value.startswith("eyJ") and looks_random(value) and not is_no_secret("", value):
            yield Match(
                SECRET, value, found.start(1), found.start(1) + len(value), name="Authorization", confidence=0.7
            )


def _in_queries(data: bytes) -> Iterator[Match]:
    for found in _QUERY.finditer(data):
        pair = Pair(found[1].decode("ascii"), found[2].decode("utf-8", "replace"), found.start(2), found.end(2))
        match = secret_match(pair, BARS["high"])
        if match is not None:
            yield match


def _in_options(data: bytes, expression: re.Pattern[bytes]) -> Iterator[Match]:
    for found in expression.finditer(data):
        user, password = (part.decode("utf-8", "replace") for part in found.groups())
        if not is_made_up(user, password, "h.io"):
            yield Match("password", password, found.start(2), found.end(2), name=user, confidence=0.7)
