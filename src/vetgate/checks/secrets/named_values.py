"""A value under a name: a vendor's key that only its name tells, or any secret whose name says so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from vetgate.checks.secrets import names
from vetgate.checks.secrets.connections import is_trivial_login
from vetgate.checks.secrets.match import SecretMatch
from vetgate.checks.secrets.token_kinds import bare, named, text_pattern
from vetgate.checks.secrets.tokens import VENDOR, is_spent_jwt
from vetgate.checks.secrets.values import (
    classes,
    entropy,
    is_address,
    is_code,
    is_label,
    looked_up,
    looks_random,
    reads_as_encoded_words,
    reads_as_words,
    spoken,
    stands_in,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.checks.secrets.match import Pair
    from vetgate.checks.secrets.token_kinds import TokenKind

SHORTEST = 8
SHORTEST_SALT = 32  # a salt may be known; what frameworks call one and keep to themselves is longer
LONGEST = 1_000
# No vendor's value is shorter, so that most of what stands under names need not be compared with all of them.
SHORTEST_OF_A_VENDOR = 15
SCHEMES = re.compile(r"(?i)^(?:bearer|basic|token|apikey|bot|key|digest)\s+")
_KNOWN_BY_NOBODY = re.compile(
    r"(?i)^(?:pass(?:word|wd|wort|phrase)?|secret|token|admin|root|guest|default|letmein|welcome|qwerty|hunter|test\w*|"
    r"abc|user|demo|temp|none|null|true|false|string|secure|unsafe|insecure|supersecret|topsecret|very|my|correct|"
    r"postgres|mysql|mongo|redis|minio|rabbit|dev|local)[-_.]?\w{0,12}[\d!@#$%._-]{0,6}$"
)


_VARIABLE = re.compile(r"[A-Z]{2,20}[0-9]?(?:_[A-Z][A-Z0-9]{0,20}){2,9}")
_COUNTED = re.compile(r"[-_.]?1234?5?6?7?8?9?0?$")  # `super-secret-token-12345`
_NAME = re.compile(r"[a-z]+(?:[_.-][a-z]+)+|[A-Z][A-Z0-9]{0,20}(?:_[A-Z0-9]{1,20})+")


@dataclass(frozen=True, slots=True)
class RandomnessThreshold:
    """How much a value has to look like chance: bits a character, and whether a password made up by a person counts."""

    bits: float = 3.0
    memorable: bool = True


BARS: Mapping[str, RandomnessThreshold] = {
    "low": RandomnessThreshold(2.5),
    "normal": RandomnessThreshold(),
    "high": RandomnessThreshold(3.5, memorable=False),
}
IN_TESTS = RandomnessThreshold(3.3, memorable=False)


def vendor_match(pair: Pair) -> SecretMatch | None:
    value = SCHEMES.sub("", pair.value)
    if len(value) < SHORTEST_OF_A_VENDOR or _VARIABLE.fullmatch(value):
        return None
    for kind in _kinds_named_by(pair.name):
        if not text_pattern(kind.value).fullmatch(value):
            continue
        if not stands_in(value) and entropy(value) >= kind.entropy:
            start, end = _place(pair, value)
            return SecretMatch(VENDOR, value, start, end, kind, pair.name, 0.85, pair.how)
    return None


@lru_cache(maxsize=2048)
def _kinds_named_by(name: str) -> tuple[TokenKind, ...]:
    """The kinds of the vendors that a name speaks of, and those whose values tell themselves."""
    if not names.is_credential(name):
        return bare()
    return tuple(kind for kind in named() if kind.bare or names.speaks_of(name, kind.name))


def secret_match(pair: Pair, bar: RandomnessThreshold) -> SecretMatch | None:
    rule = names.secret_in(pair.name) or names.key_of_vendor(pair.name)
    if not rule:
        return None
    bar = BARS["high"] if pair.aside else bar
    value = SCHEMES.sub("", pair.value)
    if not SHORTEST <= len(value) <= LONGEST or is_no_secret(pair.name, value):
        return None
    if names.words(pair.name)[-1:] == ("salt",) and len(value) < SHORTEST_SALT:
        return None
    if is_trivial_login(pair.value) or is_spent_jwt(value):
        return None
    if looks_random(value) and entropy(value) >= bar.bits:
        confidence = 0.8
    elif bar.memorable and _is_password(rule, value):
        confidence = 0.6
    else:
        return None
    start, end = _place(pair, value)
    return SecretMatch(rule, value, start, end, None, pair.name, confidence, pair.how)


def is_no_secret(name: str, value: str) -> bool:
    if is_code(value) or looked_up(value) or is_address(value) or is_label(value) or stands_in(value):
        return True
    if _NAME.fullmatch(value) and (names.secret_in(value) or names.secret_in(value[: -len("_id")])):
        return True  # what it is called, not what it is
    if reads_as_encoded_words(value):
        return True
    inside = names.words(value)
    return bool(inside) and set(inside) <= set(names.words(name))


def _is_password(rule: str, value: str) -> bool:
    """What a person makes up: words with digits and signs between. Keys and tokens are made by machines."""
    said = spoken(value)
    if _KNOWN_BY_NOBODY.match(value) or _KNOWN_BY_NOBODY.match(said) or stands_in(said) or reads_as_words(value):
        return False
    kinds = classes(value)
    if rule == names.PASSWORD:
        return (
            kinds >= 2 and any(letter.isdigit() or not letter.isalnum() for letter in value) and entropy(value) >= 2.5
        )
    return len(value) >= 12 and kinds >= 3 and entropy(value) >= 3.0 and not reads_as_words(_COUNTED.sub("", value))


def _place(pair: Pair, value: str) -> tuple[int, int]:
    """Of the value itself, where it stands as written; of the whole expression where it is put together."""
    if pair.how:
        return pair.start, pair.end
    lead = len(pair.value) - len(value)
    return pair.start + lead, pair.end
