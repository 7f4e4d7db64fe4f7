"""Text that is safe to print: what people wrote must not move the cursor, hide, or break an encoder."""

from __future__ import annotations

import os


def printable(text: str) -> str:
    """Control, direction and other invisible characters written out; `text` is one line."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def without_controls(text: str, kept: str = "") -> str:
    """For what a file says: it must not be able to move the cursor and show something else."""
    return "".join(char if char.isprintable() or char in kept else "\N{REPLACEMENT CHARACTER}" for char in text)


def encodable(text: str) -> str:
    """Without lone surrogates, which no JSON reader has to accept; the bytes they stand for are written out."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return (
            os.fsencode(text).decode("utf-8", "backslashreplace")
            if _from_bytes(text)
            else text.encode("utf-8", "backslashreplace").decode()
        )
    return text


def _from_bytes(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 or noun == "critical" else f"{number} {noun}s"
