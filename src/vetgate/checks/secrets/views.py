"""A text as the program reads it that it is written for: without what such a program drops, with what it puts together.

Every view knows where in the text its bytes come from. None is made unless something in the text calls for it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

NULS, ESCAPES, QUOTES, LINES = "with NUL bytes in it", "written with escapes", "in quoted pieces", "over several lines"
_NUL = re.compile(rb"\0+")
_ESCAPE = re.compile(
    rb"\\(?:u\{?00([0-7][0-9a-fA-F])\}?|U000000([0-7][0-9a-fA-F])|x([0-7][0-9a-fA-F])|0?([01][0-7]{2}))"
)
# "AK" + "IA", "AK" .. "IA", 'AK' 'IA' over two lines; and what a shell drops inside of a word.
_JOINED = re.compile(
    rb"""["'`][ \t]{0,20}(?:[+&~^,]|\.{1,2}|\|\||<>)?[ \t]{0,20}\\?(?:\r?\n[ \t]{0,80})?[+&.]?[ \t]{0,8}["'`]"""
)
_IN_A_WORD = re.compile(
    rb"""(?<=[A-Za-z0-9_+/=.-])(?:["']{1,8}|\$["']|\\)(?=[A-Za-z0-9_+/=.-])|(?:["']\$["'])|["']{2,8}"""
)
_CONTINUED = re.compile(rb"[\\^`][ \t]{0,8}\r?\n[ \t]{0,200}")
_INDENTED = re.compile(rb"""["']?[ \t]{0,8}\r?\n[ \t]{1,80}["']?(?=[A-Za-z0-9_+/=.-]{4})""")
_NO_QUOTES = frozenset("json jsonc json5 ipynb xml plist svg html htm css csv tsv tfstate lock map".split())
_YAML = frozenset({"yml", "yaml"})


@dataclass(slots=True)
class TextView:
    """`places` are where something was changed in `data`, and how far the text it was made from is `ahead` there."""

    how: str
    data: bytes
    places: list[int] = field(default_factory=list)
    ahead: list[int] = field(default_factory=list)
    made_from: TextView | None = None

    def origin(self, place: int) -> int:
        """Where in the text itself this stands."""
        step = bisect_right(self.places, place)
        before = place + (self.ahead[step - 1] if step else 0)
        return self.made_from.origin(before) if self.made_from else before


def views(kind: str, data: bytes) -> Iterator[TextView]:
    """Of a text that no grammar reads, one made from the other; `kind` as its name tells."""
    here = TextView("", data)
    for how, pattern, hints, kinds in _STEPS:
        if _is_for(kind, kinds) and any(hint in here.data for hint in hints) and pattern.search(here.data):
            here = _changed(how, here, pattern)
            yield here


def without_nuls(data: bytes) -> TextView:
    return _changed(NULS, TextView("", data), _NUL)


# In this order: what a program drops, then what it reads in another way, then what it puts together.
_STEPS: tuple[tuple[str, re.Pattern[bytes], tuple[bytes, ...], str], ...] = (
    (NULS, _NUL, (b"\0",), ""),
    (LINES, _CONTINUED, (b"\\", b"^", b"`"), ""),
    (LINES, _INDENTED, (b":",), "yaml"),
    (ESCAPES, _ESCAPE, (b"\\",), ""),
    (QUOTES, _JOINED, (b"'", b'"', b"`"), "words"),
    (QUOTES, _IN_A_WORD, (b"'", b'"', b"\\"), "words"),
)


def _is_for(kind: str, kinds: str) -> bool:
    if kinds == "yaml":
        return kind in _YAML
    return not kinds or kind not in _NO_QUOTES


def _sign(found: re.Match[bytes]) -> bytes:
    octal = found[4]
    return bytes([int(octal, 8) if octal else int(found[1] or found[2] or found[3], 16)])


def _changed(how: str, view: TextView, pattern: re.Pattern[bytes]) -> TextView:
    data = view.data
    parts: list[bytes] = []
    changed = TextView(how, b"", made_from=view)
    behind = size = 0
    for found in pattern.finditer(data):
        parts += (data[behind : found.start()], _sign(found) if pattern is _ESCAPE else b"")
        size += len(parts[-2]) + len(parts[-1])
        behind = found.end()
        changed.places.append(size)
        changed.ahead.append(behind - size)
    changed.data = b"".join((*parts, data[behind:]))
    return changed
