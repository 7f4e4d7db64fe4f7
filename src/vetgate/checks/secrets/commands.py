"""Secrets that only their use tells: behind `Bearer`, in a query, and as commands take them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.checks.secrets.connections import is_made_up
from vetgate.checks.secrets.match import Pair, SecretMatch
from vetgate.checks.secrets.named_values import BARS, is_no_secret, secret_match
from vetgate.checks.secrets.names import SECRET
from vetgate.checks.secrets.values import classes, looks_random, reads_as_words
from vetgate.source.text_diff import LineCache

if TYPE_CHECKING:
    from collections.abc import Iterator

_VALUE = r"[\"']?(?P<value>[^\s\"'`$|;)]{6,120})"
_AS = r"(?P<user>[^\s:\"']{1,80})"
_ANYBODY = r"(?P<user>[^\s:\"']{0,80})"
_APART = re.compile(rb"(?<!\\)\n|[|;]")  # a line that ends with a backslash goes on
_PORTS = re.compile(r"[\d.:/-]+(?:tcp|udp)?")


@dataclass(frozen=True, slots=True)
class _CommandShape:
    """`word` is in every text where it could stand; with `reach`, the option may stand so far behind the command."""

    word: bytes
    expression: re.Pattern[bytes]
    reach: int = 0


def _whole(word: str, expression: str) -> _CommandShape:
    return _CommandShape(word.encode(), re.compile(expression.encode()))


def _option(word: str, command: str, option: str, value: str = _VALUE, reach: int = 200) -> _CommandShape:
    """Both in one pass: to look for the option from each command on would read the same again and again."""
    expression = rf"\b(?P<command>{command})\b|\s(?:{option}){value}"
    return _CommandShape(word.encode(), re.compile(expression.encode()), reach)


_COMMANDS: tuple[_CommandShape, ...] = (
    _option("curl", "curl", "-u|--user", rf"[ =]{{0,5}}[\"']?{_ANYBODY}[\"']?:[\"']?(?P<value>[^\s\"']{{4,120}})", 300),
    # A key in place of the user, and no password: `curl -u "KEY:"`
    _option("curl", "curl", "-u|--user", r"[ =]{0,5}[\"']?(?P<value>[^\s:\"'$@]{10,200}):(?=[\"'\s]|$)", 300),
    _whole("http", rf"\bhttps? (?:-a|--auth)[ =][\"']?{_AS}:{_VALUE}"),
    _whole("sshpass", r"\bsshpass -p ?[\"']?(?P<value>[^\s\"']{4,120})"),
    _option("mysql", "mysql(?:dump|admin)?", "-p", r"(?P<value>[^\s\"'$]{4,120})"),
    _option("redis-cli", "redis-cli", "-a ?"),
    _option("login", "login", "-p ?", r"[\"']?(?P<value>[^\s\"'$]{8,200})"),
    _whole("vault login", r"\bvault login (?:token=)?(?P<value>[A-Za-z0-9._-]{20,200})"),
    _option("wget", "wget", "--(?:http-|ftp-)?password[ =]", r"[\"']?(?P<value>[^\s\"']{4,120})"),
    _option("pass:", "openssl", "-pass(?:in|out)? pass:"),
    _option("openssl enc", "openssl enc", "-k "),
    _option("keytool", "keytool", "-(?:store|key|deststore|srcstore|new)pass[ :]"),
    _option("jarsigner", "jarsigner", "-(?:store|key)pass[ :]"),
    _option("ldap", "ldap(?:search|modify|add|delete|passwd|whoami)", "-w ?"),
    _option("smbclient", "smbclient", "-U|--user", rf"[ =]?[\"']?[^\s%\"']{{1,80}}%{_VALUE}"),
    _option("sqlcmd", "sqlcmd", "-P ?"),
    _option("mongo", "mongo(?:sh|dump|restore|export|import)?", "-p "),
    _option("twine", "twine", "-p "),
    _whole("htpasswd", rf"\bhtpasswd -[a-zA-Z]{{0,6}}b[a-zA-Z]{{0,6}} \S{{1,120}} {_AS} {_VALUE}"),
    _whole("alias set", rf"\bmc alias set \S{{1,60}} \S{{1,120}} {_AS} {_VALUE}"),
    _whole("chpasswd", rf"\becho [\"']?{_AS}:{_VALUE}[\"']? {{0,4}}\| {{0,4}}(?:sudo )?chpasswd"),
    _whole("-stdin", rf"\becho (?:-n )?{_VALUE}[\"']? {{0,4}}\|[^\n|;]{{0,100}}--pass(?:word|phrase)-stdin"),
    _whole("sudo", rf"\becho {_VALUE}[\"']? {{0,4}}\| {{0,4}}sudo [^\n|;]{{0,40}}?-[a-zA-Z]{{0,4}}S"),
    _whole("SecureString", rf"\bConvertTo-SecureString (?:-String )?(?:-AsPlainText )?{_VALUE}"),
    _whole("IDENTIFIED", r"(?i)\bidentified (?:with \w{1,40} )?by '(?P<value>[^'\n]{6,120})'"),
    _option("PASSWORD", "(?i:user|role|login)", "(?i:password) '", r"(?P<value>[^'\n]{6,120})'"),
)


def any_command_stands_in(data: bytes) -> bool:
    return any(command.word in data for command in _COMMANDS)


def in_commands(data: bytes) -> Iterator[SecretMatch]:
    lines = b"\n".join(line for _, line in COMMAND_LINES.holding(data))
    for command in _COMMANDS:
        for found in _uses(data, command) if command.word in lines else ():
            user = (found.groupdict().get("user") or b"").decode("utf-8", "replace")
            value = found["value"].decode("utf-8", "replace")
            if _PORTS.fullmatch(value) or value.startswith("-"):
                continue
            if not is_made_up(user, value, "h.io") and classes(value) >= 2 and not reads_as_words(value):
                name = user or command.word.decode().strip("-: ")
                yield SecretMatch("password", value, *found.span("value"), name=name, confidence=0.7)


COMMAND_LINES = LineCache(any_command_stands_in, b"\n")


def _uses(data: bytes, command: _CommandShape) -> Iterator[re.Match[bytes]]:
    if not command.reach:
        yield from command.expression.finditer(data)
        return
    called = -command.reach - 1
    for found in command.expression.finditer(data):
        if found["command"] is not None:
            called = found.end()
        elif 0 <= found.start() - called <= command.reach and not _APART.search(data, called, found.start()):
            yield found


_BEARER = re.compile(
    rb"(?i)\b(?:bearer|token|apikey|api-token|api-key|secret|secretkey|privatekey)(?: is)?[ \t]{1,4}"
    rb"([A-Za-z0-9._~+/=-]{20,600})"
)
_SHARED = b"alt=media"
_SCHEME_HINTS = tuple(
    word + b" " for word in (b"earer", b"EARER", b"oken", b"OKEN", b"key", b"Key", b"KEY", b"ecret", b"ECRET")
)
_QUERY = re.compile(
    rb"(?i)[?&]((?:[a-z0-9]{2,20}[_-]){0,2}(?:api[_-]?key|access[_-]?token|auth[_-]?token|token|secret|client[_-]?secret|access[_-]?key|private[_-]?key|"
    rb"password|passwd|appid|subscription-key))=([^&\s\"'<>`#;)\\]{8,300})"
)


def behind_a_scheme(data: bytes) -> Iterator[SecretMatch]:
    if not any(hint in data for hint in _SCHEME_HINTS):
        return
    for found in _BEARER.finditer(data):
        value = found[1].decode("ascii").rstrip(".")
        # A JSON Web Token is judged by what it says, and not here.
        if not value.startswith("eyJ") and looks_random(value) and not is_no_secret("", value):
            yield SecretMatch(
                SECRET, value, found.start(1), found.start(1) + len(value), name="Authorization", confidence=0.7
            )


def in_queries(data: bytes) -> Iterator[SecretMatch]:
    for found in _QUERY.finditer(data):
        if data[max(0, found.start() - len(_SHARED)) : found.start()] == _SHARED:
            continue  # the address of a file that Firebase shows to everybody
        pair = Pair(found[1].decode("ascii"), found[2].decode("utf-8", "replace"), found.start(2), found.end(2))
        match = secret_match(pair, BARS["high"])
        if match is not None:
            yield match
