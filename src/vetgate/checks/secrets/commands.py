"""Passwords as commands take them: as an option, as an argument, or from what is written to them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets.addresses import is_made_up
from vetgate.checks.secrets.match import Match
from vetgate.checks.secrets.values import classes, reads_as_words

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEFORE = r"[^\n|;]{0,200}?\s"
_VALUE = r"[\"']?(?P<value>[^\s\"'`$|;)]{6,120})"
_AS = r"(?P<user>[^\s:\"']{1,80})"


def _option(command: str, option: str, value: str = _VALUE) -> re.Pattern[bytes]:
    return re.compile(rf"\b(?:{command})\b{_BEFORE}(?:{option}){value}".encode())


# By a word that is in every text where one of them could stand.
_COMMANDS: tuple[tuple[bytes, re.Pattern[bytes]], ...] = (
    (
        b"curl",
        re.compile(rf"\bcurl\b[^\n|;]{{0,300}}?\s(?:-u|--user)[ =]?[\"']?{_AS}:(?P<value>[^\s\"']{{4,120}})".encode()),
    ),
    (b"http", re.compile(rf"\bhttps? (?:-a|--auth)[ =][\"']?{_AS}:{_VALUE}".encode())),
    (b"sshpass", re.compile(rb"\bsshpass -p ?[\"']?(?P<value>[^\s\"']{4,120})")),
    (b"mysql", _option("mysql(?:dump|admin)?", "-p", r"(?P<value>[^\s\"'$]{4,120})")),
    (b"redis-cli", _option("redis-cli", "-a ?")),
    (b"login", _option("login", "-p ?", r"[\"']?(?P<value>[^\s\"'$]{8,200})")),
    (b"vault login", re.compile(rb"\bvault login (?:token=)?(?P<value>[A-Za-z0-9._-]{20,200})")),
    (b"wget", _option("wget", "--(?:http-|ftp-)?password[ =]", r"[\"']?(?P<value>[^\s\"']{4,120})")),
    (b"pass:", _option("openssl", "-pass(?:in|out)? pass:")),
    (b"openssl enc", _option("openssl enc", "-k ")),
    (b"keytool", _option("keytool", "-(?:store|key|deststore|srcstore|new)pass[ :]")),
    (b"jarsigner", _option("jarsigner", "-(?:store|key)pass[ :]")),
    (b"ldap", _option("ldap(?:search|modify|add|delete|passwd|whoami)", "-w ?")),
    (b"smbclient", re.compile(rf"\bsmbclient\b{_BEFORE}(?:-U|--user)[ =]?[\"']?[^\s%\"']{{1,80}}%{_VALUE}".encode())),
    (b"sqlcmd", _option("sqlcmd", "-P ?")),
    (b"mongo", _option("mongo(?:sh|dump|restore|export|import)?", "-p ")),
    (b"twine", _option("twine", "-p ")),
    (b"htpasswd", re.compile(rf"\bhtpasswd -[a-zA-Z]{{0,6}}b[a-zA-Z]{{0,6}} \S{{1,120}} {_AS} {_VALUE}".encode())),
    (b"alias set", re.compile(rf"\bmc alias set \S{{1,60}} \S{{1,120}} {_AS} {_VALUE}".encode())),
    (b"chpasswd", re.compile(rf"\becho [\"']?{_AS}:{_VALUE}[\"']? {{0,4}}\| {{0,4}}(?:sudo )?chpasswd".encode())),
    (
        b"-stdin",
        re.compile(rf"\becho (?:-n )?{_VALUE}[\"']? {{0,4}}\|[^\n|;]{{0,100}}--pass(?:word|phrase)-stdin".encode()),
    ),
    (b"sudo", re.compile(rf"\becho {_VALUE}[\"']? {{0,4}}\| {{0,4}}sudo [^\n|;]{{0,40}}?-[a-zA-Z]{{0,4}}S".encode())),
    (b"SecureString", re.compile(rf"\bConvertTo-SecureString (?:-String )?(?:-AsPlainText )?{_VALUE}".encode())),
    (b"IDENTIFIED", re.compile(rb"(?i)\bidentified (?:with \w{1,40} )?by '(?P<value>[^'\n]{6,120})'")),
    (b"PASSWORD", re.compile(rb"(?i)\b(?:user|role|login)\b[^\n;]{1,200}?\bpassword '(?P<value>[^'\n]{6,120})'")),
)


def any_command_stands_in(data: bytes) -> bool:
    return any(word in data for word, _ in _COMMANDS)


def in_commands(data: bytes) -> Iterator[Match]:
    for word, expression in _COMMANDS:
        for found in expression.finditer(data) if word in data else ():
            user = (found.groupdict().get("user") or b"").decode("utf-8", "replace")
            value = found["value"].decode("utf-8", "replace")
            if not is_made_up(user, value, "h.io") and classes(value) >= 2 and not reads_as_words(value):
                name = user or word.decode().strip("-: ")
                yield Match("password", value, *found.span("value"), name=name, confidence=0.7)
