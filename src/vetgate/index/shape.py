"""What a function looks like: a byte per token, a sketch to find its like by, and how much two are alike."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING
from zlib import crc32

from rapidfuzz.distance import Indel

from vetgate.source.language import grammar

if TYPE_CHECKING:
    from collections.abc import Mapping

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


def sketch(blind: bytes) -> list[int]:
    """The lowest hashes of all runs of tokens: of two alike functions most are the same."""
    return sorted({crc32(blind[at : at + GRAM]) for at in range(len(blind) - GRAM + 1)})[:SKETCH]


def band(tokens: int, similarity: float) -> tuple[int, int]:
    """How short and how long another function may be to be that similar."""
    share = similarity / (2 - similarity)
    return int(tokens * share), int(tokens / share) + 1


def likeness(one: bytes, other: bytes, least: float) -> float:
    """0 to 1; 0 where it is below the least."""
    return Indel.normalized_similarity(one, other, score_cutoff=least)
