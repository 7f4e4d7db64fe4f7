"""Bytes on disk as the text an agent sees: decoded, without a byte order mark, lines ending in a line feed."""

from __future__ import annotations

import codecs

# Beyond this nothing is read at all (docs/limits.md); a file this large is not written by hand.
LARGEST = 20 * 1024 * 1024

BINARY = "binary"
_SNIFFED = 8192
# surrogateescape has no meaning for UTF-16; a broken unit becomes U+FFFD there.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "surrogateescape"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "replace"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "replace"),
)


class NotText(Exception):  # noqa: N818 - a fact about the file, not a failure
    """This file has no text to judge; `reason` is for a person."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def decode(data: bytes) -> str:
    if len(data) > LARGEST:
        raise NotText(f"larger than {LARGEST // (1024 * 1024)} MiB")
    for mark, encoding, errors in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors).replace("\r\n", "\n")
    if b"\0" in data[:_SNIFFED]:
        raise NotText(BINARY)
    # Bytes that are not UTF-8 (Latin-1, a stray byte) stay in place as lone surrogates: the rest can be judged.
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
