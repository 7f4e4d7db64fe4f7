"""The five measures against their definitions, language by language."""

from __future__ import annotations

import pytest

from complexity_table import TABLES, cases, values
from vetgate.checks.complexity import CHECK

ALL = [case for table in sorted(TABLES.glob("*.md")) for case in cases(table.stem)]


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.language}: {case.id}")
def test_a_function_measures_what_its_definition_says(case):
    assert values(case.code, case.language) == case.expected


def test_every_language_has_a_table():
    assert {case.language for case in ALL} == CHECK.languages
