"""Passwords in addresses (`scheme://user:password@host`) and in connection strings."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets.match import SecretMatch
from vetgate.checks.secrets.values import has_run, is_code, looked_up, looks_random, stands_in

if TYPE_CHECKING:
    from collections.abc import Iterator

DATABASE, URL = "database-url", "url-password"
_DATABASES = re.compile(
    r"(?:jdbc:)?(?:postgres|postgresql|mysql|mysqlx|mariadb|mongodb|redis|rediss|valkey|amqp|amqps|mssql|sqlserver|oracle|"
    r"cockroachdb|cockroach|clickhouse|cassandra|neo4j|neo4js|bolt|couchbase|couchdb|influxdb|db2|snowflake|redshift|"
    r"kafka|nats|memcached|tidb|vitess|timescaledb|libsql|hana|firebird|sybase|vertica|trino|presto)(?:\+[a-z0-9_]+)?",
    re.IGNORECASE,
)
_SCHEME = re.compile(rb"[A-Za-z][A-Za-z0-9+.:-]{1,30}$")
_AUTHORITY = re.compile(rb"""([^\s"'`<>/?#@:\\,|]{0,100}):([^\s"'`<>/?#\\|]{3,200})@([A-Za-z0-9_.${}\[\]:-]{1,200})""")
# `user:password@host:27017,user:password@other:27017`: the first of several hosts.
_OF_SEVERAL = re.compile(
    rb"""([^\s"'`<>/?#@:\\,|]{0,100}):([^\s"'`<>/?#\\|@]{1,200})@([A-Za-z0-9_.${}-]{1,200}:[0-9]{2,5})(?=[,;])"""
)
_TRIVIAL = frozenset(
    "password passwd pass pwd secret test tests testing admin root guest user username postgres postgresql mysql "
    "mongo mongodb redis rabbitmq db database dev local localhost example changeit letmein welcome default token key "
    "foo bar baz pw p passw0rd password1 password123 pass123 secret123 admin123 root123 test123 123456 1234 12345 "
    "12345678 123 abc abc123 xxx qwerty hunter2 my port mypass mypwd mypassword mysecret yourpassword your_password "
    "supersecret userpass dbpass dbpassword db_password postgrespw prisma sa wordpress minioadmin elastic changeme "
    "neo4j clickhouse airflow kong keycloak git tiger opensesame".split()
)
_WRITTEN = re.compile(r"\[.*\]|.*\[\^[^\]]{1,9}\].*|\{.*\}|[A-Z]+(?:_[A-Z]+)+")
_SPELLED = re.compile(r"[a-z]+_(?:[a-z]+_)*(?:key|secret|password|token)|[A-Za-z]{2,30}(?:Key|Secret|Password|Token)")
_SHOWN_HOSTS = re.compile(
    r"(?:.*\.)?(?:example(?:\.\w+)?|invalid|test|localdomain)|(?:test\.)?host(?:name)?|server|domain(?:\.com)?|my.*host|my[a-z]*host\.\w+|your.*"
)
# Letters by their numbers, as an address has signs; not `%NAME%`.
_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2}|[\w.~-])+")
_LOCAL = re.compile(
    r"localhost|127\.0\.0\.1|0\.0\.0\.0|\[?::1\]?|host\.docker\.internal|[a-z0-9_-]+|192\.168\..*|10\..*"
)


def addresses(data: bytes) -> Iterator[SecretMatch]:
    place = data.find(b"://")
    while place >= 0:
        match = _address(data, place)
        if match is not None:
            yield match
        place = data.find(b"://", place + 3)


def _address(data: bytes, place: int) -> SecretMatch | None:
    found = _OF_SEVERAL.match(data, place + 3) or _AUTHORITY.match(data, place + 3)
    scheme = _SCHEME.search(data[max(0, place - 31) : place])
    if found is None or scheme is None:
        return None
    user, password, host = (part.decode("utf-8", "replace") for part in found.groups())
    if is_made_up(user, password, host):
        return None
    name = scheme[0].decode("ascii")
    rule = DATABASE if _DATABASES.fullmatch(name) else URL
    return SecretMatch(rule, password, *found.span(2), what=name)


def is_trivial(password: str) -> bool:
    return password.lower() in _TRIVIAL


def is_trivial_login(header: str) -> bool:
    """`Basic` with a user and a password that everybody writes down."""
    scheme, _, encoded = header.partition(" ")
    if scheme.lower() != "basic":
        return False
    try:
        user, colon, password = (
            base64.b64decode(encoded, validate=True).decode("utf-8", "replace").strip().partition(":")
        )
    except (ValueError, binascii.Error):
        return False
    return bool(colon) and is_made_up(user, password, "h.io")


def is_made_up(user: str, password: str, host: str) -> bool:
    low = password.lower()
    # `user[:password]@host`, `[[user]:[password]]@host` and `USER_NAME:SAS_KEY@host` say how an address is written.
    if user.endswith("[") or _WRITTEN.fullmatch(password) or _SPELLED.fullmatch(password):
        return True
    if "@" in password and is_trivial(password.partition("@")[0]):
        return True
    if low in _TRIVIAL or low == user.lower() or len(password) < 4 or low.strip("*x.-") == "":
        return True
    if looked_up(password) or looked_up(host) or "%s" in password or password.startswith((":", "$")):
        return True
    if password.startswith("%") and not _ENCODED.fullmatch(password):
        return True
    place = host.partition(":")[0].lower()
    if password.isalpha() and password.islower() and _LOCAL.fullmatch(place):
        return True
    return (
        bool(_SHOWN_HOSTS.fullmatch(place))
        or stands_in(password)
        or has_run(password, 3)
        or low in {f"{user}pass", f"{user}password"}
        or (user.lower() == "scott" and low.startswith("tiger"))  # of every manual since the seventies
    )


_PASSWORD = re.compile(
    rb"(?i)\b(?:(?:password|passwd|pwd)|(?P<key>secret|accesskey|authkey|apikey|sharedsecret))\s?=\s?"
    rb"(?P<value>[^;,\s\"'&<>]{3,128})"
)
# `params.password`, as it stands in minified code and in the map of a source.
_MEMBER = re.compile(r"(?i)[a-z_$][\w$]*(?:\.[a-z_$][\w$]*)*\.(?:password|passwd|pwd|secret|\w{0,12}key)")
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
            and not _MEMBER.fullmatch(value)
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
