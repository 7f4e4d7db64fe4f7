"""Recorded results: each entry with its name, so that one that was rewritten is known from a new one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from vetgate.checks.weakened_test.assertions import digest
from vetgate.checks.weakened_test.test_spans import SNAPSHOT
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.source.syntax import Source

_ENTRIES = (
    (expression(r"^exports\[`(?P<name>[^`\n]*)`\] = ", re.MULTILINE), "`;"),
    (expression(r"^# name: (?P<name>.+)\n", re.MULTILINE), "# ---"),
)


@dataclass(frozen=True, slots=True)
class SnapshotEntry:
    name: str
    digest: str
    line: int


def entries(source: Source) -> Iterator[SnapshotEntry]:
    if not SNAPSHOT.search(source.path):
        return
    found = False
    for begins, ends in _ENTRIES:
        heads = list(begins.finditer(source.text))
        found = found or bool(heads)
        line, counted = 1, 0
        for head, following in zip_longest(heads, heads[1:]):
            body = source.text[head.end() : following.start() if following else None].rpartition(ends)[0]
            line, counted = line + source.text.count("\n", counted, head.start()), head.start()
            yield SnapshotEntry(head["name"], digest(body), line)
    if not found and source.text.strip():
        yield SnapshotEntry(source.path.rpartition("/")[2], digest(source.text), 1)
