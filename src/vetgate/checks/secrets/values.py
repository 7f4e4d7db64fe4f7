"""What a value looks like: made by a machine, made up by a person, or only standing in for a secret."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache, lru_cache

_WORDS_OF_STAND_INS = (
    "example|xxxx|placeholder|change[-_. ]?me|replace[-_. ]?(?:me|this|with)|your[-_. ]|yourown"
    "|your(?:api|secret|token|key|password|access)|dummy|fake|sample|redacted|insert[-_. ]|todo|fixme|foobar"
    "|deadbeef|not[-_. ]?(?:a[-_. ])?real|lorem|removed|hidden|masked|obfuscated|notasecret|not-a-secret"
    "|my[-_.](?:secret|token|key|password|api)|goes[-_. ]?here|some[-_.](?:secret|token|key|password)"
    "|fill[-_. ]?(?:me|in)|enter[-_. ]|put[-_. ]|undefined|set[-_. ]?me|tbd|mock|\\.\\.\\.|\u2026|\\*\\*\\*|<"
    "|&lt;|#{3}|_{4}|-{6}"
)
_STAND_IN = re.compile(_WORDS_OF_STAND_INS, re.IGNORECASE)
# Read at run time from elsewhere: the environment, a vault, a template.
_LOOKED_UP = re.compile(
    r"\$\{|\$\(|\{\{|\}\}|<%|%\(|^\$[A-Za-z_]|^%[A-Za-z_]\w*%$|^@[A-Za-z]|^\{[\w.:-]*\}$|\{\w*\}|#\{|process\.env|os\.environ|getenv|"
    r"^(?:vault|op|arn|ssm|secret|secrets|sm|gcp|aws|azure|awskms|gcpkms|keyvault|keyring|env|file|ref|bws|doppler|"
    r"sops|kms|infisical|akv|gsm|projects|classpath|data|urn)(?::|-secrets?:|/[a-z]|\+[a-z]+:)|^ENC\[|^!|^AQICAH|^Ag[A-Za-z0-9+/]{150}|secretsmanager|secretKeyRef",
    re.IGNORECASE,
)
_SEQUENCES = (
    "0123456789012345678901234567890123456789",
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
    "9876543210987654321098765432109876543210",
    "qwertyuiopasdfghjklzxcvbnm",
    "0123456789abcdef0123456789abcdef0123456789abcdef",
)
_RUN = 5
_SEQUENCE = 5
_NEIGHBOURS = frozenset(
    row[start : start + _SEQUENCE] for row in _SEQUENCES for start in range(len(row) - _SEQUENCE + 1)
)
_CLASSES = tuple(map(re.compile, ("[a-z]", "[A-Z]", "[0-9]", "[^A-Za-z0-9]")))
_ALIKE = re.compile("|".join(f"{kind.pattern}+" for kind in _CLASSES))
_MOSTLY = 0.6
_CODE = re.compile(r"[\s(){}\[\];,`]|=>|::|->|/\*")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_VOWELS = frozenset("aeiouyAEIOUY")
_VOWEL = re.compile("[aeiouyAEIOUY]")


def entropy(text: str) -> float:
    """Shannon's, in bits a character."""
    length = len(text)
    return -sum(n / length * math.log2(n / length) for n in Counter(text).values()) if length else 0.0


@lru_cache(maxsize=512)
def stands_in(text: str) -> bool:
    """Whether it only shows where a secret goes: a placeholder, an example, a row of the same or of neighbours."""
    return bool(_STAND_IN.search(text)) or has_run(text) or is_sequence(text)


def looked_up(text: str) -> bool:
    return bool(_LOOKED_UP.search(text))


@cache
def _same(times: int) -> re.Pattern[str]:
    return re.compile(rf"(.)\1{{{times}}}", re.DOTALL)


def has_run(text: str, longest: int = _RUN) -> bool:
    """One character many times over, or one piece of a few characters again and again."""
    if _same(longest).search(text):
        return True
    return any(text[: 3 * size] == text[:size] * 3 for size in range(2, 7) if 3 * size <= len(text) <= 9 * size)


def is_sequence(text: str) -> bool:
    """Most of it is rows of neighbours on the keyboard or in the alphabet."""
    low = text.lower()
    covered: set[int] = set()
    for start in range(len(low) - _SEQUENCE + 1):
        if low[start : start + _SEQUENCE] in _NEIGHBOURS:
            covered.update(range(start, start + _SEQUENCE))
    return len(covered) >= _MOSTLY * len(low) > 0


def is_code(text: str) -> bool:
    """Prose, an expression or markup rather than one token."""
    return not text.isascii() or bool(_CODE.search(text))


def is_address(text: str) -> bool:
    """A path, a host or a URL: something that says where, not what."""
    if "://" in text[:12] or text.startswith(("/", "./", "../", "~/", "\\", "C:\\", "www.")):
        return True
    return bool(re.fullmatch(r"[\w.+-]+@[\w-]+\.[\w.]+|(?:[a-z0-9-]+\.){2,}[a-z]{2,10}", text))


def changes(text: str) -> float:
    """How often, for each character, lower case, upper case, digits and other signs take turns."""
    turns = len(_ALIKE.findall(text)) - 1
    return turns / max(1, len(text) - 1)


def classes(text: str) -> int:
    return sum(kind.search(text) is not None for kind in _CLASSES)


def reads_as_words(text: str) -> bool:
    """Whether it is put together from words, as names and messages are."""
    pieces = _WORD.findall(text)
    letters = sum(len(piece) for piece in pieces if not piece.isdigit())
    if not letters:
        return False
    spoken = sum(len(piece) for piece in pieces if _is_word(piece))
    digits = sum(len(piece) for piece in pieces if piece.isdigit())
    return spoken >= 0.8 * letters and digits <= max(2, 0.15 * len(text))


def _is_word(piece: str) -> bool:
    if len(piece) < 3 or piece.isdigit():
        return False
    vowels = sum(letter in _VOWELS for letter in piece)
    return 0.2 <= vowels / len(piece) <= 0.75 and _longest_consonants(piece) <= 4


def _longest_consonants(piece: str) -> int:
    return max(map(len, _VOWEL.split(piece)))


def looks_random(text: str) -> bool:
    """As a machine makes them: long, many different characters, and no words."""
    if len(text) < 16 or entropy(text) < 3.0:
        return False
    return not reads_as_words(text) and (changes(text) >= 0.18 or _is_scrambled(text))


def _is_scrambled(text: str) -> bool:
    """All letters of one case, and still nothing to pronounce."""
    return len(text) >= 20 and entropy(text) >= 3.3 and (_longest_consonants(text) >= 5 or text.isupper())
