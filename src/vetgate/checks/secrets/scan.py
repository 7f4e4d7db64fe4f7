"""All secrets of one text, each place once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from vetgate.checks.secrets.addresses import DATABASE, URL, addresses
from vetgate.checks.secrets.connections import connection_strings
from vetgate.checks.secrets.decode import decoded, encoded
from vetgate.checks.secrets.defaults import with_defaults
from vetgate.checks.secrets.keys import any_key_begins, keys
from vetgate.checks.secrets.kind import bare
from vetgate.checks.secrets.named import BARS, IN_TESTS, secret_match, vendor_match
from vetgate.checks.secrets.places import place_of
from vetgate.checks.secrets.readers import pairs_in
from vetgate.checks.secrets.tokens import any_token_begins, tokens
from vetgate.checks.secrets.usage import may_be_used, used
from vetgate.checks.secrets.values import looks_random
from vetgate.source.lines import QuietLines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vetgate.checks.secrets.match import Match, Pair
    from vetgate.checks.secrets.named import Bar

FOLDED, ENCODED = "put together from pieces", "encoded in base64"
_BASIC = re.compile(rb"(?i)\bbasic\s{1,4}([A-Za-z0-9+/]{8,300}={0,2})")
_EXAMPLE_LINE = re.compile(rb"(?i)\b(?:examples?|e\.g\.|sample|dummy|fake|not a real|placeholder|for instance)")
_FOR_EXAMPLE = re.compile(rb"(?i)\b(?:for example|for instance|e\.g\.|such as)[^\n]{0,40}$")
_COMMENT = re.compile(rb"^\s*(?:#|//|\*|/\*|--|;|<!--|%|\"\"\"|''')")
_WIDEST_LINE = 4_096


@dataclass(frozen=True, slots=True)
class Asked:
    """What a configuration says: kinds that are allowed, how random a value has to look, and whether it is a test."""

    allow: frozenset[str] = frozenset()
    bar: str = "normal"
    is_test: bool = False
    pairs: tuple[Pair, ...] | None = field(default=None, repr=False)

    @property
    def needed(self) -> Bar:
        return IN_TESTS if self.is_test else BARS[self.bar]


def scan_text(path: str, text: str, asked: Asked | None = None) -> list[Match]:
    """In the order of the text. `pairs` come from the syntax tree; without one the lines are read."""
    asked = asked or Asked()
    data = text.encode("utf-8", "replace")
    place = place_of(path)
    pairs = asked.pairs
    if pairs is None:
        pairs = () if place.prose or place.made else tuple(pairs_in(path, data))
    found = [*_in_raw(data), *_in_pairs(pairs, asked, generic=not place.made)]
    if place.example:
        found = [match for match in found if match.confidence == 1.0 and match.kind]
    if asked.is_test:
        # What tests call a password in an address is seldom one; what a machine made is.
        found = [match for match in found if match.rule not in {DATABASE, URL} or looks_random(match.value)]
    kept = (match for match in found if not (match.kind and match.kind.id in asked.allow))
    return [match for match in _apart(kept) if not _is_shown(data, match)]


def _in_raw(data: bytes) -> Iterator[Match]:
    if not _LINES.may_hold(data):
        return
    yield from _plain(data)
    yield from _in_encoded(data)
    yield from _in_headers(data)
    yield from used(data)


def _is_worth_a_look(data: bytes) -> bool:
    """By what one line alone can tell: where a secret is more than its line, how it begins is enough."""
    if b"asic " in data or any_token_begins(data) or any_key_begins(data) or may_be_used(data):
        return True
    sought = (addresses(data), connection_strings(data), encoded(data))
    return any(True for found in sought for _ in found)


_LINES = QuietLines(_is_worth_a_look, b"\n")


def _plain(data: bytes) -> Iterator[Match]:
    """What tells itself, whatever stands around it."""
    yield from tokens(data)
    yield from keys(data)
    yield from addresses(data)
    yield from connection_strings(data)


def _in_encoded(data: bytes) -> Iterator[Match]:
    for found in encoded(data):
        inner = decoded(found[0].decode("ascii"))
        for match in _plain(inner) if inner else ():
            yield replace(match, start=found.start(), end=found.end(), how=ENCODED)


def _in_headers(data: bytes) -> Iterator[Match]:
    """`Authorization: Basic`, which is a user and a password for anybody to read."""
    for found in _BASIC.finditer(data) if b"asic " in data else ():
        inner = decoded(found[1].decode("ascii")) if len(found[1]) >= 20 else None
        if inner and b":" in inner:
            url = b"https://" + inner + b"@h.io"
            for match in addresses(url):
                yield replace(match, start=found.start(1), end=found.end(1), how=ENCODED, what="Basic")


def _in_pairs(pairs: Iterable[Pair], asked: Asked, *, generic: bool) -> Iterator[Match]:
    for pair in with_defaults(pairs):
        yield from _in_value(pair)
        match = vendor_match(pair) if pair.name or bare() else None
        if match is None and generic and pair.name:
            match = secret_match(pair, asked.needed)
        if match is not None:
            yield match


def _in_value(pair: Pair) -> Iterator[Match]:
    """What was put together, and what is encoded, read again."""
    if pair.how:
        data = pair.value.encode("utf-8", "replace")
        for match in _plain(data):
            yield replace(match, start=pair.start, end=pair.end, how=pair.how, name=pair.name)
    inner = decoded(pair.value)
    if inner is not None:
        for match in _plain(inner):
            yield replace(match, start=pair.start, end=pair.end, how=ENCODED, name=pair.name)


def _apart(found: Iterable[Match]) -> list[Match]:
    """The surest of those that overlap: of a vendor's kind before a name, the longer before the shorter."""
    kept: list[Match] = []
    for match in sorted(found, key=lambda each: (each.kind is None and bool(each.name), -each.confidence, each.start)):
        if not any(match.start < other.end and other.start < match.end for other in kept):
            kept.append(match)
    return sorted(kept, key=lambda match: match.start)


def _is_shown(data: bytes, match: Match) -> bool:
    """An example in a comment that says it is one; what proves itself real is none."""
    if match.confidence == 1.0 and match.kind:
        return False
    first = max(data.rfind(b"\n", 0, match.start) + 1, match.start - _WIDEST_LINE)
    last = data.find(b"\n", match.end, match.end + _WIDEST_LINE)
    line = data[first : last if last >= 0 else match.end + 200]
    if _FOR_EXAMPLE.search(line[: match.start - first]):
        return True
    if not _COMMENT.match(line):
        return False
    before = data[max(0, first - 200) : first].rstrip().rpartition(b"\n")[2]
    return bool(_EXAMPLE_LINE.search(line)) or (bool(_COMMENT.match(before)) and bool(_EXAMPLE_LINE.search(before)))
