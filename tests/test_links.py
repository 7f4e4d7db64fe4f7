"""The pages of this repository lead where they say, and the look at them can tell."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent


@pytest.fixture
def dead_links():
    spec = importlib.util.spec_from_file_location("links", TOP / "scripts" / "links.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.dead_links


LINKS = {
    "a file": ("[x](docs/a.md)", False),
    "a file that is gone": ("[x](docs/gone.md)", True),
    "a picture that is gone": ("![x](docs/gone.svg)", True),
    "a heading": ("[x](docs/a.md#what-it-is-good-for)", False),
    "a heading that is gone": ("[x](docs/a.md#what-it-was)", True),
    "a heading of its own": ("[x](#top)\n\n# Top", False),
    "an address": ("[x](https://example.org/gone.md)", False),
    "a link in code": ("`[x](docs/gone.md)`\n\n```\n[x](docs/gone.md)\n```", False),
}


@pytest.mark.parametrize(("text", "is_dead"), LINKS.values(), ids=LINKS)
def test_what_is_dead(dead_links, tmp_path, text, is_dead):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("# A\n\n## What it is `good` for?\n")
    (tmp_path / "README.md").write_text(text)
    assert bool(dead_links(tmp_path)) is is_dead
