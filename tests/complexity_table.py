"""How the tables of tests/complexity read: cases under headings, with the values that the definitions give.

    ## a sentence that says what the case shows
    ```python
    def f(a):
        return a
    ```
    f: 1 0 0 2 1

The numbers are cyclomatic, cognitive, nesting, length, parameters; a case lists every function it has, or `none`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from vetgate.checks.complexity import Measures, measure
from vetgate.source.clock import Deadline
from vetgate.source.syntax import Source

TABLES = Path(__file__).parent / "complexity"
_CASE = re.compile(
    r"^## (?P<id>[^\n]+)\n```(?P<language>\w+)\n(?P<code>.*?)^```\n(?P<values>(?:\S[^\n]*\n?)+)",
    re.MULTILINE | re.DOTALL,
)


class Case(NamedTuple):
    id: str
    language: str
    code: str
    expected: dict[str, tuple[int, ...]]


def cases(name: str) -> list[Case]:
    text = (TABLES / f"{name}.md").read_text()
    found = [
        Case(case["id"], case["language"], case["code"], _expected(case["values"])) for case in _CASE.finditer(text)
    ]
    assert len(found) == text.count("\n## "), f"{name}.md holds a case that does not read as one"
    return found


def _expected(lines: str) -> dict[str, tuple[int, ...]]:
    expected = {}
    for line in lines.splitlines():
        name, _, values = line.rpartition(": ")
        if name:
            expected[name] = tuple(map(int, values.split()))
    return expected


def functions(code: str, language: str) -> tuple[Measures, ...]:
    return measure(Source(f"case.{language}", code, language), Deadline.never()).functions


def values(code: str, language: str) -> dict[str, tuple[int, ...]]:
    return {
        each.name: (each.cyclomatic, each.cognitive, each.nesting, each.length, each.parameters)
        for each in functions(code, language)
    }
