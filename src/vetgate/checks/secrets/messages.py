"""The rules, what is said of a secret (no more than its first four characters), and the keyed hash that is kept."""

from __future__ import annotations

import contextlib
import os
import secrets
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks.secrets.match import shown
from vetgate.engine.check import Rule
from vetgate.expression import expression
from vetgate.ownership import fault, make
from vetgate.runtime import state_folder
from vetgate.severity import Severity
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from vetgate.checks.secrets.match import SecretMatch

NAME = "evidence.key"
_BYTES = 32


def evidence_of(value: str) -> str:
    return blake2b(value.encode("utf-8", "replace"), digest_size=12, key=_key(state_folder())).hexdigest()


@lru_cache(maxsize=8)
def _key(folder: str) -> bytes:
    if fault(folder):
        return secrets.token_bytes(_BYTES)
    file = Path(folder) / NAME
    return _read(file) or _made(file) or secrets.token_bytes(_BYTES)


def _read(file: Path) -> bytes | None:
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as opened:
        ours = not hasattr(os, "getuid") or os.fstat(descriptor).st_uid == os.getuid()
        key = opened.read(_BYTES + 1)
    return key if ours and len(key) == _BYTES else None


def _made(file: Path) -> bytes | None:
    """Written whole under another name first: of two processes that make one, the second takes the first's."""
    key = secrets.token_bytes(_BYTES)
    draft = file.with_name(f"{NAME}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        make(str(file.parent))
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(key)
        with contextlib.suppress(FileExistsError):
            os.link(draft, file)
    except OSError:
        return None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()
    return _read(file)


NOT_SEARCHED, UNREADABLE = "not-searched", "unreadable-encoding"
RULES = (
    Rule("vendor-token", Severity.CRITICAL, "A token or key of a known vendor.", cwe=(798,), owasp="A07:2021"),
    Rule("private-key", Severity.CRITICAL, "A private key that anybody can use.", cwe=(321,), owasp="A07:2021"),
    Rule("encrypted-private-key", Severity.WARNING, "A private key under a passphrase.", cwe=(321,), owasp="A07:2021"),
    Rule("database-url", Severity.CRITICAL, "A database URL with its password.", cwe=(798,), owasp="A07:2021"),
    Rule("url-password", Severity.ERROR, "A URL with a password in it.", cwe=(798,), owasp="A07:2021"),
    Rule("api-key", Severity.CRITICAL, "A literal under a name that says API key.", cwe=(798,), owasp="A07:2021"),
    Rule("jwt-secret", Severity.CRITICAL, "A literal that signs JSON Web Tokens.", cwe=(798,), owasp="A07:2021"),
    Rule("client-secret", Severity.CRITICAL, "A literal OAuth client secret.", cwe=(798,), owasp="A07:2021"),
    Rule("password", Severity.ERROR, "A literal under a name that says password.", cwe=(259, 798), owasp="A07:2021"),
    Rule("secret", Severity.ERROR, "A literal under a name that says secret or token.", cwe=(798,), owasp="A07:2021"),
    Rule(NOT_SEARCHED, Severity.WARNING, "A file that is too large to be searched.", cwe=(798,), owasp="A07:2021"),
    Rule(UNREADABLE, Severity.ERROR, "Python in an encoding that hides what it says.", cwe=(506,), owasp="A08:2021"),
)
_BY_ID = {rule.id: rule for rule in RULES}
_READ_IT = "Read it from the environment or a secret store"


def severity_of(match: SecretMatch) -> Severity:
    if match.mild:
        return Severity.NOTE
    if match.kind is not None and match.kind.severity != "critical":
        return Severity[match.kind.severity.upper()]
    return _BY_ID[match.rule].severity


def message_for(match: SecretMatch) -> str:
    how = f", {match.how}," if match.how else ""
    if match.mild:
        return f"{_what(match)}{how} is written in the file. It is {match.mild}."
    return f"{_what(match)}{how} is written in the file: whoever reads the file can use it."


def _what(match: SecretMatch) -> str:
    if match.kind is not None:
        return f"{_a(match.kind.called)} ({match.kind.id}, `{shown(match.value)}`)"
    if match.rule in {"private-key", "encrypted-private-key"}:
        return f"{_a(_key_name(match.what))} ({len(match.value)} characters)"
    if match.rule in {"database-url", "url-password"}:
        return (
            f"The password of a `{match.what}` address"
            if match.what != "connection string"
            else "The password of a connection string"
        )
    of = "The password given to" if match.name == "curl" else "The value of"
    return f"{of} `{match.name}` (`{shown(match.value)}`, {len(match.value)} characters)"


def _key_name(label: str) -> str:
    named = {"PRIVATE": "private", "KEY": "key", "ENCRYPTED": "encrypted", "OPENSSH": "OpenSSH", "BLOCK": "block"}
    return " ".join(named.get(word, word) for word in label.split())


def _a(noun: str) -> str:
    sounds = "AEFHILMNORSX" if noun.partition(" ")[0].isupper() else "aeioAEIO"
    return f"{'An' if noun[:1] in sounds else 'A'} {noun}"


def fix_for(match: SecretMatch, path: str) -> str:
    place = match.kind.where if match.kind is not None and match.kind.where else ""
    vendor = match.kind.vendor if match.kind is not None else ""
    if "private-key" in match.rule and match.kind is None:
        return "Keep it outside the repository. If it was ever pushed, make a new key pair."
    code = environment_lookup(match, path)
    read_it = f"{_READ_IT}: `{code}`." if code else f"{_READ_IT}."
    if place:
        return f"{read_it} If it is real, revoke it: {place}."
    return f"{read_it} If it is real, revoke it at {vendor}." if vendor else f"{read_it} If it is real, change it."


_SCRIPT = "process.env.{}"
_ASKS = {
    "python": 'os.environ["{}"]',
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "go": 'os.Getenv("{}")',
    "java": 'System.getenv("{}")',
    "csharp": 'Environment.GetEnvironmentVariable("{}")',
    "php": "getenv('{}')",
    "ruby": 'ENV.fetch("{}")',
    "rust": 'std::env::var("{}")',
}
_HUMP = expression(r"(?<=[a-z0-9])(?=[A-Z])")
_OTHER = expression(r"[^A-Za-z0-9]+")
_LONGEST = 40


def environment_lookup(match: SecretMatch, path: str) -> str:
    """By the name that it stands under, else by what it is; nothing where the file is no program, or it has no name."""
    form = _ASKS.get(language_of(path) or "")
    name = match.name.rpartition(".")[2] or (match.kind.id if match.kind is not None else "")
    if not name and match.rule == "database-url":
        name = "DATABASE_URL"
    variable = _OTHER.sub("_", _HUMP.sub("_", name)).strip("_").upper()
    return form.format(variable) if form and variable[:1].isalpha() and len(variable) <= _LONGEST else ""
