"""Which files are checked and which are tests, by globs as in .gitignore; the last glob that matches decides."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import PathSpec
    from pathspec.pattern import Pattern

# A glob becomes a regular expression that backtracks: each wildcard multiplies the time a long path can cost.
MOST_CHARACTERS = 400
_MOST_STARS = 3
_MOST_DEEP = 4
# Only these can make a glob that is no glob; the others need not be compiled to know.
_FRAGILE = frozenset("[]\\")
# Reserved inside of brackets by the regular expressions a glob is turned into.
_SET_OPERATORS = ("[[", "--", "&&", "~~", "||")


@dataclass(frozen=True, slots=True)
class Paths:
    """Paths are relative to the project's root with forward slashes; a file outside of it is absolute."""

    include: tuple[str, ...]
    exclude: tuple[str, ...]
    tests: tuple[str, ...]

    def checks(self, path: str) -> bool:
        return matches(self.include, path) and not matches(self.exclude, path)

    def is_test(self, path: str) -> bool:
        return matches(self.tests, path)


def matches(globs: tuple[str, ...], path: str) -> bool:
    return _spec(globs).match_file(path)


def complaint(glob: str) -> str:
    """What is wrong with a glob, or nothing."""
    if not glob.strip() or glob.lstrip().startswith("#"):
        return "matches nothing"
    if len(glob) > MOST_CHARACTERS or not glob.isprintable():
        return f"is longer than {MOST_CHARACTERS} characters, or has some that cannot be printed"
    if glob.count("**") > _MOST_DEEP or any(part.count("*") > _MOST_STARS for part in glob.split("/") if part != "**"):
        return f"has more than {_MOST_STARS} * in one part of a path, or more than {_MOST_DEEP} **"
    if not _FRAGILE.intersection(glob) and glob.strip() != "!":
        return ""
    if any(operator in glob for operator in _SET_OPERATORS):
        return "is not a glob"
    try:
        _spec((glob,))
    except (ValueError, re.error):  # pathspec's own pattern error is a ValueError
        return "is not a glob"
    return ""


@lru_cache(maxsize=64)
def _spec(globs: tuple[str, ...]) -> PathSpec[Pattern]:
    # Imported here: a process that only reads the configuration does not pay for the matcher.
    from pathspec import PathSpec  # noqa: PLC0415

    return PathSpec.from_lines("gitignore", globs)
