"""Bytes on disk as the text an agent sees, and back: encoding, byte order mark and line ends kept."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

# Beyond this nothing is read at all (docs/limits.md); a file this large is not written by hand.
LARGEST = 20 * 1024 * 1024

_SNIFFED = 8192
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class NotText(Exception):  # noqa: N818 - a fact about the file, not a failure
    """This file has no text to judge; `reason` is for a person."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Text:
    """Text whose lines end in a line feed, and what is needed to tell how it lies on disk."""

    text: str
    encoding: str = "utf-8"
    newline: str = "\n"
    bom: bool = False


def decode(data: bytes) -> Text:
    if len(data) > LARGEST:
        raise NotText(f"larger than {LARGEST // (1024 * 1024)} MiB")
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            # surrogateescape has no meaning for UTF-16; a broken unit becomes U+FFFD there.
            errors = "surrogateescape" if encoding == "utf-8" else "replace"
            return _with_newline(data[len(mark) :].decode(encoding, errors), encoding, bom=True)
    if b"\0" in data[:_SNIFFED]:
        raise NotText("binary")
    # Bytes that are not UTF-8 (Latin-1, a stray byte) stay in place as lone surrogates: the rest can be judged.
    return _with_newline(data.decode("utf-8", "surrogateescape"), "utf-8", bom=False)


def _with_newline(text: str, encoding: str, *, bom: bool) -> Text:
    if "\r\n" not in text:
        return Text(text, encoding, "\n", bom)
    return Text(text.replace("\r\n", "\n"), encoding, "\r\n", bom)
