"""What the pattern of a kind may be made of, and with which letters it begins.

Only literals, character classes, alternatives and repetitions with an upper bound, and no repetition inside another
that has no fixed number. Tried only where a literal stands and reaching only so far, a pattern takes at most so many
steps at a place, whatever the text: the time of a scan grows with its length and no faster.
"""

from __future__ import annotations

from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

WIDEST = 3_000
MOST_OPEN = 6
LEAST_START = 2
MOST_STARTS = 40
MOST_MEMBERS = 6


class NotLinear(ValueError):  # noqa: N818 - a fact about a pattern
    """Nobody can say that this pattern takes a number of steps that has a bound."""


def prove(pattern: str) -> None:
    """Raise NotLinear, with the reason, unless the pattern's time has a bound."""
    try:
        parsed = _parser.parse(pattern)
    except _parser.error as error:
        raise NotLinear(f"it cannot be read: {error}") from None
    _, widest = parsed.getwidth()
    if widest > WIDEST:
        raise NotLinear(f"it can match {widest} characters, and {WIDEST} is the most")
    if _open_repeats(parsed) > MOST_OPEN:
        raise NotLinear(f"more than {MOST_OPEN} repetitions without a fixed number")


def _open_repeats(sequence: Any) -> int:
    count = 0
    for kind, value in sequence:
        if kind == op.MAX_REPEAT:
            least, most, body = value
            inside = _open_repeats(body)
            if inside and most > 1:
                raise NotLinear("a repetition inside of a repetition")
            count += inside + (least != most)
        elif kind == op.SUBPATTERN:
            count += _open_repeats(value[-1])
        elif kind == op.BRANCH:
            count += max(_open_repeats(branch) for branch in value[1])
        elif kind not in {op.LITERAL, op.IN}:
            raise NotLinear(f"{str(kind).lower()} is not one of the parts a pattern may be made of")
    return count


def starts(pattern: str) -> tuple[str, ...]:
    """The texts one of which every match begins with."""
    return tuple(dict.fromkeys(_starts(list(_parser.parse(pattern)))))


def _starts(sequence: list[Any]) -> list[str]:
    found = [""]
    for position, (kind, value) in enumerate(sequence):
        texts = _texts(kind, value)
        if texts is None or len(found) * len(texts) > MOST_STARTS:
            break
        if kind == op.MAX_REPEAT:  # what may be left out: both ways go on with the rest
            rest = _starts(sequence[position + 1 :])
            return [each + more + after for each in found for more in texts for after in ([""] if more else rest)]
        found = [each + more for each in found for more in texts]
    return found


def _texts(kind: Any, value: Any) -> list[str] | None:
    """All that a part can match, when that is a few fixed texts."""
    if kind == op.LITERAL:
        return [chr(value)]
    if kind == op.IN:
        return _members(value)
    if kind == op.SUBPATTERN:
        return _joined(list(value[-1]))
    if kind == op.BRANCH:
        branches = [_joined(list(branch)) for branch in value[1]]
        return None if None in branches else [text for branch in branches for text in branch or ()]
    if kind == op.MAX_REPEAT and value[:2] == (0, 1):
        once = _joined(list(value[2]))
        return None if once is None else [*once, ""]
    return None


def _joined(sequence: list[Any]) -> list[str] | None:
    found = [""]
    for kind, value in sequence:
        texts = _texts(kind, value)
        if texts is None:
            # The head of an alternative is better than nothing.
            return found if all(found) else None
        found = [each + more for each in found for more in texts]
    return found


def _members(members: list[tuple[Any, Any]]) -> list[str] | None:
    found: list[str] = []
    for kind, value in members:
        if kind not in {op.LITERAL, op.RANGE}:
            return None
        first, last = (value, value) if kind == op.LITERAL else value
        found += map(chr, range(first, last + 1))
    return found if len(found) <= MOST_MEMBERS else None
