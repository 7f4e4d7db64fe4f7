"""Base64 and hexadecimal in a text, and the text as the program reads it that it is written for."""

from __future__ import annotations

import base64
import binascii
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from vetgate.checks.secrets.linear import compiled, re2

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_COOKIE = re.compile(r"[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")
_PYTHON = re.compile(r"#![^\n]*python")
_AS_UTF_8 = ("utf-8", "latin-1", "iso-8859-1", "iso-latin-1")
_SUFFIXES = (".py", ".pyw", ".pyi", ".pyx", ".pth")
# Plain letters, and what some encodings read as others: escapes, shifts, quotations.
_PROBE = (
    "".join(chr(sign) for sign in range(32, 127) if chr(sign) != "\\")
    + "\n\\u0041\\x41\\101\\N{DIGIT ONE}+AEEAQQ-~{VP~}=41%41&#65;xn--a\x1b(Ba\x0e\x0f"
)


def opaque_encoding(path: str, text: str) -> tuple[str, int]:
    """The encoding that a Python file names, and in which line, where its plain letters stand for others; ("", 0)."""
    if not path.endswith(_SUFFIXES) and not _PYTHON.match(text):
        return "", 0
    end = 0
    for line in (1, 2):
        found = _COOKIE.match(text, end)
        if found:
            return ("", 0) if _is_transparent(found[1].lower()) else (found[1], line)
        end = text.find("\n", end) + 1
        if not end:
            break
    return "", 0


@lru_cache(maxsize=64)
def _is_transparent(encoding: str) -> bool:
    """One that nobody knows here is not."""
    if encoding.replace("_", "-").startswith(_AS_UTF_8):
        return True  # so does Python, whatever an editor puts behind it
    try:
        return _PROBE.encode("ascii").decode(encoding) == _PROBE
    except (LookupError, ValueError, AssertionError):
        return False


NULS, ESCAPES, QUOTES, LINES = "with NUL bytes in it", "written with escapes", "in quoted pieces", "over several lines"
MARKUP = "with comments or tags in it"
UNSEEN = "with characters in it that look like none or like others"
SLASHES = "with escaped slashes in it"
_NUL = re.compile(rb"\0+")
_ESCAPE = re.compile(
    rb"\\(?:u{1,8}\{?00([0-7][0-9a-fA-F])\}?|U000000([0-7][0-9a-fA-F])|x([0-7][0-9a-fA-F])|0?([01][0-7]{2}))"
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
# `&#65;`, `&#x41;`, `%41`: one letter of a text or an address each.
_ENTITY = re.compile(rb"&#(?:x0{0,6}([2-7][0-9a-fA-F])|0{0,6}(3[2-9]|[4-9][0-9]|1[01][0-9]|12[0-6]));")
_PERCENT = re.compile(rb"%([2-7][0-9a-fA-F])")
# `=41` of a letter, which may also end a line there.
_QUOTED_PRINTABLE = re.compile(rb"=([2-7][0-9A-Fa-f])")
_SOFT_END = re.compile(rb"=[ \t]{0,8}\r?\n")
# `"${"AK"}IA..."`: a text within a text.
_INTERPOLATED = re.compile(rb"""\$\{[ \t]{0,8}["']|["'][ \t]{0,8}\}""")
# What nobody sees between two letters (soft hyphen, zero width, word joiner, mark of order), and letters of full width.
_UNSEEN = re.compile(rb"\xc2\xad|\xe2\x80[\x8b-\x8f]|\xe2\x81[\xa0-\xa4]|\xef\xbb\xbf|\xcd\x8f|\xe1\xa0\x8e")
_WIDE = re.compile(rb"\xef(?:\xbc([\x81-\xbf])|\xbd([\x80-\x9e]))")
# `https:\/\/`, as PHP and others write it; and two parts of one text in XML.
_BEFORE_A_SLASH = re.compile(rb"\\(?=/)")
_BETWEEN_SECTIONS = re.compile(rb"\]\]>\s{0,20}<!\[CDATA\[")
_BEFORE_A_SIGN = re.compile(rb"\\(?=[_*.+=/-])")
# A comment or a tag within a word, which a page does not show.
_MARKUP_IN_A_WORD = re.compile(
    rb"(?<=[A-Za-z0-9_+/=.-])(?:<!--(?:(?!-->)[^\0]){0,500}-->|</?[a-zA-Z]{1,8} ?/?>){1,4}(?=[A-Za-z0-9_+/=.-])"
)
# What has no name may be a page as well.
_MARKUP = frozenset(("", *"md markdown mdx html htm xhtml xml svg vue svelte".split()))
_MARKDOWN = frozenset({"md", "markdown", "mdx", "rst"})
_NO_QUOTES = frozenset("json jsonc json5 ipynb xml plist svg css csv tsv tfstate lock map".split())
_JSON = frozenset("json jsonc json5 ndjson jsonl ipynb tfstate har".split())
_YAML = frozenset({"yml", "yaml"})
_MAIL = frozenset("eml mbox mht mhtml vcf ics".split())
_INTERPOLATING = frozenset("tf tfvars hcl nomad scala sc groovy gradle kt kts dart".split())


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


def views(kind: str, data: bytes, *, by_people: bool = False) -> Iterator[TextView]:
    """Of a text that no grammar reads, one made from the other; `kind` as its name tells.

    `by_people`: only what makes no difference to whoever sees or copies it, in prose and in code as well.
    """
    here = TextView("", data)
    for how, pattern, hints, kinds in _STEPS:
        if (by_people and pattern not in _FOR_PEOPLE) or (pattern in _BEYOND_ASCII and here.data.isascii()):
            continue
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
    (UNSEEN, _UNSEEN, (b"\xc2\xad", b"\xe2\x80", b"\xe2\x81", b"\xef\xbb", b"\xcd\x8f", b"\xe1\xa0"), ""),
    (UNSEEN, _WIDE, (b"\xef\xbc", b"\xef\xbd"), ""),
    (MARKUP, _MARKUP_IN_A_WORD, (b"<!--", b">"), "markup"),
    (QUOTES, _BETWEEN_SECTIONS, (b"]]>",), "markup"),
    (SLASHES, _BEFORE_A_SLASH, (b"\\/",), "json"),
    (ESCAPES, _ESCAPE, (b"\\",), ""),
    (ESCAPES, _ENTITY, (b"&#",), ""),
    (ESCAPES, _PERCENT, (b"%",), ""),
    (LINES, _SOFT_END, (b"=",), "mail"),
    (ESCAPES, _QUOTED_PRINTABLE, (b"=",), "mail"),
    (QUOTES, _INTERPOLATED, (b"${",), "interpolating"),
    (ESCAPES, _BEFORE_A_SIGN, (b"\\",), "markdown"),
    (QUOTES, _JOINED, (b"'", b'"', b"`"), "words"),
    (QUOTES, _IN_A_WORD, (b"'", b'"', b"\\"), "words"),
)


