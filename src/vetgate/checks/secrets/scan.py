"""All secrets of one text, each place once."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING

from vetgate.checks.secrets.commands import COMMAND_LINES, behind_a_scheme, in_commands, in_queries
from vetgate.checks.secrets.connections import DATABASE, URL, addresses, connection_strings
from vetgate.checks.secrets.decode import LINES, SLASHES, decoded, encoded, in_other_digits, is_hex, views, without_nuls
from vetgate.checks.secrets.exposure import why_mild
from vetgate.checks.secrets.file_kinds import file_kind_of
from vetgate.checks.secrets.fold import FOLDED, expanded, with_defaults
from vetgate.checks.secrets.manifests import in_manifests
from vetgate.checks.secrets.named_values import BARS, IN_TESTS, secret_match, vendor_match
from vetgate.checks.secrets.private_keys import any_key_begins, keys
from vetgate.checks.secrets.readers import kind_of, pairs_in, pairs_in_comments, pairs_in_prose
from vetgate.checks.secrets.token_kinds import bare
from vetgate.checks.secrets.tokens import (
    TURNED_LINES,
    any_token_begins,
    find_as_numbers,
    find_reversed,
    may_be_numbers,
    tokens,
)
from vetgate.checks.secrets.values import looks_random
from vetgate.source.clock import Deadline
from vetgate.source.recent_sets import RecentSets, RecentValues
from vetgate.source.text_diff import LineCache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from vetgate.checks.secrets.file_kinds import FileKind
    from vetgate.checks.secrets.match import Pair, SecretMatch
    from vetgate.checks.secrets.named_values import RandomnessThreshold

    Part = Callable[[bytes], Iterable[SecretMatch]]

OUT_OF_TIME = "there was not enough time to search all of it for secrets"
_TOO_MANY = "it holds so many secrets that the rest was not searched"
_NEVER = Deadline.never()
_BETWEEN_LOOKS, _TEXTS = 256, 8
_QUIET_PAIRS, _LONGEST_KEPT = 5_000, 500
ENCODED, IN_HEX, IN_OTHER_DIGITS = "encoded in base64", "written in hexadecimal", "in base32 or spaced hexadecimal"
_LAYERS = 2  # of a text that is encoded, encoded in turn
_BASIC = re.compile(rb"(?i)\bbasic\s{1,4}([A-Za-z0-9+/]{8,300}={0,2})")
_EXAMPLE_LINE = re.compile(rb"(?i)\b(?:examples?|e\.g\.|sample|dummy|fake|not a real|placeholder|for instance)")
_FOR_EXAMPLE = re.compile(rb"(?i)\b(?:for example|for instance|e\.g\.|such as)[^\n]{0,40}$")
_COMMENT = re.compile(rb"^\s*(?:#|//|\*|/\*|--|;|<!--|%|\"\"\"|''')")
_WIDEST_LINE, _LEADS_TO = 1_000, 60
_SOURCE_MAP = b"sourceMappingURL"
_COLLECTION = re.compile(r"(?:^|/)(?:corpus|corpora)/")
_START = attrgetter("start")


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """What a configuration says: kinds that are allowed, how random a value has to look, and whether it is a test.

    When more than `most` secrets are found, 0 for however many, nobody looks for the rest. Unless `generic`, what only
    its name tells is left out. A text without a tree is read in all `views` of it.
    """

    allow: frozenset[str] = frozenset()
    bar: str = "normal"
    is_test: bool = False
    pairs: tuple[Pair, ...] | None = field(default=None, repr=False)
    most: int = 600
    generic: bool = True
    views: bool = True

    @property
    def needed(self) -> RandomnessThreshold:
        return IN_TESTS if self.is_test else BARS[self.bar]


@dataclass(frozen=True, slots=True)
class SecretScan:
    """`unread` says why not all of the text was looked at; "" where it was."""

    matches: tuple[SecretMatch, ...]
    unread: str = ""


def scan_text(path: str, text: str, asked: ScanOptions | None = None) -> list[SecretMatch]:
    """All there is, however much. In the order of the text."""
    return list(scan(path, text, replace(asked or ScanOptions(), most=0)).matches)


def scan(path: str, text: str, asked: ScanOptions, deadline: Deadline = _NEVER) -> SecretScan:
    """`pairs` come from the syntax tree; without one the lines are read."""
    data = text.encode("utf-8", "replace")
    return _scan(path, data, asked, _candidates(path, data, asked, deadline))


def scan_shapes(path: str, text: str, asked: ScanOptions, deadline: Deadline = _NEVER) -> SecretScan:
    """What proves itself by its shape alone, in bytes of whatever kind: tokens of vendors and private keys."""
    data = text.encode("utf-8", "replace")
    # Who keeps a collection of samples leaves it out of the checks; what proves itself real is found there as well.
    named = f"fixtures/{path}" if _COLLECTION.search(path) else path
    return _scan(named, data, asked, _in_parts((tokens, keys), data, deadline))


def _scan(path: str, data: bytes, asked: ScanOptions, candidates: Iterable[SecretMatch | str]) -> SecretScan:
    found: list[SecretMatch] = []
    unread = ""
    for match in _kept(data, file_kind_of(path), asked, candidates):
        if isinstance(match, str):
            unread = match
            break
        found.append(match)
        if 0 < asked.most < len(found):
            unread = _TOO_MANY
            break
    return SecretScan(tuple(_apart(found)), unread)


def _candidates(path: str, data: bytes, asked: ScanOptions, deadline: Deadline) -> Iterator[SecretMatch | str]:
    """From what is quickest to what takes longest; a reason where that has to end before all is read."""
    place = file_kind_of(path)
    # A NUL ends what stands before it; without any, the text is one of its views.
    ended = data.replace(b"\0", b"\n")
    yield from _in_raw(ended, deadline)
    is_program = asked.views and (not place.prose or ended != data)  # no program reads prose
    yield from _in_views(path, data, deadline, by_people=not is_program)
    pairs: Iterable[Pair] = asked.pairs or ()
    if asked.pairs is None and not (place.prose or place.made):
        pairs = pairs_in(path, ended) if ended == data else chain(pairs_in(path, ended), _without_nuls(path, data))
        pairs = chain(pairs, expanded(kind_of(path), ended))
    if place.notes and not place.made:
        pairs = chain(pairs, pairs_in_prose(path, ended))
    yield from _in_pairs(pairs, asked, deadline, generic=asked.generic and not place.made)


def _kept(
    data: bytes, place: FileKind, asked: ScanOptions, found: Iterable[SecretMatch | str]
) -> Iterator[SecretMatch | str]:
    for match in found:
        if isinstance(match, str):
            yield match
        elif _counts(match, place, asked) and not _is_shown(data, match):
            yield replace(match, mild=why_mild(data, match))


def _counts(match: SecretMatch, place: FileKind, asked: ScanOptions) -> bool:
    if match.kind and (match.kind.id in asked.allow or match.confidence == 1.0):
        return match.kind.id not in asked.allow
    # What tests call a password in an address is seldom one; what a machine made is.
    made_up = asked.is_test and match.rule in {DATABASE, URL} and not looks_random(match.value)
    return not place.example and not made_up


def _in_raw(data: bytes, deadline: Deadline) -> Iterator[SecretMatch | str]:
    found = _READ.get(data)
    if found is None:
        found = tuple(_anew(data, deadline))
        if OUT_OF_TIME not in found:
            _READ.put(data, found)
    yield from found


def _anew(data: bytes, deadline: Deadline) -> Iterator[SecretMatch | str]:
    yield from _in_parts([part for part, lines in _PARTS if lines.may_hold(data)], data, deadline)
    for part, lines in _LINES:
        for start, line in lines.holding(data):
            if deadline.passed():
                yield OUT_OF_TIME
                return
            for match in part(line):
                yield replace(match, start=match.start + start, end=match.end + start)


def _in_parts(parts: Iterable[Part], data: bytes, deadline: Deadline) -> Iterator[SecretMatch | str]:
    for part in parts:
        if deadline.passed():
            yield OUT_OF_TIME
            return
        yield from part(data)


def _without_nuls(path: str, data: bytes) -> Iterator[Pair]:
    view = without_nuls(data)
    for pair in pairs_in(path, view.data):
        yield replace(pair, start=view.origin(pair.start), end=view.origin(pair.end - 1) + 1)


def _in_views(path: str, data: bytes, deadline: Deadline, *, by_people: bool) -> Iterator[SecretMatch | str]:
    for view in views(kind_of(path), data, by_people=by_people):
        # What is wrapped over several lines may be encoded, too.
        parts = (tokens, keys, *_MORE_IN_VIEWS.get(view.how, ()))
        for match in _in_parts(parts, view.data, deadline):
            if isinstance(match, str):
                yield match
            else:
                start, end = view.origin(match.start), view.origin(match.end - 1) + 1
                yield replace(match, start=start, end=end, how=match.how or view.how)


def _plain(data: bytes) -> Iterator[SecretMatch]:
    """What tells itself, whatever stands around it."""
    yield from tokens(data)
    yield from keys(data)
    yield from addresses(data)
    yield from connection_strings(data)


def _in_encoded(data: bytes, layers: int = _LAYERS) -> Iterator[SecretMatch]:
    for found in encoded(data):
        if _SOURCE_MAP in data[max(0, found.start() - _LEADS_TO) : found.start()]:
            continue  # code that stands beside it as well
        inner = decoded(found[0].decode("ascii"))
        for match in _unwrapped(inner, layers) if inner else ():
            yield replace(match, start=found.start(), end=found.end(), how=_how(found[0].decode("ascii")))


_MORE_IN_VIEWS: dict[str, tuple[Callable[[bytes], Iterator[SecretMatch]], ...]] = {
    LINES: (_in_encoded,),
    SLASHES: (addresses,),
}


def _unwrapped(inner: bytes, layers: int = _LAYERS) -> Iterator[SecretMatch]:
    """In what was decoded: also turned around, or encoded once more."""
    yield from _plain(inner)
    yield from tokens(inner[::-1])
    if layers:
        yield from _in_encoded(inner, layers - 1)


def _in_other_digits(data: bytes) -> Iterator[SecretMatch]:
    for found, inner in in_other_digits(data):
        for match in _plain(inner):
            yield replace(match, start=found.start(), end=found.end(), how=IN_OTHER_DIGITS)


def _how(text: str) -> str:
    return IN_HEX if is_hex(text) else ENCODED


def _in_headers(data: bytes) -> Iterator[SecretMatch]:
    """`Authorization: Basic`, which is a user and a password for anybody to read."""
    for found in _BASIC.finditer(data) if b"asic " in data else ():
        inner = decoded(found[1].decode("ascii")) if len(found[1]) >= 20 else None
        if inner and b":" in inner:
            url = b"https://" + inner + b"@h.io"
            for match in addresses(url):
                yield replace(match, start=found.start(1), end=found.end(1), how=ENCODED, what="Basic")


def _in_comments(data: bytes) -> Iterator[SecretMatch]:
    for pair in pairs_in_comments(data):
        match = vendor_match(pair) or secret_match(pair, BARS["high"])
        if match is not None:
            yield match


def _any(part: Callable[[bytes], Iterable[object]]) -> Callable[[bytes], bool]:
    return lambda data: any(True for _ in part(data))


def _names(word: bytes) -> Callable[[bytes], bool]:
    return lambda data: word in data


def _lines(begins: Callable[[bytes], bool]) -> LineCache[bytes]:
    return LineCache(begins, b"\n")


# Each with what one line alone can tell of it: where a secret is more than its line, how it begins is enough.
_PARTS: tuple[tuple[Part, LineCache[bytes]], ...] = (
    (in_commands, COMMAND_LINES),
    (tokens, _lines(any_token_begins)),
    (keys, _lines(any_key_begins)),
    (addresses, _lines(_any(addresses))),
    (connection_strings, _lines(_any(connection_strings))),
    (_in_encoded, _lines(_any(encoded))),
    (_in_headers, _lines(_names(b"asic "))),
    (find_reversed, TURNED_LINES),
    (find_as_numbers, _lines(may_be_numbers)),
    (in_manifests, _lines(_names(b"kind:"))),
)
# What says all in one line, whatever stands around that.
_LINES: tuple[tuple[Part, LineCache[bytes]], ...] = tuple(
    (part, _lines(_any(part))) for part in (behind_a_scheme, in_queries, _in_comments, _in_other_digits)
)
_READ: RecentValues[bytes, tuple[SecretMatch | str, ...]] = RecentValues(_TEXTS)
# Most pairs of a text stand there from edit to edit and hold no secret.
_QUIET: RecentSets[tuple[RandomnessThreshold, bool], tuple[str, str, bool, bool]] = RecentSets(_QUIET_PAIRS)


def _in_pairs(
    pairs: Iterable[Pair], asked: ScanOptions, deadline: Deadline, *, generic: bool
) -> Iterator[SecretMatch | str]:
    every = list(with_defaults(pairs))
    key = (asked.needed, generic)
    loud = _QUIET.unknown(key, {_what(pair) for pair in every})
    quiet: set[tuple[str, str, bool, bool]] = set()
    for number, pair in enumerate(every):
        if number % _BETWEEN_LOOKS == 0 and deadline.passed():
            yield OUT_OF_TIME
            return
        what = _what(pair)
        if what not in loud or what in quiet:
            continue
        matches = _in_pair(pair, asked, generic=generic)
        if not matches:
            quiet.add(what)
        yield from matches
    _QUIET.add(key, {what for what in quiet if len(what[1]) < _LONGEST_KEPT})


def _what(pair: Pair) -> tuple[str, str, bool, bool]:
    """All that matters of it, but where it stands."""
    return pair.name, pair.value, bool(pair.how), pair.aside


def _in_pair(pair: Pair, asked: ScanOptions, *, generic: bool) -> list[SecretMatch]:
    matches = list(_in_value(pair))
    match = _named(pair, asked, generic=generic)
    return matches if match is None else [*matches, match]


def _named(pair: Pair, asked: ScanOptions, *, generic: bool) -> SecretMatch | None:
    match = vendor_match(pair) if pair.name or bare() else None
    if match is None and generic and pair.name:
        match = secret_match(pair, asked.needed)
    return match


def _in_value(pair: Pair) -> Iterator[SecretMatch]:
    """What was put together, and what is encoded, read again."""
    if pair.how:
        data = pair.value.encode("utf-8", "replace")
        for match in _plain(data):
            yield replace(match, start=pair.start, end=pair.end, how=pair.how, name=pair.name)
    inner = decoded(pair.value)
    if inner is not None:
        for match in _unwrapped(inner):
            yield replace(match, start=pair.start, end=pair.end, how=_how(pair.value), name=pair.name)


def _rank(match: SecretMatch) -> tuple[bool, float, bool, int]:
    """What tells more of how a token is written comes before that it is put together."""
    return match.kind is None and bool(match.name), -match.confidence, match.how == FOLDED, match.start


def _apart(found: Iterable[SecretMatch]) -> list[SecretMatch]:
    """The surest of those that overlap: of a vendor's kind before a name, the longer before the shorter."""
    kept: list[SecretMatch] = []
    for match in sorted(found, key=_rank):
        # Those that are kept do not overlap, so only the neighbours on both sides can.
        place = bisect_left(kept, match.end, key=_START)
        if not place or kept[place - 1].end <= match.start:
            kept.insert(place, match)
    return kept


def _is_shown(data: bytes, match: SecretMatch) -> bool:
    """An example in a comment that says it is one; what proves itself real is none."""
    if match.confidence == 1.0 and match.kind:
        return False
    first = max(data.rfind(b"\n", 0, match.start) + 1, match.start - _WIDEST_LINE)
    last = data.find(b"\n", match.end, match.end + _WIDEST_LINE)
    line = data[first : last if last >= 0 else match.end + 200]
    if _FOR_EXAMPLE.search(data[max(first, match.start - _LEADS_TO) : match.start]):
        return True
    if not _COMMENT.match(line):
        return False
    before = data[max(0, first - 200) : first].rstrip().rpartition(b"\n")[2]
    return bool(_EXAMPLE_LINE.search(line)) or (bool(_COMMENT.match(before)) and bool(_EXAMPLE_LINE.search(before)))
