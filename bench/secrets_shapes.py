"""Text at random from the description of its shape: `AKIA[A-Z2-7]{16}`, `ghp_<crc62:30>`, `(eu|us)-<uuid>`.

A shape is a regular expression cut down to literals, classes, groups with alternatives, `?`, `{n}` and `{m,n}`, and
`<name:argument>` for what no expression can say: checksums, encodings, keys. No value is ever committed: a corpus of
shapes holds nothing that a scanner of repositories could take for a key.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import TYPE_CHECKING

from secrets_makers import MAKERS

if TYPE_CHECKING:
    from random import Random

ESCAPED = {"d": string.digits, "w": string.ascii_letters + string.digits + "_"}


class ShapeError(ValueError):
    """A shape that cannot be read."""


def value_of(shape: str, rng: Random) -> str:
    reader = _Reader(shape, rng)
    value = reader.alternatives("")
    if reader.at < len(shape):
        raise ShapeError(f"`{shape}` has a stray `{shape[reader.at]}`")
    return value


@dataclass
class _Reader:
    """Reads and makes in one go; an atom that repeats is read again from its start."""

    shape: str
    rng: Random
    at: int = 0

    def alternatives(self, closing: str) -> str:
        made = [self.sequence(closing)]
        while self.peek() == "|":
            self.at += 1
            made.append(self.sequence(closing))
        return self.rng.choice(made)

    def sequence(self, closing: str) -> str:
        parts = []
        while self.at < len(self.shape) and self.peek() not in {"|", closing}:
            start = self.at
            first = self.atom()
            least, most = self.times()
            end = self.at
            wanted = self.rng.randint(least, most)
            parts.append(first if wanted else "")
            for _ in range(wanted - 1):
                self.at = start
                parts.append(self.atom())
            self.at = end
        return "".join(parts)

    def atom(self) -> str:
        char = self.take()
        if char == "\\":
            escaped = self.take()
            return self.rng.choice(ESCAPED.get(escaped, escaped))
        if char == "[":
            return self.rng.choice(self.members())
        if char == "(":
            made = self.alternatives(")")
            self.at += 1
            return made
        return self.made() if char == "<" else char

    def members(self) -> str:
        found = ""
        while (char := self.take()) != "]":
            if char == "\\":
                escaped = self.take()
                found += ESCAPED.get(escaped, escaped)
            elif self.peek() == "-" and self.shape[self.at + 1] != "]":
                self.at += 1
                found += "".join(map(chr, range(ord(char), ord(self.take()) + 1)))
            else:
                found += char
        return found

    def times(self) -> tuple[int, int]:
        if self.peek() == "?":
            self.at += 1
            return 0, 1
        if self.peek() != "{":
            return 1, 1
        end = self.shape.index("}", self.at)
        least, _, most = self.shape[self.at + 1 : end].partition(",")
        self.at = end + 1
        return int(least), int(most or least)

    def made(self) -> str:
        depth, start = 1, self.at
        while depth:
            depth += {"<": 1, ">": -1}.get(self.take(), 0)
        name, _, argument = self.shape[start : self.at - 1].partition(":")
        if name not in MAKERS:
            raise ShapeError(f"`{self.shape}`: there is no <{name}>; there are: {', '.join(sorted(MAKERS))}")
        return MAKERS[name](argument, self.rng, value_of)

    def peek(self) -> str:
        return self.shape[self.at] if self.at < len(self.shape) else "\0"

    def take(self) -> str:
        if self.at >= len(self.shape):
            raise ShapeError(f"`{self.shape}` ends too early")
        self.at += 1
        return self.shape[self.at - 1]
