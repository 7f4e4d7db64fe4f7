"""Texts written as the file writes them."""

from __future__ import annotations


def quoted(text: str, like: str, *, is_python: bool) -> str:
    """A literal with the quotes of another one; nothing where that would take escapes."""
    if "\\" in text or not text.isprintable():
        return ""
    first = next((sign for sign in like if sign in "\"'`"), '"')
    wanted = first if is_python or first != "`" else '"'
    mark = next((sign for sign in (wanted, '"', "'") if sign not in text), "")
    return f"{mark}{text}{mark}" if mark else ""


def wrapped(code: str, before: str, after: str, *, is_python: bool) -> str:
    """A value with something before and after it; nothing where quotes would meet quotes."""
    if not before and not after:
        return code
    if not is_python:
        return f"`{before}${{{code}}}{after}`" if "`" not in code else ""
    mark = next((sign for sign in ('"', "'") if sign not in code), "")
    fits = mark and "\\" not in code and not code.startswith("{")
    return f"f{mark}{before}{{{code}}}{after}{mark}" if fits else ""
