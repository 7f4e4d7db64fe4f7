"""Passwords in connection strings: settings in a row, as drivers of databases and queues take them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets.addresses import DATABASE, is_made_up
from vetgate.checks.secrets.match import Match
from vetgate.checks.secrets.values import is_code, looks_random

if TYPE_CHECKING:
    from collections.abc import Iterator

_PASSWORD = re.compile(
    rb"(?i)\b(?:(?:password|passwd|pwd)|(?P<key>secret|accesskey|authkey|apikey|sharedsecret))\s?=\s?"
    rb"(?P<value>[^;,\s\"'&<>]{3,128})"
)
_HINTS = (b"assw", b"ASSW", b"wd=", b"WD=", b"wd =", b"ecret=", b"key=", b"Key=")
_AROUND = 300
# `Server=db;Password=...`
_SERVER = re.compile(rb"(?i)\b(?:server|data source|host|user id|uid|initial catalog|database|endpoint)\s?=|jdbc:")
# `host=db user=shop password=...`
_WORD = re.compile(
    rb"(?:^|[\s\"'`])(?:host|hostaddr|port|user|dbname|sslmode|connect_timeout|application_name)="
    rb"[^\s\"'`=(),;]{1,100}(?=$|[\s\"'`])"
)
# `cache:6380,password=...`
_CACHE = re.compile(rb"[A-Za-z0-9_.-]{3,100}:[0-9]{2,5},(?:[A-Za-z]{2,30}=[^,\s=\"'`(]{1,60},){0,6}$")

# `jdbc:mysql://db/shop?user=shop&password=...`
_QUERY = re.compile(rb"jdbc:[a-z0-9:]{2,40}//[^\s\"'`]{1,250}[?&]$")


def connection_strings(data: bytes) -> Iterator[Match]:
    if not any(hint in data for hint in _HINTS):
        return
    for found in _PASSWORD.finditer(data):
        value = found["value"].decode("utf-8", "replace")
        if (
            _is_in_row(data, found)
            and not is_code(value)
            and not is_made_up("", value, "db")
            and (not found["key"] or looks_random(value))
        ):
            yield Match(DATABASE, value, *found.span("value"), what="connection string")


def _is_in_row(data: bytes, found: re.Match[bytes]) -> bool:
    before = data[max(0, found.start() - _AROUND) : found.start()].rpartition(b"\n")[2]
    line = before + found[0] + data[found.end() : found.end() + _AROUND].partition(b"\n")[0]
    if b";" in line and _SERVER.search(line):
        return True
    return len(_WORD.findall(line)) >= 2 or bool(_CACHE.search(before) or _QUERY.search(before))
