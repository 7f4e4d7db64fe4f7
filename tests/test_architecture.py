"""ARCHITECTURE.md is a map: every room of the package is on it, and it stays short enough to be read."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAP = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
LINES = 100
# Python's own: they hold nothing.
BARE = frozenset({"__init__.py", "__main__.py"})
ROOMS = sorted(
    f"{each.name}/" if each.is_dir() else each.name
    for each in (ROOT / "src" / "vetgate").iterdir()
    if (each.is_dir() and any(each.glob("*.py"))) or (each.suffix == ".py" and each.name not in BARE)
)


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_on_the_map(room):
    assert f"`{room}`" in MAP


def test_the_map_is_read_at_one_sitting():
    assert len(MAP.splitlines()) <= LINES
