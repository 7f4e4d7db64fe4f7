r"""What stands between $' and ': \n, \x72, \162, \u0072 and the like."""

from __future__ import annotations

import re

from vetgate.expression import expression

_SIMPLE = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_ESCAPE = expression(
    r"\\(?:x(?P<hex>[0-9a-fA-F]{1,2})|x\{(?P<braced>[0-9a-fA-F]+)\}|(?P<octal>[0-7]{1,3})"
    r"|u(?P<short>[0-9a-fA-F]{1,4})|U(?P<long>[0-9a-fA-F]{1,8})|c(?P<control>.)|(?P<simple>.))",
    re.DOTALL,
)


def unescaped(text: str, *, octal_zero: bool = False) -> str:
    """With `octal_zero` as echo -e and printf %b read it: an octal number may begin with a 0 that does not count."""
    if "\\" not in text:
        return text
    if octal_zero:
        text = re.sub(r"\\0([0-7]{1,3})", r"\\\1", text)
    return _ESCAPE.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    number = match["hex"] or match["braced"] or match["short"] or match["long"]
    if number:
        return _safe(int(number, 16))
    if match["octal"]:
        return _safe(int(match["octal"], 8) & 0xFF)
    if match["control"]:
        return chr(ord(match["control"]) & 0x1F)
    return _SIMPLE.get(match["simple"], match[0])


def _safe(number: int) -> str:
    """No mark can be smuggled in, and no surrogate that could not be written down."""
    return chr(number) if number < 0xD800 or 0xE000 <= number < 0xFDD0 or 0xFDF0 <= number < 0x110000 else "\ufffd"