_FOR_PEOPLE = frozenset(
    {_UNSEEN, _MARKUP_IN_A_WORD, _WIDE, _ENTITY, _PERCENT, _BEFORE_A_SIGN, _SOFT_END, _QUOTED_PRINTABLE}
)
_BEYOND_ASCII = frozenset({_UNSEEN, _WIDE})
_OF_KIND = {
    "json": _JSON,
    "yaml": _YAML,
    "markup": _MARKUP,
    "markdown": _MARKDOWN,
    "mail": _MAIL,
    "interpolating": _INTERPOLATING,
}


def _is_for(kind: str, kinds: str) -> bool:
    if kinds in _OF_KIND:
        return kind in _OF_KIND[kinds]
    return not kinds or kind not in _NO_QUOTES


def _sign(found: re.Match[bytes]) -> bytes:
    octal = found[4]
    return bytes([int(octal, 8) if octal else int(found[1] or found[2] or found[3], 16)])


# What stands for a letter, and which; all other patterns match what is dropped.
_LETTERS: dict[re.Pattern[bytes], Callable[[re.Match[bytes]], bytes]] = {
    _ESCAPE: _sign,
    _ENTITY: lambda found: bytes([int(found[1], 16) if found[1] else int(found[2])]),
    _PERCENT: lambda found: bytes([int(found[1], 16)]),
    _QUOTED_PRINTABLE: lambda found: bytes([int(found[1], 16)]),
    _WIDE: lambda found: bytes([found[1][0] - 0x60 if found[1] else found[2][0] - 0x20]),
}


def _changed(how: str, view: TextView, pattern: re.Pattern[bytes]) -> TextView:
    data = view.data
    parts: list[bytes] = []
    changed = TextView(how, b"", made_from=view)
    behind = size = 0
    letter = _LETTERS.get(pattern)
    for found in pattern.finditer(data):
        parts += (data[behind : found.start()], letter(found) if letter else b"")
        size += len(parts[-2]) + len(parts[-1])
        behind = found.end()
        changed.places.append(size)
        changed.ahead.append(behind - size)
    changed.data = b"".join((*parts, data[behind:]))
    return changed


