"""Which protected names are links, though nobody asks twice of a folder that stayed as it was."""

from __future__ import annotations

import os

import pytest

from fixtures import wait_for_tick
from vetgate.source.protected import links_among

NAMES = frozenset({".claude", ".claude/settings.json", ".gitconfig"})


@pytest.fixture
def base(tmp_path):
    (tmp_path / ".claude").mkdir()
    wait_for_tick()
    assert links_among(str(tmp_path), NAMES) == frozenset()
    return tmp_path


def test_a_link_in_the_folder_itself_is_seen_at_once(base):
    (base / ".gitconfig").symlink_to("elsewhere")
    assert links_among(str(base), NAMES) == {".gitconfig"}


def test_a_link_below_is_seen_though_the_folders_time_is_set_back(base):
    before = (base / ".claude").stat().st_mtime_ns
    (base / ".claude/settings.json").symlink_to("elsewhere")
    os.utime(base / ".claude", ns=(before, before))
    assert links_among(str(base), NAMES) == {".claude/settings.json"}


def test_a_folder_that_becomes_a_link_is_seen(base):
    (base / ".claude").rename(base / "kept")
    (base / ".claude").symlink_to("kept")
    assert links_among(str(base), NAMES) == {".claude"}
    (base / ".claude").unlink()
    assert links_among(str(base), NAMES) == frozenset()


def test_a_folder_that_is_not_there_holds_none(tmp_path):
    assert links_among(str(tmp_path / "no"), NAMES) == frozenset()
