"""Texts that fit a pattern, made when a test runs: none of them may lie in the repository."""

from __future__ import annotations

import random
import string
from re import _constants as op
from re import _parser


def made_from(pattern: str, seed: int = 0) -> str:
    return _sequence(_parser.parse(pattern), random.Random(f"{pattern}{seed}"))


def chance(length: int, letters: str = string.ascii_letters + string.digits, seed: int = 0) -> str:
    source = random.Random(f"{letters}{length}{seed}")
    return "".join(source.choice(letters) for _ in range(length))


def _sequence(parsed, source) -> str:
    return "".join(_part(kind, value, source) for kind, value in parsed)


def _part(kind, value, source) -> str:
    if kind == op.LITERAL:
        return chr(value)
    if kind == op.IN:
        return source.choice(_letters(value))
    if kind == op.MAX_REPEAT:
        least, most, body = value
        times = source.randint(least, min(int(most), least + 8))
        return "".join(_sequence(body, source) for _ in range(times))
    if kind == op.SUBPATTERN:
        return _sequence(value[-1], source)
    return _sequence(source.choice(value[1]), source)


def _letters(members) -> str:
    found = ""
    for kind, value in members:
        first, last = (value, value) if kind == op.LITERAL else value
        found += "".join(map(chr, range(first, last + 1)))
    return found