SHORTEST = 20
LONGEST = 16_384
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{18,}={0,2}")
_RUN = rb"[A-Za-z0-9+/_-]{24,}={0,2}"
_OTHER_RUN = rb"[A-Z2-7]{32,}={0,6}|(?:[0-9a-fA-F]{2}[ :,-]){19,}[0-9a-fA-F]{2}"
_BETWEEN_PAIRS = re.compile(rb"[ :,-]")
_REST = re.compile(rb"[A-Za-z0-9+/_=-]{20,16000}")
_HEX = re.compile(rb"[0-9a-fA-F]{20,}")
_HEAD = 16
_GROUP = 4
# Of "-----BEGIN ", at each of the three places in a group of four letters.
_PEM = (b"LS0tLS1CRUdJTi", b"0tLS0tQkVHSU4g", b"tLS0tLUJFR0lOI")


@cache
def _runs(engine: Any) -> Any:
    return compiled(_RUN, engine)


@cache
def _other_runs(engine: Any) -> Any:
    return compiled(_OTHER_RUN, engine)


def in_other_digits(data: bytes) -> Iterator[tuple[re.Match[bytes], bytes]]:
    """Base32, and pairs of hexadecimal digits with signs between, where they make a text."""
    for found in _other_runs(re2()).finditer(data):
        inner = _of_pairs(found[0]) if found[0][2:3] in b" :,-" else _of_base32(found[0])
        if inner and _is_readable(inner):
            yield found, inner


def _of_pairs(text: bytes) -> bytes:
    return binascii.unhexlify(_BETWEEN_PAIRS.sub(b"", text))


def _of_base32(text: bytes) -> bytes:
    plain = text.rstrip(b"=")
    try:
        return base64.b32decode(plain + b"=" * (-len(plain) % 8))
    except binascii.Error:
        return b""


def encoded(data: bytes) -> Iterator[re.Match[bytes]]:
    """What may be base64 of a text: its first letters are, or a key as a kubeconfig holds it begins somewhere in it."""
    for found in _runs(re2()).finditer(data):
        if _begins_readable(found[0][:_HEAD]) or _unhexed(found[0][: 2 * _HEAD]):
            yield found
    for mark in _PEM:
        yield from _from_mark(data, mark)


def _from_mark(data: bytes, mark: bytes) -> Iterator[re.Match[bytes]]:
    """What was decoded along with an earlier mark, in groups that fall together with its own, is not decoded again."""
    behind = [0] * _GROUP
    place = data.find(mark)
    while place >= 0:
        rest = _REST.match(data, place) if place >= behind[place % _GROUP] else None
        if rest is not None:
            behind[place % _GROUP] = rest.end()
            yield rest
        place = data.find(mark, place + len(mark))


def _begins_readable(head: bytes) -> bool:
    first = binascii.a2b_base64(head.replace(b"-", b"+").replace(b"_", b"/"))
    return all(32 <= byte < 127 or byte in {9, 10, 13} for byte in first)


def _unhexed(text: bytes) -> bytes:
    """A hash is never all letters and signs; a text that somebody wrote in hexadecimal is."""
    digits = text.removeprefix(b"0x")
    digits = digits[: len(digits) // 2 * 2]
    if not _HEX.fullmatch(digits):
        return b""
    plain = binascii.unhexlify(digits)
    return plain if all(32 <= byte < 127 for byte in plain) else b""


def is_hex(text: str) -> bool:
    return text.isascii() and bool(_unhexed(text.encode("ascii")))


def decoded(text: str) -> bytes | None:
    """None where it is neither, or nothing that anybody could read."""
    if SHORTEST <= len(text) <= LONGEST and is_hex(text):
        return _unhexed(text.encode("ascii"))
    if not SHORTEST <= len(text) <= LONGEST or not _BASE64.fullmatch(text):
        return None
    plain = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        data = base64.b64decode(plain + "=" * (-len(plain) % 4))
    except (ValueError, binascii.Error):
        return None
    return data if _is_readable(data) else None


def _is_readable(data: bytes) -> bool:
    """Chance gives bytes of all kinds; secrets are written in letters, digits and signs."""
    head = data[:256]
    readable = sum(32 <= byte < 127 or byte in {9, 10, 13} for byte in head)
    return bool(head) and readable >= 0.95 * len(head)
