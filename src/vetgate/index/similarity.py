"""What a function looks like: a byte per token, a sketch to find its like by, and how much two are alike."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from functools import cache, lru_cache
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from vetgate.source.language import grammar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from vetgate.index.facts import FunctionTokens

    Placed = tuple[str, FunctionTokens]


# Fewer tokens than this say nothing about where they come from.
FEWEST = 50
GRAM = 6
SKETCH = 24

SILENT, NAME, TEXT, NUMBER, OPENS, REACHES = 0, 1, 2, 3, 4, 5
_FIRST_WORD, _WORDS = 6, 122
# A name is one of these bytes, by its hash.
FIRST_NAME, NAMES = 128, 127

_QUOTES = frozenset({'"', "'", "`", '"""', "'''", "string_start", "string_end", ";", ",", "newline", "\n"})
_REACHING = frozenset({".", "->", "?.", "::", "?->"})
_NAMED = re.compile(r"identifier|^name$|constant$|variable$|^(?:self|this)$")
_QUOTED = re.compile(r"string|char|rune|content|fragment|text|regex|escape|symbol|heredoc")
_COUNTED = re.compile(r"integer|float|number|int_literal|real_literal|imaginary|decimal|hex|octal|binary_")


@cache
def codes(language: str) -> Mapping[int, int]:
    """The byte of each kind of leaf. By the kind's name: processes and versions of a grammar have to agree on it."""
    kinds = grammar(language)
    found = {0xFFFE: SILENT, 0xFFFF: SILENT}
    for number in range(kinds.node_kind_count):
        found[number] = _code(kinds.node_kind_for_id(number) or "", named=kinds.node_kind_is_named(number))
    return found


def _code(kind: str, *, named: bool) -> int:
    if kind == "(":
        return OPENS
    if kind in _REACHING:
        return REACHES
    if kind in _QUOTES or "comment" in kind:
        return SILENT
    if named and _NAMED.search(kind):
        return NAME
    if named and _QUOTED.search(kind):
        return TEXT
    if named and _COUNTED.search(kind):
        return NUMBER
    return _FIRST_WORD + crc32(kind.encode()) % _WORDS


@lru_cache(maxsize=4096)
def sketch(blind: bytes) -> tuple[int, ...]:
    """The lowest hashes of all runs of tokens: of two alike functions most are the same."""
    return tuple(sorted({crc32(blind[at : at + GRAM]) for at in range(len(blind) - GRAM + 1)})[:SKETCH])


def band(tokens: int, similarity: float) -> tuple[int, int]:
    """How short and how long another function may be to be that similar."""
    share = similarity / (2 - similarity)
    return int(tokens * share), int(tokens / share) + 1


def likeness(one: bytes, other: bytes, least: float) -> float:
    """0 to 1; 0 where it is below the least."""
    return _normalized_similarity()(one, other, score_cutoff=least)


@cache
def _normalized_similarity() -> Callable[..., float]:
    from rapidfuzz.distance import Indel  # noqa: PLC0415 - forty modules, and few texts have functions to compare

    return Indel.normalized_similarity


# Up to so many are compared one by one; of more, those that share most values of their sketches, as the index on disk
# does it.
_FEW = 100
_SHARED = 2
_CANDIDATES = 60


class SimilarFunctions:
    def __init__(self, functions: Iterable[Placed]) -> None:
        self._functions: list[Placed] = sorted(functions, key=lambda each: each[1].tokens)
        self._lengths = [each.tokens for _, each in self._functions]
        self._holders: dict[int, list[int]] = {}

    def to(self, function: FunctionTokens, shortest: int, longest: int) -> Sequence[Placed]:
        """Those that are about as long as this one, and may be like it."""
        first, last = bisect_left(self._lengths, shortest), bisect_right(self._lengths, longest)
        if last - first <= _FEW:
            return self._functions[first:last]
        shared = Counter(chain.from_iterable(map(self._holding, sketch(function.blind))))
        near = [(-count, number) for number, count in shared.items() if count >= _SHARED and first <= number < last]
        near.sort(key=itemgetter(0))  # of equal ones that first which was found first
        return [self._functions[number] for _, number in near[:_CANDIDATES]]

    def _holding(self, value: int) -> list[int]:
        if not self._holders:
            self._holders = defaultdict(list)
            for number, (_, each) in enumerate(self._functions):
                for own in sketch(each.blind):
                    self._holders[own].append(number)
        return self._holders.get(value, [])


# What so many functions share says nothing about any two of them.
_COMMON = 500


class FunctionShape(NamedTuple):
    """A function by where it stands, its normalised tokens and the values it is found by."""

    path: str
    line: int
    end_line: int
    blind: bytes
    sketch: tuple[int, ...]

    @classmethod
    def of(cls, path: str, line: int, end_line: int, blind: bytes) -> FunctionShape:
        return cls(path, line, end_line, blind, sketch(blind))

    def lies_apart(self, other: FunctionShape) -> bool:
        """Neither is inside the other."""
        return self.path != other.path or self.end_line < other.line or other.end_line < self.line


def copies(forms: Iterable[FunctionShape], least: float) -> int:
    every = list(forms)
    holders: dict[int, list[int]] = defaultdict(list)
    for number, form in enumerate(every):
        for value in form.sketch:
            holders[value].append(number)
    alike = Counter(form.blind for form in every)
    copied = {number for number, form in enumerate(every) if alike[form.blind] > 1}
    for number in range(len(every)):
        if number not in copied:
            other = _like(number, every, holders, least)
            copied.update(() if other is None else (number, other))
    return len(copied)


def _like(number: int, every: Sequence[FunctionShape], holders: dict[int, list[int]], least: float) -> int | None:
    form = every[number]
    found: Counter[int] = Counter()
    for value in form.sketch:
        if len(holders[value]) <= _COMMON:
            found.update(holders[value])
    shortest, longest = band(len(form.blind), least)
    for other, shared in found.most_common(_CANDIDATES):
        near = every[other]
        fits = shared >= _SHARED and shortest <= len(near.blind) <= longest and form.lies_apart(near)
        if fits and likeness(form.blind, near.blind, least):
            return other
    return None
