"""Tokens that are written backwards and turned around where they stand: `"..."[::-1]`, `.reverse()`, `| rev`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.checks.secrets.tokens import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.checks.secrets.match import SecretMatch

BACKWARDS = "written backwards"
_TURNS = re.compile(rb"\[::-1\]|\b(?:[rR]everse[dD]?|strrev|StrReverse)\b|\.rev\(|\|[ \t]{0,4}rev\b")
_HINTS = (b"[::-1]", b"everse", b"rev")
_RUN = re.compile(rb"[A-Za-z0-9+/=_.-]{16,300}")
_BEFORE, _AFTER = 400, 400


def turned(data: bytes) -> Iterator[SecretMatch]:
    """What stands around a word that turns something around, read from its end; each place once."""
    behind = 0
    for found in _TURNS.finditer(data) if may_be_turned(data) else ():
        if found.end() <= behind:
            continue
        first, behind = max(behind, found.start() - _BEFORE), found.end() + _AFTER
        for run in _RUN.finditer(data, first, behind):
            for match in tokens(run[0][::-1]):
                yield replace(match, start=run.start(), end=run.end(), how=BACKWARDS)


def may_be_turned(data: bytes) -> bool:
    return any(hint in data for hint in _HINTS) and _TURNS.search(data) is not None
