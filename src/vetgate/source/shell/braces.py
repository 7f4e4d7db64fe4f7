"""Brace expansion: {a,b} and {1..3}."""

from __future__ import annotations

from vetgate.expression import expression
from vetgate.source.shell.marks import CLOSE, COMMA, OPEN, without_braces

_MOST = 256
_INNERMOST = expression(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}")
_RANGE = expression(r"(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?")


def expanded(text: str) -> list[str]:
    """The words that one word stands for, in a bounded number."""
    if OPEN not in text:
        return [without_braces(text)]
    done: list[str] = []
    pending = [text]
    while pending and len(done) + len(pending) < _MOST:
        current = pending.pop()
        found = next((match for match in _INNERMOST.finditer(current) if _alternatives(match[1])), None)
        if found is None:
            done.append(without_braces(current))
            continue
        pieces = _alternatives(found[1])
        pending += [current[: found.start()] + piece + current[found.end() :] for piece in reversed(pieces)]
    return done + [without_braces(each) for each in reversed(pending)]


def _alternatives(inner: str) -> list[str]:
    if COMMA in inner:
        return inner.split(COMMA)
    span = _RANGE.fullmatch(inner)
    return _range(span[1], span[2]) if span else []


def _range(first: str, last: str) -> list[str]:
    if first.isalpha() != last.isalpha():
        return []
    low, high = (ord(first), ord(last)) if first.isalpha() else (int(first), int(last))
    step = 1 if low <= high else -1
    numbers = range(low, high + step, step)[:_MOST]
    return [chr(number) if first.isalpha() else str(number) for number in numbers]
