"""Secrets that only their use tells: behind `Bearer`, in a query, as an option of a command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets.commands import any_command_stands_in, in_commands
from vetgate.checks.secrets.match import Pair, SecretMatch
from vetgate.checks.secrets.named_values import BARS, is_no_secret, secret_match
from vetgate.checks.secrets.names import SECRET
from vetgate.checks.secrets.values import looks_random

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEARER = re.compile(rb"(?i)\b(?:bearer|token|apikey)[ \t]{1,4}([A-Za-z0-9._~+/=-]{20,600})")
_QUERY = re.compile(
    rb"(?i)[?&](api[_-]?key|access[_-]?token|auth[_-]?token|token|secret|client[_-]?secret|access[_-]?key|private[_-]?key|"
    rb"password|passwd|appid|subscription-key)=([^&\s\"'<>`#;)\\]{8,300})"
)


def used(data: bytes) -> Iterator[SecretMatch]:
    yield from _behind_a_scheme(data)
    if b"=" in data and (b"?" in data or b"&" in data):
        yield from _in_queries(data)
    yield from in_commands(data)


def may_be_used(data: bytes) -> bool:
    """Whether a line of it may hold one; all but a command is told by the line alone."""
    if any_command_stands_in(data):
        return True
    return any(True for _ in _behind_a_scheme(data)) or _QUERY.search(data) is not None


def _behind_a_scheme(data: bytes) -> Iterator[SecretMatch]:
    if not any(hint in data for hint in (b"earer ", b"EARER ", b"oken ", b"pikey ", b"piKey ")):
        return
    for found in _BEARER.finditer(data):
        value = found[1].decode("ascii").rstrip(".")
        # A JSON Web Token is judged by what it says, and not here.
        if not value.startswith("eyJ") and looks_random(value) and not is_no_secret("", value):
            yield SecretMatch(
                SECRET, value, found.start(1), found.start(1) + len(value), name="Authorization", confidence=0.7
            )


def _in_queries(data: bytes) -> Iterator[SecretMatch]:
    for found in _QUERY.finditer(data):
        pair = Pair(found[1].decode("ascii"), found[2].decode("utf-8", "replace"), found.start(2), found.end(2))
        match = secret_match(pair, BARS["high"])
        if match is not None:
            yield match
