"""A clock that is set back loses nobody's changes."""

from __future__ import annotations

import os
import time

import pytest

from vetgate.source.clock import MonotonicClock
from vetgate.source.tree import Tree

SECOND = 1_000_000_000


class Clock:
    """The machine's own, and by how much somebody has set it back."""

    def __init__(self):
        self.back = 0

    def __call__(self):
        return time.time_ns() - self.back


def test_without_a_step_a_moment_is_the_clocks_own():
    before = time.time_ns()
    moments = MonotonicClock()
    assert before <= moments.now() <= time.time_ns()
    assert moments.behind == 0


def test_a_clock_that_is_set_back_goes_on_from_where_it_was():
    clock = Clock()
    moments = MonotonicClock(clock)
    first = moments.now()
    clock.back = 60 * SECOND
    assert first <= moments.now() <= first + 30 * SECOND
    assert 59 * SECOND < moments.behind < 61 * SECOND


def test_clocks_that_drift_are_not_set_back():
    at = iter(range(0, 100 * SECOND, 10 * SECOND))
    slow = iter(int(each * 0.9995) for each in range(0, 100 * SECOND, 10 * SECOND))
    moments = MonotonicClock(slow.__next__, at.__next__)
    for _ in range(5):
        moments.now()
    assert moments.behind == 0


@pytest.mark.parametrize("watched", [True, False])
def test_what_changes_after_the_clock_was_set_back_is_known(tmp_path, watched):
    """The kernel's clock cannot be set here: ours is a minute ahead at first, and then no longer."""
    clock = Clock()
    clock.back = -60 * SECOND
    tree = Tree(tmp_path, lambda _: True, MonotonicClock(clock))
    if watched and not tree.watch():
        pytest.skip("no inotify")
    since = tree.changed(clock()).at
    clock.back = 0
    (tmp_path / "a.py").write_text("x")
    assert tree.changed(since).paths == ("a.py",)
    assert tree.looked_for(since).paths == ("a.py",)
    tree.close()


def test_a_moment_yet_to_come_has_every_file_looked_at(tmp_path):
    (tmp_path / "a.py").write_text("x")
    os.utime(tmp_path / "a.py", (0, 0))
    tree = Tree(tmp_path, lambda _: True)
    assert tree.changed(time.time_ns() + 60 * SECOND).paths == ("a.py",)
