"""Where a file really is: as the kernel tells it, the same as by every step of the way."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from vetgate.source.root import real


@pytest.fixture
def place(tmp_path):
    (tmp_path / "folder" / "deep").mkdir(parents=True)
    (tmp_path / "folder" / "a.py").write_text("x")
    (tmp_path / "folder" / "a (deleted)").write_text("x")
    (tmp_path / "folder" / "b\nc").write_text("x")
    (tmp_path / "to-folder").symlink_to("folder")
    (tmp_path / "to-file").symlink_to("folder/a.py")
    (tmp_path / "to-nothing").symlink_to("folder/none.py")
    (tmp_path / "round").symlink_to("round")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


NAMES = [
    "folder/a.py",
    "folder/a (deleted)",
    "folder/b\nc",
    "folder/deep/../a.py",
    "to-folder",
    "to-folder/a.py",
    "to-folder/none.py",
    "to-folder/deep/../../folder",
    "to-file",
    "to-nothing",
    "folder/a.py/below",
    "round",
    "round/x",
    "pipe",
    "none/at/all",
    "x" * 300,
]


@pytest.mark.parametrize("name", NAMES)
def test_a_place_is_where_its_links_lead(place, name):
    assert real(place / name) == Path(os.path.realpath(place / name))


def test_a_name_from_here_is_taken_from_here(place, monkeypatch):
    monkeypatch.chdir(place)
    assert real(Path("to-file")) == (place / "folder" / "a.py").resolve()


@pytest.mark.skipif(sys.platform != "linux", reason="it has no list of what is open")
def test_nothing_stays_open(place):
    before = sorted(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for name in NAMES:
        real(place / name)
    assert sorted(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
