"""Tokens written as the numbers of their letters: `bytes([65, 75, ...])`, `String.fromCharCode(0x41, ...)`."""

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


def as_numbers(data: bytes) -> Iterator[SecretMatch]:
    for found in _RUN.finditer(data) if may_be_numbers(data) else ():
        letters = bytes(int(number, 0) for number in _EACH.findall(found[0]))
        for match in tokens(letters):
            yield replace(match, start=found.start(), end=found.end(), how=AS_NUMBERS)


def may_be_numbers(data: bytes) -> bool:
    return _SOME.search(data) is not None
