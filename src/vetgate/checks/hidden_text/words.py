"""Words that are not what they look like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.checks.hidden_text.scripts import CYRILLIC, LATIN, is_all_looks, passes_for_latin, script, skeleton
from vetgate.checks.hidden_text.text_kinds import TextKind
from vetgate.expression import expression
from vetgate.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.hidden_text.text_kinds import TextKinds

_WORD = expression(r"[^\W\d]\w{0,99}")  # what is longer is no name
_WIDE = expression("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]+")
_SPOKEN = frozenset({TextKind.COMMENT, TextKind.PROSE, TextKind.INSTRUCTIONS})


def disguised(text: str, places: TextKinds) -> Iterator[tuple[int, str, Severity]]:
    """Each word that passes for another one: where it is, and how bad that is there."""
    # No word reaches over a line, and most lines hold none of another script.
    foreign = {
        match[0]
        for line in text.split("\n")
        if not line.isascii()
        for match in _WORD.finditer(line)
        if not match[0].isascii()
    }
    speaks_cyrillic = any(_is_open(word) for word in foreign)
    guilty = {word for word in foreign if passes_for_latin(word)}
    doubles = {word for word in foreign - guilty if is_all_looks(word)}
    if not guilty and not doubles:
        return
    plain = {match[0] for match in _WORD.finditer(text) if match[0].isascii()}
    for match in _WORD.finditer(text):
        word = match[0]
        if word in guilty or word in doubles:
            severity = _severity(word, places.at(match.start()), skeleton(word) in plain, speaks_cyrillic)
            if severity is not None and (word in guilty or severity is Severity.ERROR or not speaks_cyrillic):
                yield match.start(), word, severity


def _is_open(word: str) -> bool:
    """A word of another script that nobody takes for Latin."""
    return all(script(each) != LATIN for each in word) and not is_all_looks(word)


def _severity(word: str, place: TextKind, has_double: bool, speaks: bool) -> Severity | None:  # noqa: FBT001 - one call
    if place in _SPOKEN:
        return None
    if place is TextKind.CODE:
        return Severity.ERROR if has_double or passes_for_latin(word) else Severity.WARNING
    # East Asian text writes foreign words as wide as its own.
    if _WIDE.fullmatch(word):
        return None
    # In Russian a foreign word takes a Russian ending.
    if is_all_looks(word) or (speaks and script(word[-1]) == CYRILLIC):
        return None
    return Severity.WARNING
