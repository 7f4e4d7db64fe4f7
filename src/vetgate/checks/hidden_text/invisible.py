"""Characters that a reader does not see, by what they do, and what may stand where."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from vetgate.checks.hidden_text.scripts import JOINING, RIGHT_TO_LEFT, UNSPACED, script
from vetgate.expression import expression
from vetgate.source.text_diff import LineCache

BIDI = "bidi-control"
INVISIBLE = "invisible-character"
TAG = "tag-character"
SEPARATOR = "line-separator"
CONTROL = "control-character"

_OPENS = {"\u202a": "\u202c", "\u202b": "\u202c", "\u2066": "\u2069", "\u2067": "\u2069", "\u2068": "\u2069"}
_CLOSES = frozenset(_OPENS.values())
_OVERRIDES = frozenset("\u202d\u202e")
_DIRECTION_MARKS = frozenset("\u200e\u200f\u061c")
_SELECTORS = expression("[\ufe00-\ufe0f\U000e0100-\U000e01ef\u180b-\u180d\u180f]")
_FLAG = expression("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
# Whether a sign is shown as a picture or as text. Some signs are letters to Unicode: the sign of information, bold and
# double-struck letters that stand for a name.
_PRESENTATION = frozenset("\ufe0e\ufe0f")
_LETTER_SIGN = expression("[\u2100-\u214f\U0001d400-\U0001d7ff]")
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
_SOFT_HYPHEN = "\u00ad"
_JOINERS = frozenset("\u200c\u200d")
_ZERO_WIDTH_SPACE = "\u200b"

# What a terminal obeys instead of showing it; a form feed and the end mark of old systems stand in old code.
_CONTROLS = expression("[\x01-\x08\x0e-\x19\x1b-\x1f\x7f]|\r(?![\r\n]|$)")
_RARE_BYTES = bytes(range(1, 9)) + bytes(range(0x0D, 0x1A)) + bytes(range(0x1B, 0x20)) + b"\x7f"
HIDDEN = expression(
    "(?:[\x01-\x08\x0e-\x19\x1b-\x1f\x7f]|\r(?![\r\n]|$))+|[\u0085\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_LINES = LineCache(lambda text: HIDDEN.search(text) is not None, "\n")
_BIDI = expression("[\u202a-\u202e\u2066-\u2069]")
_SEPARATORS = expression("[\u0085\u2028\u2029]")
_TAGS = expression("[\U000e0000-\U000e007f]")


@dataclass(frozen=True, slots=True)
class InvisibleRun:
    """Neighbouring characters that nobody sees, in their line."""

    text: str
    start: int
    end: int

    @property
    def characters(self) -> str:
        return self.text[self.start : self.end]

    @property
    def line(self) -> str:
        """Up to the next line feed, and no more of a long one than surrounds the run."""
        begin = max(self.text.rfind("\n", 0, self.start) + 1, self.start - 500)
        stop = self.text.find("\n", self.end)
        return self.text[begin : min(stop if stop >= 0 else len(self.text), self.end + 500)]

    @property
    def rule(self) -> str:
        if self.characters[0] < " " or self.characters[0] == "\x7f":
            return CONTROL
        for pattern, rule in ((_TAGS, TAG), (_BIDI, BIDI), (_SEPARATORS, SEPARATOR)):
            if pattern.search(self.characters):
                return rule
        return INVISIBLE

    def names(self) -> str:
        told = dict.fromkeys(
            f"U+{ord(each):04X} {unicodedata.name(each, '').lower()}".strip() for each in self.characters
        )
        rest = f" and {len(told) - 2} more" if len(told) > 2 else ""
        return ", ".join(list(told)[:2]) + rest


def is_plain(text: str) -> bool:
    """Whether there is certainly nothing to be found. Asked of every text, so by its bytes where that will do."""
    if not text.isascii():
        return False
    held = text.encode("ascii")
    return len(held.translate(None, _RARE_BYTES)) == len(held) or _CONTROLS.search(text) is None


def runs(text: str) -> list[InvisibleRun]:
    """All of them but a byte order mark at the start."""
    if not _LINES.may_hold(text):
        return []
    begin = 1 if text.startswith("\ufeff") else 0
    found = (InvisibleRun(text, match.start(), match.end()) for match in HIDDEN.finditer(text, begin))
    has_lines = "\n" in text
    return [run for run in found if has_lines or not run.characters.startswith("\r")]


def is_allowed(run: InvisibleRun, spoken: str) -> bool:
    """What its neighbours ask for: an emoji's parts, a script that joins, a language without spaces.

    `spoken` is the text it is part of, a string or a comment, in which some languages run from right to left; code is
    none, and its order is never to be changed.
    """
    rule = run.rule
    if rule == TAG:
        return _is_flag(run)
    if rule == BIDI:
        return _is_right_to_left(spoken) and is_balanced(spoken)
    if rule in {SEPARATOR, CONTROL}:
        return False
    return all(_has_reason(run, at, spoken) for at in range(run.start, run.end))


def _is_flag(run: InvisibleRun) -> bool:
    match = _FLAG.match(run.text, run.start - 1) if run.start else None
    return match is not None and match.end() == run.end


def is_balanced(spoken: str) -> bool:
    """Whether every embedding and isolate of a text ends in it, and none overrides the order."""
    if not _OVERRIDES.isdisjoint(spoken):
        return False
    waiting: list[str] = []
    for each in spoken:
        if each in _OPENS:
            waiting.append(_OPENS[each])
        elif each in _CLOSES and (not waiting or waiting.pop() != each):
            return False
    return not waiting


def _is_right_to_left(spoken: str) -> bool:
    return any(script(each) in RIGHT_TO_LEFT for each in spoken)


def _has_reason(run: InvisibleRun, at: int, spoken: str) -> bool:
    character = run.text[at]
    before, after = run.text[at - 1 : at] if at else "", run.text[at + 1 : at + 2]
    if _SELECTORS.match(character):
        return _may_be_varied(before) or (character in _PRESENTATION and _LETTER_SIGN.match(before) is not None)
    if character in _JOINERS:
        return script(before) in JOINING if before and script(before) else _joins_emoji(before, after)
    if character in _DIRECTION_MARKS:
        return _is_right_to_left(spoken)
    if character == _ZERO_WIDTH_SPACE:
        return any(each and script(each) in UNSPACED for each in (before, after))
    if character == _SOFT_HYPHEN:
        return before.isalpha() and after.isalpha() and not (before + after).isascii()
    return character in _FILLERS and any(each not in _FILLERS and script(each) == "Hangul" for each in before + after)


def _may_be_varied(before: str) -> bool:
    """A sign that has a picture, a digit of a keycap, an ideograph, a Mongolian letter."""
    if not before or HIDDEN.match(before):
        return False
    if before.isascii():
        return before in "0123456789#*"
    return unicodedata.category(before) in {"So", "Sm", "Sk", "Po", "No", "Pd", "Mn"} or script(before) in {
        "Han",
        "Mongolian",
        "Myanmar",
    }


def _joins_emoji(before: str, after: str) -> bool:
    pictures = ("So", "Sk", "Cn")
    drawn = bool(before) and (unicodedata.category(before) in pictures or before == "\ufe0f")
    return drawn and bool(after) and unicodedata.category(after) in pictures
