"""A unified diff as a change: its lines with their numbers; of what stands between its hunks nothing is known."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from vetgate.model import Change, File

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_NOTHING = "/dev/null"
_ESCAPED = re.compile(r"\\([0-7]{3}|.)")
_SPELLED = {"n": "\n", "t": "\t"}
_MOST_LINES = 2_000_000  # what the numbers of a hunk may claim


def read_diff(text: str, root: Path) -> Change:
    """Without files where the text is no diff."""
    reader = _DiffReader()
    for line, following in pairwise((*text.split("\n"), "")):
        reader.take(line, following)
    return Change(root, files=tuple(reader.files()))


class _DiffFile:
    """The text before and after, with empty lines for what the diff leaves out, so that the numbers are right."""

    def __init__(self, before: str, after: str) -> None:
        self.before, self.after = before, after
        self.old: list[str] = []
        self.new: list[str] = []

    def fill(self, until: int) -> None:
        """The same number on both sides: what lies between two hunks is what did not change."""
        missing = min(until, _MOST_LINES) - len(self.new)
        for side in (self.old, self.new):
            side.extend(["\n"] * missing)

    def file(self) -> File:
        if self.after == _NOTHING:
            return File(self.before, "".join(self.old), None)
        if self.before == _NOTHING:
            return File(self.after, None, "".join(self.new))
        was = self.before if self.before != self.after else ""
        return File(self.after, "".join(self.old), "".join(self.new), was)


class _DiffReader:
    """`_olds` and `_news` are the lines that a hunk still has to come; outside of one both are 0."""

    def __init__(self) -> None:
        self._files: list[_DiffFile] = []
        self._olds = self._news = 0

    def take(self, line: str, following: str) -> None:
        if self._olds or self._news:
            self._body(line)
        elif line.startswith("--- ") and following.startswith("+++ "):
            self._files.append(_DiffFile(_name(line, "a/"), _name(following, "b/")))
        elif self._files and (hunk := _HUNK.match(line)):
            self._olds, self._news = int(hunk[1] or 1), int(hunk[3] or 1)
            self._files[-1].fill(int(hunk[2]) - min(1, self._news))

    def files(self) -> Iterator[File]:
        return (each.file() for each in self._files)

    def _body(self, line: str) -> None:
        sign, text, file = line[:1] or " ", f"{line[1:]}\n", self._files[-1]
        if sign in " -":
            file.old.append(text)
            self._olds = max(0, self._olds - 1)
        if sign in " +":
            file.new.append(text)
            self._news = max(0, self._news - 1)


def _name(line: str, prefix: str) -> str:
    name = line[4:].rstrip("\r").partition("\t")[0]
    if name.startswith('"') and name.endswith('"'):
        raw = _ESCAPED.sub(lambda found: _unescaped(found[1]), name[1:-1])
        name = raw.encode("latin-1", "ignore").decode("utf-8", "surrogateescape")
    return name.removeprefix(prefix)


def _unescaped(spelled: str) -> str:
    return chr(int(spelled, 8)) if spelled.isdigit() else _SPELLED.get(spelled, spelled)
