"""The threat model promises nothing without a test: every one that it names is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "docs" / "threat-model.md", ROOT / "docs" / "two-accounts.md"]
NAMED = [(page.name, name) for page in PAGES for name in re.findall(r"`(tests/[^`]+)`", page.read_text())]


def test_every_promise_names_its_test():
    rows = [line for line in PAGES[0].read_text().splitlines() if line.startswith("| ") and "| promised |" not in line]
    assert len(rows) > 20
    assert [row for row in rows if not re.search(r"`tests/[^`]+` *\|$", row)] == []


@pytest.mark.parametrize(("page", "name"), NAMED, ids=[f"{page} {name}" for page, name in NAMED])
def test_what_is_named_exists(page, name):
    path, _, wanted = name.partition("::")
    file = ROOT / path
    assert file.exists(), f"{page} names {path}"
    tree = ast.parse(file.read_text()) if wanted else ast.Module([], [])
    for part in filter(None, wanted.split("::")):
        tree = next((node for node in tree.body if getattr(node, "name", "") == part), None)
        assert tree is not None, f"{page} names {name}"
