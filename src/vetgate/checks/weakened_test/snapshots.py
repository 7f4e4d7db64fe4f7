"""Recorded results: each entry with its name, so that one that was rewritten is known from a new one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetgate.checks.weakened_test.assertions import digest
from vetgate.checks.weakened_test.collected import SNAPSHOT
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.source.syntax import Source

_JEST = expression(r"^exports\[`(?P<name>[^`]*)`\] = (?P<body>.*?)`;$", re.MULTILINE | re.DOTALL)
_SYRUPY = expression(r"^# name: (?P<name>.+)\n(?P<body>.*?)^# ---", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    digest: str
    line: int


def entries(source: Source) -> Iterator[Entry]:
    if not SNAPSHOT.search(source.path):
        return
    found = False
    for pattern in (_JEST, _SYRUPY):
        for match in pattern.finditer(source.text):
            found = True
            yield Entry(match["name"], digest(match["body"]), source.text.count("\n", 0, match.start()) + 1)
    if not found and source.text.strip():
        yield Entry(source.path.rpartition("/")[2], digest(source.text), 1)
