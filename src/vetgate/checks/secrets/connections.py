"""Passwords in connection strings: settings in a row, as drivers of databases and queues take them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets.addresses import DATABASE, is_made_up
from vetgate.checks.secrets.match import SecretMatch
from vetgate.checks.secrets.values import is_code, looks_random

if TYPE_CHECKING:
    from collections.abc import Iterator

_PASSWORD = re.compile(
    rb"(?i)\b(?:(?:password|passwd|pwd)|(?P<key>secret|accesskey|authkey|apikey|sharedsecret))\s?=\s?"
    rb"(?P<value>[^;,\s\"'&<>]{3,128})"
)
_HINTS = (b"assw", b"ASSW", b"wd=", b"WD=", b"wd =", b"ecret=", b"key=", b"Key=")
_AROUND, _BLOCK = 300, 256
# `Server=db;Password=...`
_SERVER = re.compile(rb"(?i)\b(?:server|data source|host|user id|uid|initial catalog|database|endpoint)\s?=|jdbc:")
# `host=db user=shop password=...`
_WORD = re.compile(
    rb"(?:^|[\s\"'`])(?:host|hostaddr|port|user|dbname|sslmode|connect_timeout|application_name)="
    rb"[^\s\"'`=(),;]{1,100}(?=$|[\s\"'`])"
)
# `cache:6380,password=...`, with other settings in between
_CACHE = re.compile(rb"[A-Za-z0-9_.-]{3}:[0-9]{2,5}$")
_CACHE_SETTING = re.compile(rb"[A-Za-z]{2,30}=[^,\s=\"'`(]{1,60}")
_MOST_SETTINGS = 6
# `jdbc:mysql://db/shop?user=shop&password=...`
_QUERY = re.compile(rb"jdbc:[a-z0-9:]{2,40}//[^\s\"'`]{1,250}[?&]$")
_BREAKS = (b" ", b"\t", b"\r", b'"', b"'", b"`")


def connection_strings(data: bytes) -> Iterator[SecretMatch]:
    if not any(hint in data for hint in _HINTS):
        return
    rows = _Rows(data)
    for found in _PASSWORD.finditer(data):
        value = found["value"].decode("utf-8", "replace")
        if (
            not is_code(value)
            and not is_made_up("", value, "db")
            and (not found["key"] or looks_random(value))
            and (rows.hold(found.start(), found.end()) or _ends_row(data, found.start()))
        ):
            yield SecretMatch(DATABASE, value, *found.span("value"), what="connection string")


class _Rows:
    """Whether other settings of a connection stand around a place. Places near each other share what was seen."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._seen: tuple[int, int] = (0, 0)
        self._held = False

    def hold(self, start: int, end: int) -> bool:
        first = max(0, start - _AROUND) // _BLOCK * _BLOCK
        last = (end + _AROUND) // _BLOCK * _BLOCK + _BLOCK
        seen = max(first, self._data.rfind(b"\n", first, start) + 1), self._data.find(b"\n", end, last)
        seen = seen if seen[1] >= 0 else (seen[0], last)
        if seen != self._seen:
            self._seen, self._held = seen, _is_row(self._data[slice(*seen)])
        return self._held


def _is_row(line: bytes) -> bool:
    return (b";" in line and _SERVER.search(line) is not None) or len(_WORD.findall(line)) >= 2


def _ends_row(data: bytes, end: int) -> bool:
    """Whether what leads to the password is the address of a cache, or one with a query."""
    if data[end - 1 : end] not in {b",", b"?", b"&"}:
        return False
    before = data[max(0, end - _AROUND) : end].rpartition(b"\n")[2]
    before = before[max(before.rfind(sign) for sign in _BREAKS) + 1 :]
    if before.endswith(b","):
        return _is_cache(before)
    place = before.rfind(b"jdbc:")
    return place >= 0 and _QUERY.match(before, place) is not None


def _is_cache(before: bytes) -> bool:
    for part in reversed(before.rsplit(b",", _MOST_SETTINGS + 2)[-_MOST_SETTINGS - 2 : -1]):
        if _CACHE.search(part[-9:]):
            return True
        if not _CACHE_SETTING.fullmatch(part):
            return False
    return False
