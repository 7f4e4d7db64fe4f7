"""Tokens written as the numbers of their letters (`bytes([65, ...])`), or backwards and turned around (`[::-1]`)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.checks.secrets.tokens import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.secrets.match import SecretMatch

AS_NUMBERS = "written as numbers"
_NUMBER = rb"(?:0x[2-7][0-9a-fA-F]|3[2-9]|[4-9][0-9]|1[01][0-9]|12[0-6])"
_RUN = re.compile(rb"(?<![\w.])(?:" + _NUMBER + rb"\s{0,40},\s{0,40}){11,4000}+" + _NUMBER + rb"(?![\w.])")
_SOME = re.compile(rb"(?:" + _NUMBER + rb"[ \t]{0,4},[ \t]{0,4}){5}")
_EACH = re.compile(rb"[0-9a-fA-Fx]+")


def find_as_numbers(data: bytes) -> Iterator[SecretMatch]:
    for found in _RUN.finditer(data) if may_be_numbers(data) else ():
        letters = bytes(int(number, 0) for number in _EACH.findall(found[0]))
        for match in tokens(letters):
            yield replace(match, start=found.start(), end=found.end(), how=AS_NUMBERS)


def may_be_numbers(data: bytes) -> bool:
    return _SOME.search(data) is not None


BACKWARDS = "written backwards"
_TURNS = re.compile(rb"\[::-1\]|\b(?:[rR]everse[dD]?|strrev|StrReverse)\b|\.rev\(|\|[ \t]{0,4}rev\b")
_HINTS = (b"[::-1]", b"everse", b"rev")
_REVERSED_RUN = re.compile(rb"[A-Za-z0-9+/=_.-]{16,300}")
_BEFORE, _AFTER = 400, 400


def find_reversed(data: bytes) -> Iterator[SecretMatch]:
    """What stands around a word that turns something around, read from its end; each place once."""
    behind = 0
    for found in _TURNS.finditer(data) if may_be_reversed(data) else ():
        if found.end() <= behind:
            continue
        first, behind = max(behind, found.start() - _BEFORE), found.end() + _AFTER
        for run in _REVERSED_RUN.finditer(data, first, behind):
            for match in tokens(run[0][::-1]):
                yield replace(match, start=run.start(), end=run.end(), how=BACKWARDS)


def may_be_reversed(data: bytes) -> bool:
    return any(hint in data for hint in _HINTS) and _TURNS.search(data) is not None
