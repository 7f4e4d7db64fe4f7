"""Passwords as commands take them: as an option, as an argument, or from what is written to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.checks.secrets.addresses import is_made_up
from vetgate.checks.secrets.match import SecretMatch
from vetgate.checks.secrets.values import classes, reads_as_words

if TYPE_CHECKING:
    from collections.abc import Iterator

_VALUE = r"[\"']?(?P<value>[^\s\"'`$|;)]{6,120})"
_AS = r"(?P<user>[^\s:\"']{1,80})"
_APART = re.compile(rb"[\n|;]")


@dataclass(frozen=True, slots=True)
class _Command:
    """`word` is in every text where it could stand; with `reach`, the option may stand so far behind the command."""

    word: bytes
    expression: re.Pattern[bytes]
    reach: int = 0


def _whole(word: str, expression: str) -> _Command:
    return _Command(word.encode(), re.compile(expression.encode()))


def _option(word: str, command: str, option: str, value: str = _VALUE, reach: int = 200) -> _Command:
    """Both in one pass: to look for the option from each command on would read the same again and again."""
    expression = rf"\b(?P<command>{command})\b|\s(?:{option}){value}"
    return _Command(word.encode(), re.compile(expression.encode()), reach)


_COMMANDS: tuple[_Command, ...] = (
    _option("curl", "curl", "-u|--user", rf"[ =]?[\"']?{_AS}:(?P<value>[^\s\"']{{4,120}})", 300),
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
    for command in _COMMANDS:
        for found in _uses(data, command) if command.word in data else ():
            user = (found.groupdict().get("user") or b"").decode("utf-8", "replace")
            value = found["value"].decode("utf-8", "replace")
            if not is_made_up(user, value, "h.io") and classes(value) >= 2 and not reads_as_words(value):
                name = user or command.word.decode().strip("-: ")
                yield SecretMatch("password", value, *found.span("value"), name=name, confidence=0.7)


def _uses(data: bytes, command: _Command) -> Iterator[re.Match[bytes]]:
    if not command.reach:
        yield from command.expression.finditer(data)
        return
    called = -command.reach - 1
    for found in command.expression.finditer(data):
        if found["command"] is not None:
            called = found.end()
        elif 0 <= found.start() - called <= command.reach and not _APART.search(data, called, found.start()):
            yield found
