"""Scripts of letters, and letters of one that pass for those of another (after Unicode's report 39).

Python knows no scripts. Only what decides is here: which letters join, which run from right to left, and which scripts
a name may mix with Latin.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import lru_cache

LATIN = "Latin"
CYRILLIC = "Cyrillic"
GREEK = "Greek"

# (first, last, script), in order. Blocks, not single code points: what is not assigned does not occur in a name.
_RANGES = (
    (0x0041, 0x024F, LATIN),
    (0x0250, 0x02AF, LATIN),
    (0x0370, 0x03FF, GREEK),
    (0x0400, 0x052F, CYRILLIC),
    (0x0531, 0x058F, "Armenian"),
    (0x0590, 0x05FF, "Hebrew"),
    (0x0600, 0x06FF, "Arabic"),
    (0x0700, 0x074F, "Syriac"),
    (0x0750, 0x077F, "Arabic"),
    (0x0780, 0x07BF, "Thaana"),
    (0x07C0, 0x07FF, "Nko"),
    (0x0840, 0x085F, "Mandaic"),
    (0x0860, 0x08FF, "Arabic"),
    (0x0900, 0x0DFF, "Indic"),
    (0x0E00, 0x0E7F, "Thai"),
    (0x0E80, 0x0EFF, "Lao"),
    (0x0F00, 0x0FFF, "Tibetan"),
    (0x1000, 0x109F, "Myanmar"),
    (0x10A0, 0x10FF, "Georgian"),
    (0x1100, 0x11FF, "Hangul"),
    (0x1200, 0x139F, "Ethiopic"),
    (0x13A0, 0x13FF, "Cherokee"),
    (0x1400, 0x167F, "Canadian"),
    (0x1680, 0x169F, "Ogham"),
    (0x16A0, 0x16FF, "Runic"),
    (0x1780, 0x17FF, "Khmer"),
    (0x1800, 0x18AF, "Mongolian"),
    (0x1C80, 0x1C8F, CYRILLIC),
    (0x1D00, 0x1DBF, LATIN),
    (0x1E00, 0x1EFF, LATIN),
    (0x1F00, 0x1FFF, GREEK),
    (0x2C60, 0x2C7F, LATIN),
    (0x2C80, 0x2CFF, "Coptic"),
    (0x2DE0, 0x2DFF, CYRILLIC),
    (0x3005, 0x3007, "Han"),
    (0x3040, 0x30FF, "Kana"),
    (0x3100, 0x312F, "Bopomofo"),
    (0x3131, 0x318F, "Hangul"),
    (0x31F0, 0x31FF, "Kana"),
    (0x3400, 0x9FFF, "Han"),
    (0xA4D0, 0xA4FF, "Lisu"),
    (0xA640, 0xA69F, CYRILLIC),
    (0xA720, 0xA7FF, LATIN),
    (0xA8E0, 0xA8FF, "Indic"),
    (0xA9E0, 0xA9FF, "Myanmar"),
    (0xAA60, 0xAA7F, "Myanmar"),
    (0xAB30, 0xAB6F, LATIN),
    (0xAB70, 0xABBF, "Cherokee"),
    (0xAC00, 0xD7FF, "Hangul"),
    (0xF900, 0xFAFF, "Han"),
    (0xFB1D, 0xFB4F, "Hebrew"),
    (0xFB50, 0xFDFF, "Arabic"),
    (0xFE70, 0xFEFC, "Arabic"),
    (0xFF66, 0xFF9F, "Kana"),
    (0x10280, 0x1029F, "Lycian"),
    (0x10300, 0x1032F, "Old Italic"),
    (0x10400, 0x1044F, "Deseret"),
    (0x104B0, 0x104FF, "Osage"),
    (0x118A0, 0x118FF, "Warang Citi"),
    (0x16F00, 0x16F9F, "Miao"),
    (0x1E900, 0x1E95F, "Adlam"),
    (0x20000, 0x3FFFF, "Han"),
)
_STARTS = [first for first, _, _ in _RANGES]

RIGHT_TO_LEFT = frozenset({"Hebrew", "Arabic", "Syriac", "Thaana", "Nko", "Mandaic", "Adlam"})
# Joiners and non-joiners say how their letters are drawn.
JOINING = frozenset(
    {"Arabic", "Syriac", "Mandaic", "Nko", "Indic", "Myanmar", "Khmer", "Tibetan", "Mongolian", "Adlam"}
)
# Written without spaces: a zero width space says where a line may break.
UNSPACED = frozenset({"Thai", "Lao", "Khmer", "Myanmar", "Tibetan", "Han", "Kana", "Hangul", "Bopomofo"})
# In no use today, so next to Latin they are there for their looks.
_FOR_LOOKS = frozenset(
    {
        "Cherokee",
        "Coptic",
        "Lisu",
        "Deseret",
        "Osage",
        "Warang Citi",
        "Lycian",
        "Old Italic",
        "Canadian",
        "Runic",
        "Ogham",
    }
)

_CYRILLIC_LOOKS = dict(
    zip(
        "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u0475\u04cf\u043a\u044c\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0423\u051a\u051c\u04ae",
        "aeopcyxijshdqwvlkbABESIJKMHOPCTXYQWY",
        strict=True,
    )
)
_GREEK_LOOKS = dict(
    zip(
        "\u03bf\u03f2\u03f3\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7",
        "ocjABEZHIKMNOPTYX",
        strict=True,
    )
)
# In formulas these stand beside Latin for what they are; inside a word they do not.
_GREEK_INSIDE = dict(
    zip("\u03b1\u03bd\u03c1\u03c5\u03b9\u03ba\u03c7\u03b3\u03b7\u03c4\u03c9", "avpuikxyntw", strict=True)
)
_ARMENIAN_LOOKS = dict(zip("\u0585\u0578\u057d\u0570\u0581\u0566\u0575\u0555\u054f\u053c", "onuhgqjOSL", strict=True))
_LATIN_LOOKS = dict(zip("\u0251\u0261\u0269", "agi", strict=True))
_LOOKS = _CYRILLIC_LOOKS | _GREEK_LOOKS | _ARMENIAN_LOOKS | _LATIN_LOOKS


@lru_cache(maxsize=4096)
def script(character: str) -> str:
    """The script of a letter; "" for what belongs to none, or to all."""
    number = ord(character)
    at = bisect_right(_STARTS, number) - 1
    if at < 0 or number > _RANGES[at][1]:
        return ""
    return _RANGES[at][2] if unicodedata.category(character)[0] in "LM" else ""


def skeleton(word: str) -> str:
    """What a reader takes the word for."""
    known = _LOOKS | _GREEK_INSIDE
    return "".join(known.get(each, unicodedata.normalize("NFKC", each)) for each in word)


def passes_for_latin(word: str) -> bool:
    """Whether letters of another script, or another shape, hide in a Latin word."""
    scripts = [script(each) for each in word]
    if LATIN not in scripts:
        return any(map(_is_reshaped, word))
    return any(map(_is_reshaped, word)) or any(_hides(word, start, end, scripts) for start, end in _runs(scripts))


def is_all_looks(word: str) -> bool:
    """A word in one other script whose every letter passes for a Latin one."""
    return len(word) > 1 and all(each in _LOOKS for each in word) and not word.isascii()


@lru_cache(maxsize=4096)
def _is_reshaped(character: str) -> bool:
    """A letter that is ASCII to a compiler that normalises names: full width, bold, script."""
    return not character.isascii() and character.isalpha() and unicodedata.normalize("NFKC", character).isascii()


def _runs(scripts: list[str]) -> list[tuple[int, int]]:
    """Neighbours of one script that is not Latin; a Latin letter that looks like another is a run by itself."""
    runs: list[tuple[int, int]] = []
    for at, each in enumerate(scripts):
        if not each:
            continue
        if runs and runs[-1][1] == at and scripts[at - 1] == each != LATIN:
            runs[-1] = (runs[-1][0], at + 1)
        else:
            runs.append((at, at + 1))
    return runs


def _hides(word: str, start: int, end: int, scripts: list[str]) -> bool:
    run = word[start:end]
    if run.isascii():
        return False
    if scripts[start] in _FOR_LOOKS or all(each in _LOOKS for each in run):
        return True
    inside = start > 0 and end < len(word) and scripts[start - 1] == LATIN and scripts[end] == LATIN
    return inside and all(each in _GREEK_INSIDE or each in _LOOKS for each in run)
