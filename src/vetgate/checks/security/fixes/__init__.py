"""Fixed code for a finding, where a rule can be met without knowing what the program is for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tree_sitter import Parser

from vetgate.checks.security.fixes.shell import without_shell
from vetgate.checks.security.fixes.spot import Spot
from vetgate.checks.security.fixes.sql import with_parameters
from vetgate.expression import expression
from vetgate.source.language import grammar

if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match, Pattern

    from tree_sitter import Node

    from vetgate.checks.security.scan import FileScan

_PY, _JS = "python", "ecmascript"


def _pairs(*rows: tuple[str, str]) -> tuple[tuple[Pattern[str], str], ...]:
    return tuple((expression(pattern), text) for pattern, text in rows)


_OFF_IN_PYTHON = (
    r"(\b(?:secure|httponly|httpOnly|autoescape|CSRF\w*|\w+_SECURE|\w+_HTTPONLY)\s*=\s*)False\b",
    r"\1True",
)
_OFF_IN_OPTIONS = (
    r"\b((?:secure|httpOnly|rejectUnauthorized|contextIsolation|sandbox|webSecurity)\s*:\s*)false\b",
    r"\1true",
)
# A name for data; what is put together, or is called an expression, no reader of data understands.
_DATA = r"(?:[\w.]*[._])?(?:json|data|body|payload|config|settings|values|items|literal)(?:\.text)?"
# What has markup in it is not meant to be read as it is.
_NO_MARKUP = r"(?:(?!<|(?i:html|markup|markdown|marked|render|template|sanitize)).)*"
# Who listens there need not speak anything else.
_PORT = r"[^/\"'`]*:\d"
# Not what may be missing: nothing cannot be compared.
_GIVEN = r"(?:(?!\.get\([^,()]*\))[^=!<>])"

_INSTEAD = {
    ("unsafe-yaml", _PY): _pairs(
        (
            r"^(\w+)\.(?:unsafe_load|full_load|load)((?:_all)?)\((.*?)(?:,\s*(?:Loader\s*=\s*)?[\w.]*Loader)?\)$",
            r"\1.safe_load\2(\3)",
        ),
    ),
    ("unverified-certificate", _PY): _pairs(
        (r"\(\s*verify\s*=\s*False\s*,\s*", "("),
        (r",?\s*\bverify(?:_ssl)?\s*=\s*False\b", ""),
        (r"\bssl\._create_unverified_context\b", "ssl.create_default_context"),
        (r"\bssl\.CERT_NONE\b", "ssl.CERT_REQUIRED"),
        (r"(\bcheck_hostname\s*=\s*)False\b", r"\1True"),
    ),
    ("unverified-certificate", _JS): _pairs(_OFF_IN_OPTIONS),
    ("debug-mode", _PY): _pairs((r"(\b(?:debug|DEBUG)\s*=\s*)True\b", r"\1False")),
    ("weak-hash", _PY): _pairs(
        (r"\bhashlib\.(?:md4|md5|sha1)\(", "hashlib.sha256("),
        (r"\b(hashlib\.new\(\s*[\"'])(?:md4|md5|sha-?1)([\"'])", r"\1sha256\2"),
    ),
    ("weak-hash", _JS): _pairs((r"\b(create(?:Hash|Hmac)\(\s*[\"'`])(?:md4|md5|sha1|SHA1|MD5)([\"'`])", r"\1sha256\2")),
    ("predictable-random", _PY): _pairs((r"\brandom\.choice\(", "secrets.choice(")),
    ("world-writable-file", _PY): _pairs((r"\b0o777\b", "0o755"), (r"\b0o666\b", "0o644")),
    ("world-writable-file", _JS): _pairs((r"\b0o777\b", "0o755"), (r"\b0o666\b", "0o644")),
    ("insecure-cookie", _PY): _pairs(_OFF_IN_PYTHON),
    ("insecure-cookie", _JS): _pairs(_OFF_IN_OPTIONS),
    ("autoescape-off", _PY): _pairs(_OFF_IN_PYTHON),
    ("csrf-protection-off", _PY): _pairs(_OFF_IN_PYTHON),
    ("electron-window", _JS): _pairs(_OFF_IN_OPTIONS, (r"\b(nodeIntegration\s*:\s*)true\b", r"\1false")),
    ("code-evaluation", _PY): _pairs((rf"^eval\(({_DATA})\)$", r"ast.literal_eval(\1)")),
    ("code-evaluation", _JS): _pairs(
        (rf"^eval\(({_DATA})\)$", r"JSON.parse(\1)"),
        (r"^eval\(([\"'])\(\1\s*\+\s*([\w.]+)\s*\+\s*([\"'])\)\3\)$", r"JSON.parse(\2)"),
    ),
    ("html-sink", _JS): _pairs(
        (rf"^({_NO_MARKUP})\.innerHTML(\s*=)(?!=)({_NO_MARKUP})$", r"\1.textContent\2\3"),
        (rf"^({_NO_MARKUP})\.insertAdjacentHTML\(({_NO_MARKUP})$", r"\1.insertAdjacentText(\2"),
    ),
    ("exposed-development-server", _PY): _pairs((r"([\"'])0\.0\.0\.0\1", r"\g<1>127.0.0.1\1")),
    ("cleartext-transport", _PY): _pairs((rf"^([^\"']*[\"'])http://(?!{_PORT})", r"\1https://")),
    ("cleartext-transport", _JS): _pairs(
        (rf"^([^\"'`]*[\"'`])http://(?!{_PORT})", r"\1https://"),
        (rf"^([^\"'`]*[\"'`])ws://(?!{_PORT})", r"\1wss://"),
    ),
    ("unknown-ssh-host", _PY): _pairs((r"\b(?:AutoAddPolicy|WarningPolicy)\b", "RejectPolicy")),
    ("timing-unsafe-comparison", _PY): _pairs(
        (rf"^({_GIVEN}+?)\s*==\s*({_GIVEN}+)$", r"hmac.compare_digest(\1, \2)"),
        (rf"^({_GIVEN}+?)\s*!=\s*({_GIVEN}+)$", r"not hmac.compare_digest(\1, \2)"),
    ),
    ("short-key", _PY): _pairs((r"(\b(?:key_size|bits)\s*=\s*)(?:512|768|1024)\b", r"\g<1>3072")),
    ("short-key", _JS): _pairs((r"(\bmodulusLength\s*:\s*)(?:512|768|1024)\b", r"\g<1>3072")),
    ("cheap-password-hash", _PY): _pairs((r"(\bgensalt\(\s*(?:rounds\s*=\s*)?)\d\b", r"\g<1>12")),
}


def replaced(rule: str, family: str, code: str) -> str:
    for pattern, text in _INSTEAD.get((rule, family), ()):
        code = pattern.sub(partial(_unless_quoted, text), code)
    return code


def _unless_quoted(text: str, found: Match[str]) -> str:
    """What is only spoken of in a text stays."""
    before = found.string[: found.start()]
    return found[0] if any(before.count(mark) % 2 for mark in "\"'`") else found.expand(text)


_LONGEST = 240
_MAKERS: dict[str, Callable[[Spot], str]] = {"sql-concatenation": with_parameters, "shell-command": without_shell}


def fix_code(noted: FileScan, rule: str, node: Node) -> str:
    """In the names and quotes of the file; nothing where it takes somebody who knows what is meant."""
    spot = Spot(noted, node)
    if "\n" in spot.code and rule not in _MAKERS:
        return ""  # what was lined up with care would come out as one line
    make = _MAKERS.get(rule)
    code = make(spot) if make is not None else replaced(rule, noted.family, spot.code)
    if not code or code == spot.code or len(code) > _LONGEST:
        return ""
    return code if _parses(code, noted.syntax.language) else ""


def _parses(code: str, language: str) -> bool:
    return not Parser(grammar(language)).parse(code.encode()).root_node.has_error
