"""Globs as in .gitignore, matched in linear time; which files they check, and which are tests.

Our own because the file may come from a stranger and the path from an agent: a glob that becomes one regular
expression backtracks, and a few stars in each of two folders are enough to hang it. Here `**` between
folders, and `*` between letters, simply take the leftmost match of what follows them, which is always enough.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
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
        runs: list[list[str]] = [[]]
        for name in names:
            if name == "**":
                runs.append([])
            else:
                runs[-1].append(name)
        self._first = _NameRun(runs[0])
        self._others = [_NameRun(run) for run in runs[1:] if run]
        # Text that every path it matches must hold: most paths are told apart by that alone.
        self.needle: str = max((run.needle for run in (self._first, *self._others)), key=len)

    def matches(self, names: list[str]) -> bool:
        """`names` are the folders of a path and its file."""
        if not self._first.at(names, 0):
            return False
        position = self._first.length
        for run in self._others:
            found = run.find(names, position)
            if found < 0:
                return False
            position = found + run.length
        return len(names) - position >= self._inside


class Globs:
    """A list of globs: the last one that matches decides, and one that begins with ! takes back."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        self._last_first = [Glob(text) for text in reversed(texts)]

    def match(self, path: str) -> bool:
        names = [name for name in path.split("/") if name not in {"", "."}]
        for glob in self._last_first:
            if glob.needle in path and glob.matches(names):
                return not glob.negated
        return False


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


class _NameRun:
    """Names that follow each other in a path, with no `**` between them."""

    def __init__(self, names: list[str]) -> None:
        self.length = len(names)
        self._names = [_NameGlob(name) for name in names]
        self.needle: str = max((name.needle for name in self._names), key=len, default="")

    def at(self, names: list[str], start: int) -> bool:
        if start + self.length > len(names):
            return False
        return all(name.matches(names[start + offset]) for offset, name in enumerate(self._names))

    def find(self, names: list[str], position: int) -> int:
        for start in range(position, len(names) - self.length + 1):
            if self.at(names, start):
                return start
        return -1


class _NameGlob:
    """The glob of one folder or file: what stands before, between and after its stars."""

    def __init__(self, text: str) -> None:
        tokens = [_STAR, *_tokens(text), _STAR]
        stars = [index for index, token in enumerate(tokens) if token == _STAR]
        self._first, *others = (_GlobPiece(tokens[start + 1 : end]) for start, end in pairwise(stars))
        self._between, self._last = others[:-1], others[-1] if others else None
        self.needle: str = max((piece.needle for piece in (self._first, *others)), key=len)

    def matches(self, name: str) -> bool:
        if not self._first.at(name, 0):
            return False
        if self._last is None:
            return len(name) == self._first.length
        end = len(name) - self._last.length
        if end < self._first.length or not self._last.at(name, end):
            return False
        position = self._first.length
        for piece in self._between:
            found = piece.find(name, position)
            if found < 0:
                return False
            position = found + piece.length
        return position <= end


class _GlobPiece:
    """A fixed number of characters, each given as a regular expression; without special ones, plain text."""

    def __init__(self, tokens: list[str]) -> None:
        self.length = len(tokens)
        self._pattern = re.compile("".join(tokens), re.DOTALL) if any(token[0] in ".[" for token in tokens) else None
        self._text = "".join(token[-1] for token in tokens)
        self.needle: str = self._text if self._pattern is None else ""

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


@dataclass(frozen=True, slots=True)
class PathFilter:
    """Paths are relative to the project's root with forward slashes; a file outside of it is absolute."""

    include: tuple[str, ...]
    exclude: tuple[str, ...]
    tests: tuple[str, ...]

    def checks(self, path: str) -> bool:
        return compiled(self.include).match(path) and not compiled(self.exclude).match(path)

    def is_test(self, path: str) -> bool:
        return compiled(self.tests).match(path)

    def enters(self, folder: str) -> bool:
        """Whether anything in this folder may be checked; a glob that takes something back leaves that open."""
        return _enters(self.exclude, folder)


@lru_cache(maxsize=10_000)
def _enters(exclude: tuple[str, ...], folder: str) -> bool:
    """Of the same folders whenever every file of a project is looked at."""
    return any(glob.startswith("!") for glob in exclude) or not compiled(exclude).match(f"{folder}/-")
