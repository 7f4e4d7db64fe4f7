"""A coding comment by which Python reads other letters than stand in the file: `# coding: utf-7`, `unicode_escape`."""

from __future__ import annotations

import re
from functools import lru_cache

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
