"""Globs as in .gitignore, matched in time proportional to the lengths of path and glob.

Our own because the file may come from a stranger and the path from an agent: a glob that becomes one regular
expression backtracks, and a few stars in each of two folders are enough to hang it for minutes. Here `**` between
folders, and `*` between letters, simply take the leftmost match of what follows them, which is always enough.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_CHARACTERS = 400
_STAR = ""


class Glob:
    """One glob. It matches a file, or a folder and so everything in it."""

    def __init__(self, text: str) -> None:
        """Raise ValueError, saying why, for what is no glob."""
        body = _without_trailing_spaces(text)
        self.negated = body.startswith("!")
        *folders, last = body[self.negated :].split("/")
        names = [re.sub(r"^\*{2,}$", "**", name) for name in (*folders, last) if name]
        if not names or body.startswith("#"):
            raise ValueError("matches nothing")
        # As in git: a glob with a slash before its end starts at the root, one without is found at any depth.
        if len(folders) == 0 or (len(folders) == 1 and not last):
            names.insert(0, "**")
        # How much of a path is left for what is inside, when `folder/` or `folder/**` has found the folder.
        self._inside = (names[-1] == "**") + (not last)
        self._runs: list[list[_Name]] = [[]]
        for name in names:
            if name == "**":
                self._runs.append([])
            else:
                self._runs[-1].append(_Name(name))

    def matches(self, names: list[str]) -> bool:
        """`names` are the folders of a path and its file."""
        first, *others = self._runs
        if not _fits(first, names, 0):
            return False
        position = len(first)
        for run in others:
            starts = range(position, len(names) - len(run) + 1)
            found = next((start for start in starts if _fits(run, names, start)), None)
            if found is None:
                return False
            position = found + len(run)
        return len(names) - position >= self._inside


class Globs:
    """A list of globs: the last one that matches decides, and one that begins with ! takes back."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        self._last_first = [Glob(text) for text in reversed(texts)]

    def match(self, path: str) -> bool:
        names = [name for name in path.split("/") if name not in {"", "."}]
        return next((not glob.negated for glob in self._last_first if glob.matches(names)), False)


@lru_cache(maxsize=64)
def compiled(globs: tuple[str, ...]) -> Globs:
    return Globs(globs)


def complaint(text: str) -> str:
    """What is wrong with a glob, or nothing."""
    if len(text) > MOST_CHARACTERS or not text.isprintable():
        return f"is longer than {MOST_CHARACTERS} characters, or has some that cannot be printed"
    try:
        Glob(text)
    except ValueError as error:
        return str(error)
    return ""


def _fits(run: list[_Name], names: list[str], start: int) -> bool:
    if start + len(run) > len(names):
        return False
    return all(name.matches(names[start + offset]) for offset, name in enumerate(run))


class _Name:
    """The glob of one folder or file: what stands before, between and after its stars."""

    def __init__(self, text: str) -> None:
        tokens = [_STAR, *_tokens(text), _STAR]
        stars = [index for index, token in enumerate(tokens) if token == _STAR]
        self._pieces = [_Piece(tokens[start + 1 : end]) for start, end in pairwise(stars)]

    def matches(self, name: str) -> bool:
        first, *others = self._pieces
        if not first.at(name, 0):
            return False
        if not others:
            return len(name) == first.length
        position = first.length
        for piece in others[:-1]:
            found = piece.find(name, position)
            if found < 0:
                return False
            position = found + piece.length
        end = len(name) - others[-1].length
        return end >= position and others[-1].at(name, end)


class _Piece:
    """A fixed number of characters, each given as a regular expression; without special ones, plain text."""

    def __init__(self, tokens: list[str]) -> None:
        self.length = len(tokens)
        self._pattern = re.compile("".join(tokens), re.DOTALL) if any(token[0] in ".[" for token in tokens) else None
        self._text = "".join(token[-1] for token in tokens)

    def at(self, name: str, position: int) -> bool:
        if self._pattern is None:
            return name.startswith(self._text, position)
        return self._pattern.match(name, position) is not None

    def find(self, name: str, position: int) -> int:
        if self._pattern is None:
            return name.find(self._text, position)
        found = self._pattern.search(name, position)
        return found.start() if found else -1


def _tokens(text: str) -> Iterator[str]:
    """Stars, and a regular expression for each single character: escaped letter, `.` or a class in brackets."""
    position = 0
    while position < len(text):
        char = text[position]
        end = position + 1
        if char == "*":
            yield _STAR
        elif char == "?":
            yield "."
        elif char == "\\":
            end += 1
            yield re.escape(_escaped(text, position + 1))
        elif char == "[":
            end = _closing(text, position) + 1
            yield _class(text[position + 1 : end - 1])
        else:
            yield re.escape(char)
        position = end


def _escaped(text: str, position: int) -> str:
    if position >= len(text):
        raise ValueError("is not a glob: nothing follows the backslash")
    return text[position]


def _closing(text: str, opening: int) -> int:
    start = opening + (2 if text[opening + 1 : opening + 2] in {"!", "^"} else 1)
    close = text.find("]", start + 1)
    if close < 0:
        raise ValueError("is not a glob: a bracket is not closed")
    return close


def _class(body: str) -> str:
    negated = body[0] in "!^"
    members = body[negated:]
    if "\\" in members or "[" in members:
        raise ValueError("is not a glob: a backslash or a bracket in brackets")
    expression, position = "", 0
    while position < len(members):
        low, high = members[position], members[position]
        if members[position + 1 : position + 2] == "-" and position + 2 < len(members):
            high = members[position + 2]
            position += 2
        if low > high:
            raise ValueError(f"is not a glob: the range {low}-{high} is empty")
        expression += f"{re.escape(low)}-{re.escape(high)}"
        position += 1
    return f"[{'^' if negated else ''}{expression}]"


def _without_trailing_spaces(text: str) -> str:
    stripped = text.rstrip(" ")
    escaped = (len(stripped) - len(stripped.rstrip("\\"))) % 2 == 1
    return f"{stripped} " if escaped and stripped != text else stripped
