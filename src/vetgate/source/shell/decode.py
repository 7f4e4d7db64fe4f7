"""Texts decoded the way a command line would: what an encoding hides is read, not guessed."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.placeholders import (
    CREDENTIAL,
    FETCHED,
    HIDDEN,
    OWN_FILES,
    is_known,
    taints,
    without_placeholders,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_CLASSES = {
    "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "[:lower:]": "abcdefghijklmnopqrstuvwxyz",
    "[:digit:]": "0123456789",
    "[:space:]": " \t\n\r\v\f",
    "[:alpha:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
}
_MOST_SET = 256
_SPACE = expression(r"\s+")


def _decoded(text: str, decode: Callable[[bytes], bytes]) -> str:
    if not is_known(text):
        return (taints(text) or "") + HIDDEN
    try:
        data = decode(_SPACE.sub("", text).encode())
    except (ValueError, binascii.Error):
        return HIDDEN
    return without_placeholders(data.decode("utf-8", "replace"))


def from_base64(text: str) -> str:
    return _decoded(text, lambda data: base64.b64decode(data + b"=" * (-len(data) % 4), altchars=None))


def from_base32(text: str) -> str:
    return _decoded(text, lambda data: base64.b32decode(data + b"=" * (-len(data) % 8)))


def from_hex(text: str) -> str:
    return _decoded(text, lambda data: bytes.fromhex(re.sub(rb"^0x|\\x", b"", data).decode()))


def rot13(text: str) -> str:
    return codecs.encode(text, "rot13")


def reversed_lines(text: str) -> str:
    return "\n".join(line[::-1] for line in text.split("\n"))


def translated(text: str, arguments: Sequence[str]) -> str:
    """As tr does it."""
    options = "".join(argument[1:] for argument in arguments if argument.startswith("-") and len(argument) > 1)
    sets = [_characters(argument) for argument in arguments if not argument.startswith("-") or argument == "-"]
    if not sets or "c" in options.lower():
        return text
    if "d" in options:
        return text.translate(dict.fromkeys(map(ord, sets[0])))
    if len(sets) < 2 or not sets[1]:
        return text
    target = sets[1] + sets[1][-1] * max(0, len(sets[0]) - len(sets[1]))
    return text.translate({ord(old): new for old, new in zip(sets[0], target, strict=False)})


def _characters(text: str) -> str:
    for name, members in _CLASSES.items():
        text = text.replace(name, members)
    text = text.replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")
    return re.sub(r"(.)-(.)", _range, text[:_MOST_SET])


def _range(pair: re.Match[str]) -> str:
    first, last = ord(pair[1]), ord(pair[2])
    return "".join(map(chr, range(first, min(last, first + _MOST_SET) + 1)))


def opaque(text: str) -> str:
    """Unpacked from what nobody can read; where it came from stays known."""
    return "".join(mark for mark in (FETCHED, CREDENTIAL, OWN_FILES) if mark in text) + HIDDEN
