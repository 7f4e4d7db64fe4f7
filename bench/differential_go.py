"""Go against recorded values of gocyclo and gocognit: the cases of tests/complexity/go.md.

Neither tool comes from a package registry that this run can count on, so what they give is written down there.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from typing import TYPE_CHECKING

from complexity_table import cases, functions

if TYPE_CHECKING:
    from collections.abc import Iterator


def compared() -> Iterator[tuple[str, str, int, int]]:
    for case in cases("go"):
        for function in functions(case.code, "go"):
            cyclomatic, cognitive, *_ = case.expected.get(function.name, (-1, -1))
            place = f"{case.id}: {function.name}"
            yield "gocyclo (cyclomatic), recorded", place, function.cyclomatic, cyclomatic
            yield "gocognit, recorded", place, function.cognitive, cognitive
