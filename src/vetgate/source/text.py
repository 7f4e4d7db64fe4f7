"""Bytes on disk as the text an agent sees: decoded, without a byte order mark, lines ending in a line feed.

What is no text has one too, for those who look into every file: the readable runs in its bytes.
"""

from __future__ import annotations

import codecs
import re
from hashlib import blake2b

from vetgate.model import Unchecked, UncheckedKind

# Beyond this nothing is read at all (docs/limits.md); a file this large is not written by hand.
LARGEST = 20 * 1024 * 1024
TOO_LARGE = f"larger than {LARGEST // (1024 * 1024)} MiB"

# The longer mark first: UTF-32 begins like UTF-16. surrogateescape has no meaning for either; a broken unit becomes
# U+FFFD there.
_NARROW = "surrogateescape"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8", _NARROW),
    (codecs.BOM_UTF32_LE, "utf-32-le", "replace"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "replace"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "replace"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "replace"),
)
# Which bytes of a group hold a plain letter where there is no mark; all others are zero.
_WIDE = (("utf-32-le", 4, 0), ("utf-32-be", 4, 3), ("utf-16-le", 2, 0), ("utf-16-be", 2, 1))
_SNIFFED = 8192
_PLAIN = bytes(range(32, 127)) + b"\t\n\r\f\b\x1b"
_IN_TEXT = _PLAIN + bytes(range(128, 256))
# Of a text with a few NULs in it most bytes are still its own.
_MOST_NULS, _MOST_CONTROLS, _MOST_FOREIGN = 0.1, 0.02, 0.3
_A_LINE = 16
_TAR = (257, b"ustar")
_RUN = re.compile(rb"[\x20-\x7e\t\r\n]{16,}+")
BINARY = "binary"
_BYTES, _LINK = "\0bytes ", "\0link "


class NotText(Exception):  # noqa: N818 - a fact about the file, not a failure
    """This file has no text to judge; `reason` is for a person."""

    def __init__(self, kind: UncheckedKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason

    def unchecked(self, path: str) -> Unchecked:
        return Unchecked(path, self.kind, self.reason)


def decode(data: bytes) -> str:
    if len(data) > LARGEST:
        raise NotText(UncheckedKind.TOO_LARGE, TOO_LARGE)
    for mark, encoding, errors in _MARKS:
        if data.startswith(mark):
            rest = data[len(mark) :]
            # Wide letters never stand side by side as plain bytes: then the mark is not true.
            return (
                own_text(rest.decode(encoding, errors)) if errors == _NARROW or not _RUN.search(rest) else decode(rest)
            )
    if b"\0" not in data:
        # Bytes that are not UTF-8 (Latin-1, a stray byte) stay in place as lone surrogates: the rest can be judged.
        return data.decode("utf-8", _NARROW).replace("\r\n", "\n")
    wide = _without_mark(data)
    if wide is not None:
        return own_text(wide)
    return own_text(data.decode("utf-8", _NARROW)) if _is_nearly_text(data) else _readable(data)


def own_text(text: str) -> str:
    """A text that somebody wrote; it cannot pass for what we say of files that are none."""
    return (text.lstrip("\0") if is_no_text(text) else text).replace("\r\n", "\n")


def link_text(target: str) -> str:
    """A symbolic link holds nothing but where it leads."""
    return f"{_LINK}\n{target}"


def is_binary(text: str) -> bool:
    return text.startswith(_BYTES)


def is_link(text: str | None) -> bool:
    return text is not None and text.startswith(_LINK)


def is_no_text(text: str) -> bool:
    """Whether it stands for a file that is no text: bytes, or a link."""
    return text.startswith((_BYTES, _LINK))


def _without_mark(data: bytes) -> str | None:
    """UTF-16 and UTF-32 that do not say so: the zeros of plain letters stand in every second byte, or three of four."""
    head = data[:_SNIFFED]
    zeros = [head[place::4].count(0) / max(1, len(head[place::4])) for place in range(4)]
    for encoding, width, letter in _WIDE if len(data) >= 2 * len(zeros) else ():
        if all((zeros[place] < 0.1) if place % width == letter else (zeros[place] > 0.6) for place in range(4)):
            try:
                return None if len(data) % width or _RUN.search(data) else data.decode(encoding)
            except UnicodeDecodeError:
                return None
    return None


def _is_nearly_text(data: bytes) -> bool:
    start, magic = _TAR
    if data[start : start + len(magic)] == magic:
        return False
    rest = data.replace(b"\0", b"")
    if len(data) - len(rest) > max(_MOST_NULS * len(data), 1):
        return False
    if len(rest.translate(None, _IN_TEXT)) > max(_MOST_CONTROLS * len(rest), len(rest) >= _A_LINE):
        return False
    return len(rest.translate(None, _PLAIN)) <= _MOST_FOREIGN * len(rest) or _is_utf8(rest)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _readable(data: bytes) -> str:
    """Named by its content, so that other bytes are another text; once more without NULs, which part wide letters."""
    name = blake2b(data, digest_size=16).hexdigest()
    runs = [run.decode("ascii") for part in (data, data.replace(b"\0", b"")) for run in _RUN.findall(part)]
    return "\n".join((f"{_BYTES}{name}", *dict.fromkeys(runs)))
