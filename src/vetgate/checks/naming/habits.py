"""How names are written here: in the file, in the files beside it, in the language."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vetgate.checks.naming.conventions import CONVENTIONS, FUNCTION, TITLES, TYPE
from vetgate.checks.naming.styles import NameStyle, style_of
from vetgate.expression import expression
from vetgate.source.disk_cache import listed, read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vetgate.checks.naming.conventions import Convention
    from vetgate.checks.naming.names import Name
    from vetgate.source.syntax import Source

Tally = Counter[tuple[str, NameStyle]]

# So many names make a habit; so many times as many as of another kind make it a clear one.
_HABIT = 3
_CLEAR = 2
# A name that follows the language is told only where a file has settled on something else.
_SETTLED, _OVERWHELMING = 5, 4
_ON_PURPOSE = 2
_NEIGHBOURS = 8

# Roughly: only habits are read off these, so that a name too many or too few does not matter.
_MODIFIERS = r"(?:(?:export|default|public|private|protected|internal|static|async|pub(?:\(\w+\))?|abstract)[ \t]+)*"
_FUNCTIONS = expression(
    rf"^[ \t]*{_MODIFIERS}(?:def[ \t]+(?:self\.)?|fn[ \t]+|func[ \t]+(?:\([^)]*\)[ \t]*)?|function[ \t*]+|"
    r"(?:const|let)[ \t]+(?=\w+[ \t]*=[ \t]*(?:async[ \t]*)?\()|[\w<>\[\],.?]+[ \t]+(?=\w+\([^;]*\{?$))(\w+)",
    re.MULTILINE,
)
_TYPES = expression(r"^[ \t]*(?:\w+[ \t]+)*?(?:class|interface|struct|enum|trait|record|type)[ \t]+(\w+)", re.MULTILINE)


class Habits:
    """`own` are the names of the file, as far as they say anything about its habits."""

    def __init__(self, source: Source, own: Iterable[Name]) -> None:
        self._source = source
        self._language = source.language or ""
        self._own: Tally = Counter((name.kind, name.style) for name in own)
        self._near: Tally | None = None

    def expected(self, name: Name) -> tuple[NameStyle, str] | None:
        """The style that the name should have, and who has it so; None where it may be as it is."""
        convention = CONVENTIONS[self._language][name.kind]
        own = self._own - Counter({(name.kind, name.style): 1})
        if convention.fits(name.style):
            settled = _settled(own, name.kind, convention) if name.kind == FUNCTION else None
            return (settled, "this file") if settled is not None else None
        if name.style not in convention.odd:
            return None
        for who, tally in (("this file", own), ("the files beside it", self._around())):
            if sum(tally[name.kind, style] for style in NameStyle) >= _HABIT:
                style = _habit(tally, name, convention)
                return (style, who) if style is not None else None
        return convention.home, TITLES[self._language]

    def _around(self) -> Tally:
        """Of some files of the same language in the same folder."""
        if self._near is None:
            self._near = _neighbours(self._source)
        return self._near


def _habit(tally: Tally, name: Name, convention: Convention) -> NameStyle | None:
    """The style that others have and the name has not; None where others have its own, or every one another."""
    settled = _settled(tally, name.kind, convention)
    if settled is not None:
        return settled if settled is not name.style else None
    same = tally[name.kind, name.style]
    # Capitals at the start of a few functions are there for a reason: somebody else's interface.
    if name.style is NameStyle.PASCAL and same >= _ON_PURPOSE:
        return None
    is_clear = _fitting(tally, name.kind, convention) >= _CLEAR * max(same, 1)
    return _usual(tally, name.kind, convention) if is_clear else None


def _fitting(tally: Tally, kind: str, convention: Convention) -> int:
    return sum(tally[kind, style] for style in NameStyle if convention.fits(style))


def _settled(tally: Tally, kind: str, convention: Convention) -> NameStyle | None:
    """Another style than the language's that nearly all of the names have."""
    least = max(_SETTLED, _OVERWHELMING * _fitting(tally, kind, convention))
    others = convention.odd - {NameStyle.MIXED, NameStyle.JOINED}
    return next((style for style in others if tally[kind, style] >= least), None)


def _usual(tally: Tally, kind: str, convention: Convention) -> NameStyle:
    styles = [style for style in NameStyle if convention.fits(style)]
    return max(styles, key=lambda style: (tally[kind, style], style is convention.home))


def _neighbours(source: Source) -> Tally:
    found: Tally = Counter()
    if source.root is None:
        return found
    place = PurePosixPath(source.path)
    folder = f"{source.root}/{place.parent}"
    others = sorted(name for name in listed(folder) if name.endswith(place.suffix) and name != place.name)
    for name in others[:_NEIGHBOURS]:
        found.update(read(f"{folder}/{name}", _names_in) or {})
    return found


def _names_in(text: str) -> Tally:
    found: Tally = Counter()
    for kind, pattern in ((FUNCTION, _FUNCTIONS), (TYPE, _TYPES)):
        found.update((kind, style_of(name)) for name in pattern.findall(text))
    return found
