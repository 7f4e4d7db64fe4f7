"""What a kind of token looks like. The table is data: kinds/*.toml, compiled into kinds.json."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

import msgspec

KINDS = Path(__file__).with_name("kinds")
COMPILED = Path(__file__).with_name("kinds.json")
DEFAULT_ENTROPY = 2.5


class TokenKind(msgspec.Struct, frozen=True, omit_defaults=True):
    """One kind of token of one vendor.

    A token that says what it is has a `pattern`: looked for wherever one of `starts` stands, or around `anchor`, whose
    place is one of `back` characters into it. One that could be anything has a `value`, and counts only under a `name`
    of the vendor's; if `bare`, the value alone is telling enough. `nearby` words have to stand around it.
    Of what matched, the secret is what comes behind the last `value_after`. `proof` names a test of its structure.
    `core`: the last tier, which has nothing but the standard library, looks for it, too.
    """

    id: str
    area: str
    vendor: str
    what: str
    pattern: str = ""
    starts: tuple[str, ...] = ()
    anchor: str = ""
    back: tuple[int, ...] = ()
    name: tuple[str, ...] = ()
    value: str = ""
    bare: bool = False
    nearby: tuple[str, ...] = ()
    value_after: str = ""
    entropy: float = DEFAULT_ENTROPY
    proof: str = ""
    severity: str = "critical"
    where: str = ""
    core: bool = False

    @property
    def called(self) -> str:
        return f"{self.vendor} {self.what}"


@cache
def kinds() -> tuple[TokenKind, ...]:
    return msgspec.json.decode(COMPILED.read_bytes(), type=tuple[TokenKind, ...])


# Compiled when first tried: of four hundred kinds a text touches a few.
@lru_cache(maxsize=1024)
def bytes_pattern(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode("ascii"))


@lru_cache(maxsize=1024)
def text_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@cache
def by_start() -> dict[bytes, tuple[TokenKind, ...]]:
    """The kinds whose token may begin with these bytes, in the order of the table."""
    found: dict[bytes, tuple[TokenKind, ...]] = {}
    for kind in kinds():
        for start in kind.starts:
            found[start.encode()] = (*found.get(start.encode(), ()), kind)
    return found


@cache
def anchored() -> tuple[tuple[bytes, TokenKind], ...]:
    return tuple((kind.anchor.encode(), kind) for kind in kinds() if kind.anchor)


@cache
def named() -> tuple[TokenKind, ...]:
    return tuple(kind for kind in kinds() if kind.name)


@cache
def bare() -> tuple[TokenKind, ...]:
    return tuple(kind for kind in kinds() if kind.bare)
