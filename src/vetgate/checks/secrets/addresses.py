"""Passwords in addresses: `scheme://user:password@host`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets.match import SecretMatch
from vetgate.checks.secrets.values import has_run, looked_up, stands_in

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
_TRIVIAL = frozenset(
    "password passwd pass pwd secret test tests testing admin root guest user username postgres postgresql mysql "
    "mongo mongodb redis rabbitmq db database dev local localhost example changeit letmein welcome default token key "
    "foo bar baz pw p passw0rd password1 password123 pass123 secret123 admin123 root123 test123 123456 1234 12345 "
    "12345678 123 abc abc123 xxx qwerty hunter2 my mypass mypassword mysecret yourpassword your_password userpass "
    "dbpass dbpassword db_password postgrespw prisma sa wordpress minioadmin elastic changeme neo4j clickhouse "
    "airflow kong keycloak git tiger opensesame".split()
)
_SHOWN_HOSTS = re.compile(
    r"(?:.*\.)?(?:example(?:\.\w+)?|invalid|test|localdomain)|(?:test\.)?host(?:name)?|server|domain(?:\.com)?|my.*host|your.*"
)
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
    found = _AUTHORITY.match(data, place + 3)
    scheme = _SCHEME.search(data[max(0, place - 31) : place])
    if found is None or scheme is None:
        return None
    user, password, host = (part.decode("utf-8", "replace") for part in found.groups())
    if is_made_up(user, password, host):
        return None
    name = scheme[0].decode("ascii")
    rule = DATABASE if _DATABASES.fullmatch(name) else URL
    return SecretMatch(rule, password, *found.span(2), what=name)


def is_made_up(user: str, password: str, host: str) -> bool:
    low = password.lower()
    if user.endswith("["):  # user[:password]@host says how an address is written
        return True
    if low in _TRIVIAL or low == user.lower() or len(password) < 4 or low.strip("*x.-") == "":
        return True
    if looked_up(password) or looked_up(host) or "%s" in password or password.startswith((":", "$", "%")):
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
