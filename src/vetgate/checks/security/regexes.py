"""Regular expressions that take exponential time: a repeated group that can match the same text in several ways."""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from vetgate.expression import expression

_SAMPLE = "aZ0_ -.,/:;@\t'\"<>=+"
_LETTERS = 60
_LONGEST = 6
_DEEPEST = 12
_LONGEST_PATTERN = 600
_NAMED = expression(r"\(\?<(?=[A-Za-z])")


@lru_cache(maxsize=256)
def exponential(pattern: str, *, whole: bool = True) -> bool:
    """Whether some repeated group matches a letter's repetition in two lengths: then a run of it can be cut anyhow.

    That costs time only when something behind the group fails; `whole` says that the text has to end there.
    """
    if len(pattern) > _LONGEST_PATTERN or not re.search(r"\)[*+{]", pattern):
        return False
    try:
        with warnings.catch_warnings(action="ignore"):  # what Python thinks of another language's expressions
            parsed = _parser.parse(_NAMED.sub("(?P<", pattern))
    except (re.error, OverflowError, RecursionError):
        return False
    return _any_ambiguous(parsed, _SAMPLE + "".join(sorted(set(pattern)))[:_LETTERS], whole=whole)


def _any_ambiguous(parsed: Any, letters: str, *, whole: bool) -> bool:
    pending = [(parsed, whole)]
    while pending:
        sequence, may_fail = pending.pop()
        for kind, value in reversed(list(sequence)):
            if kind in _REPEATS and may_fail and value[1] == op.MAXREPEAT and _ambiguous(value[2], letters):
                return True
            pending.extend((inner, may_fail) for inner in _inner(kind, value))
            may_fail = may_fail or _can_fail(kind, value)
    return False


def _inner(kind: Any, value: Any) -> list[Any]:
    if kind in _REPEATS:
        return [value[2]]
    if kind == op.SUBPATTERN:
        return [value[-1]]
    return list(value[1]) if kind == op.BRANCH else []


def _can_fail(kind: Any, value: Any) -> bool:
    """Whether what stands behind a group may refuse the text: all but what may be left out."""
    if kind in _REPEATS:
        return bool(value[0] > 0)
    if kind == op.SUBPATTERN:
        return any(_can_fail(*each) for each in value[-1])
    if kind == op.BRANCH:
        return all(any(_can_fail(*each) for each in branch) for branch in value[1])
    return kind != op.AT or value not in {op.AT_BEGINNING, op.AT_BEGINNING_STRING}


def _ambiguous(body: Any, letters: str) -> bool:
    return any(len(_lengths(body, letter, 0) - {0}) > 1 for letter in letters)


def _lengths(sequence: Any, letter: str, depth: int) -> set[int]:
    """How often `letter`, repeated, can be what the sequence matches; up to a few."""
    found = {0}
    for kind, value in sequence:
        each = _lengths_of(kind, value, letter, depth + 1)
        found = {a + b for a in found for b in each if a + b <= _LONGEST}
        if not found:
            break
    return found


def _lengths_of(kind: Any, value: Any, letter: str, depth: int) -> set[int]:
    if depth > _DEEPEST:
        return set()
    if kind in _REPEATS:
        return _repeated(value, letter, depth)
    if kind == op.SUBPATTERN:
        return _lengths(value[-1], letter, depth)
    if kind == op.BRANCH:
        return set().union(*(_lengths(branch, letter, depth) for branch in value[1]))
    if kind in {op.AT, op.ASSERT, op.ASSERT_NOT}:
        return set()
    return {1} if _accepts(kind, value, letter) else set()


def _repeated(value: Any, letter: str, depth: int) -> set[int]:
    least, most, body = value
    once = _lengths(body, letter, depth)
    total, found = {0}, {0} if least == 0 else set()
    for times in range(1, min(int(most), _LONGEST) + 1):
        total = {a + b for a in total for b in once if a + b <= _LONGEST}
        if times >= least:
            found |= total
    return found


def _accepts(kind: Any, value: Any, letter: str) -> bool:
    if kind == op.LITERAL:
        return chr(value) == letter
    if kind == op.NOT_LITERAL:
        return chr(value) != letter
    if kind == op.ANY:
        return True
    return kind == op.IN and _in_class(value, letter)


def _in_class(members: Any, letter: str) -> bool:
    negated = any(kind == op.NEGATE for kind, _ in members)
    inside = any(_is_member(kind, value, letter) for kind, value in members)
    return inside is not negated


def _is_member(kind: Any, value: Any, letter: str) -> bool:
    if kind == op.LITERAL:
        return chr(value) == letter
    if kind == op.RANGE:
        return bool(value[0] <= ord(letter) <= value[1])
    category = _CATEGORIES.get(value) if kind == op.CATEGORY else None
    return category is not None and re.fullmatch(category, letter) is not None


_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT)
_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
}
