"""What changed in a work tree, on a real one: with the kernel's list, and without."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from fixtures import wait_for, wait_for_tick
from vetgate.source.clock import ANSWERS
from vetgate.source.tree import Tree

WATCHED = pytest.param(True, marks=pytest.mark.skipif(sys.platform != "linux", reason="inotify"), id="watched")


@pytest.fixture(params=[WATCHED, pytest.param(False, id="scanned")])
def tree(request, tmp_path):
    (tmp_path / "src" / "deep").mkdir(parents=True)
    (tmp_path / "node_modules" / "x").mkdir(parents=True)
    (tmp_path / "src" / "old.py").write_text("old")
    wait_for_tick()
    tree = Tree(tmp_path, lambda path: "node_modules" not in path)
    if request.param:
        assert tree.watch()
    tree.root = tmp_path
    yield tree
    tree.close()


def shell(tree, command):
    subprocess.run(["sh", "-c", command], cwd=tree.root, check=True)


@pytest.fixture
def since(tree):
    wait_for_tick()
    return time.time_ns()


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ("true", ()),
        ("echo x > src/new.py", ("src/new.py",)),
        ("echo x >> src/old.py", ("src/old.py",)),
        ("echo x >> src/old.py; touch -d 2001-01-01 src/old.py", ("src/old.py",)),
        ("mkdir -p a/b/c && echo x > a/b/c/d.py", ("a/b/c/d.py",)),
        ("mkdir a && mkdir a/b && echo x > a/b/d.py && echo y > a/e.py", ("a/b/d.py", "a/e.py")),
        ("echo x > node_modules/x/y.js; mkdir -p src/node_modules && echo x > src/node_modules/z.js", ()),
        ("echo x > /tmp/vetgate-$$ && mv /tmp/vetgate-$$ src/moved.py", ("src/moved.py",)),
        ("ln -s src linked", ()),
        ("mkdir .git; echo x > .git/config", ()),
    ],
    ids=[
        "nothing",
        "a new file",
        "a changed file",
        "a forged time",
        "new folders",
        "files on several levels",
        "what nobody wants to know",
        "a file from elsewhere",
        "a link",
        "git's own",
    ],
)
def test_what_a_command_changed_is_known(tree, since, command, paths):
    shell(tree, command)
    found = tuple(path for path in tree.changed(since).paths if path != "linked")
    assert found == paths


def test_each_asks_from_its_own_moment_on(tree, since):
    shell(tree, "echo x > src/one.py")
    first = tree.changed(since)
    wait_for_tick()
    shell(tree, "echo x > src/two.py")
    assert "src/one.py" in first.paths
    assert tree.changed(since).paths == ("src/one.py", "src/two.py")
    wait_for_tick()
    later = time.time_ns()
    assert tree.changed(later).paths == ()


def test_another_root_at_the_same_place_is_looked_at_anew(tree, since):
    shell(
        tree,
        "rm -rf src node_modules && cd / && rm -rf '$ROOT' && mkdir -p '$ROOT/src'".replace("$ROOT", str(tree.root)),
    )
    (tree.root / "src" / "other.py").write_text("other")
    found = tree.changed(since)
    assert "src/other.py" in found.paths
    assert not found.whole
    (tree.root / "src" / "later.py").write_text("later")
    assert "src/later.py" in tree.changed(found.at).paths


@pytest.mark.parametrize("looks", [True, False], ids=["somebody looks in between", "nobody looks"])
def test_a_root_that_moved_away_is_not_taken_for_the_new_one(tree, since, looks):
    tree.root.rename(f"{tree.root}.old")
    if looks:
        tree.take_note()
    (tree.root / "src").mkdir(parents=True)
    (tree.root / "src" / "other.py").write_text("other")
    found = tree.changed(since)
    assert "src/other.py" in found.paths
    (tree.root / "src" / "later.py").write_text("later")
    assert "src/later.py" in tree.changed(found.at).paths


def test_a_deleted_file_is_known_to_the_list(tmp_path):
    (tmp_path / "gone.py").write_text("x")
    tree = Tree(tmp_path, lambda _: True)
    if not tree.watch():
        pytest.skip("no inotify")
    wait_for_tick()
    since = time.time_ns()
    (tmp_path / "gone.py").unlink()
    assert tree.changed(since).paths == ("gone.py",)
    tree.close()


def test_what_the_list_cannot_know_a_thorough_look_finds(tmp_path):
    """Written through another name outside of the tree: no watched folder hears of it."""
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.py").write_text("x")
    os.link(tmp_path / "tree" / "a.py", tmp_path / "other")
    tree = Tree(tmp_path / "tree", lambda _: True)
    watched = tree.watch()
    wait_for_tick()
    since = time.time_ns()
    (tmp_path / "other").write_text("y")
    assert not watched or tree.changed(since).paths == ()
    assert tree.looked_for(since).paths == ("a.py",)
    tree.close()


def test_what_is_written_through_a_mapping_is_on_the_list(tree, since):
    program = "import mmap\nwith open('src/old.py', 'r+b') as f, mmap.mmap(f.fileno(), 3) as text: text[:] = b'new'"
    subprocess.run([sys.executable, "-c", program], cwd=tree.root, check=True)
    assert tree.changed(since).paths == ("src/old.py",)


@pytest.fixture
def linked(tmp_path):
    """A watched tree with a file that has a second name outside of it."""
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.py").write_text("x")
    os.link(tmp_path / "tree" / "a.py", tmp_path / "other")
    wait_for_tick()
    tree = Tree(tmp_path / "tree", lambda _: True)
    if not tree.watch():
        pytest.skip("no inotify")
    yield tree
    tree.close()


def test_once_every_file_was_asked_the_list_is_enough(linked, tmp_path):
    wait_for_tick()
    since = time.time_ns()
    (tmp_path / "other").write_text("y")
    assert linked.listed(since).paths == ()
    assert linked.listed(since, verified=True) is None
    wait_for_tick()
    later = linked.listed(since).at  # somebody has looked in between, and saw nothing
    linked.verify(later)
    assert linked.listed(later, verified=True).paths == ("a.py",)
    assert linked.listed(time.time_ns(), verified=True) is None, "verified until then, not for ever"


def test_of_many_who_have_every_file_asked_at_once_two_do_it(tmp_path):
    """The second began when the first was half through; whoever came after that finds it done."""
    (tmp_path / "folder").mkdir()
    entered, goes_on = [], threading.Event()

    def enters(path):
        entered.append(path)
        return goes_on.wait(20)

    goes_on.set()
    tree = Tree(tmp_path, enters)
    if not tree.watch():
        pytest.skip("no inotify")
    wait_for_tick()
    since = time.time_ns()
    entered.clear()
    goes_on.clear()
    waiting = [threading.Thread(target=tree.verify, args=(since,)) for _ in range(4)]
    for each in waiting:
        each.start()
    while not entered:
        time.sleep(0.01)
    time.sleep(0.1)
    goes_on.set()
    for each in waiting:
        each.join(20)
    assert len(entered) == 2
    assert tree.listed(since, verified=True) is not None
    tree.close()


def test_an_answer_that_needs_every_file_asked_waits_for_whoever_is_at_it(tmp_path):
    """And that one goes on, though it makes way for every other answer."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    entered, goes_on = [], threading.Event()

    def enters(path):
        entered.append(path)
        return goes_on.wait(20)

    goes_on.set()
    tree = Tree(tmp_path, enters)
    if not tree.watch():
        pytest.skip("no inotify")
    wait_for_tick()
    since = time.time_ns()
    entered.clear()
    goes_on.clear()
    asking = threading.Thread(target=tree.verify, args=(since,))
    with ANSWERS.answering():
        threading.Timer(0.2, goes_on.set).start()
        asking.start()
        wait_for(lambda: tree.is_asking, what="nobody asks the files")
        assert tree.listed(since, verified=True) is not None
        assert not asking.is_alive() or not tree.is_asking
    asking.join(20)
    assert sorted(entered) == ["one", "two"]
    tree.close()


def test_what_was_seen_to_change_is_not_told_twice(linked, tmp_path):
    wait_for_tick()
    since = time.time_ns()
    (tmp_path / "tree" / "a.py").write_text("y")
    wait_for_tick()
    linked.listed(since)
    wait_for_tick(2)
    at = linked.listed(since).at
    linked.verify(at)
    assert linked.listed(at, verified=True).paths == ()


def test_the_list_can_be_made_to_reach_back(tmp_path):
    since = time.time_ns()
    (tmp_path / "a.py").write_text("x")
    wait_for_tick(2)
    tree = Tree(tmp_path, lambda _: True)
    if not tree.watch():
        pytest.skip("no inotify")
    assert tree.listed(since) is None
    tree.verify(since)
    found = tree.listed(since)
    assert (found.paths, found.whole) == (("a.py",), False), "nobody knows what was deleted before"
    tree.close()


def test_more_than_the_kernel_keeps_is_found_by_looking(tmp_path):
    tree = Tree(tmp_path, lambda _: True)
    if not tree.watch():
        pytest.skip("no inotify")
    wait_for_tick()
    since = time.time_ns()
    for number in range(6000):
        (tmp_path / f"{number}").write_text("x")
    assert len(tree.changed(since).paths) == 6000
    tree.close()


def test_a_folder_that_was_taken_away_leaves_the_list_short(tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "a.py").write_text("x")
    tree = Tree(tmp_path, lambda _: True)
    if not tree.watch():
        pytest.skip("no inotify")
    wait_for_tick()
    since = time.time_ns()
    assert tree.changed(since).whole
    (tmp_path / "old").rename(tmp_path / "new")
    found = tree.changed(since)
    assert (found.paths, found.whole) == (("new/a.py",), False)
    wait_for_tick(2)
    assert tree.changed(time.time_ns()).whole
    tree.close()


def test_folders_that_appear_while_the_kernel_cannot_keep_up_are_watched(tmp_path):
    tree = Tree(tmp_path, lambda _: True)
    if not tree.watch():
        pytest.skip("no inotify")
    for number in range(6000):
        (tmp_path / f"{number}").write_text("x")
        (tmp_path / f"{number}").unlink()
    (tmp_path / "late").mkdir()
    tree.changed(time.time_ns())
    wait_for_tick(2)
    since = time.time_ns()
    (tmp_path / "late" / "a.py").write_text("x")
    assert tree.changed(since).paths == ("late/a.py",)
    tree.close()


def test_a_watch_that_ends_in_the_middle_is_no_failure(tmp_path, monkeypatch):
    tree = Tree(tmp_path, lambda _: True)
    if not tree.watch():
        pytest.skip("no inotify")
    wait_for_tick()
    since = time.time_ns()
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.py").write_text("x")
    (tmp_path / "two").mkdir()

    def refused(_, folder):
        raise OSError(28, f"no more watches for {folder}")

    monkeypatch.setattr("vetgate.source.inotify.Inotify.add", refused)
    assert tree.changed(since).paths == ("one/a.py",)
    assert not tree.is_watched
    tree.close()


def test_who_looked_while_every_file_was_asked_hears_of_it_too(tmp_path):
    """Another session's sweep may fall into the middle of it, and goes on from there."""
    (tmp_path / "tree" / "deep").mkdir(parents=True)
    (tmp_path / "tree" / "a.py").write_text("x")
    os.link(tmp_path / "tree" / "a.py", tmp_path / "other")
    wait_for_tick()
    looked = []

    def enters(_path):
        if looked == [None]:
            wait_for_tick(5)
            looked[0] = tree.listed(time.time_ns()).at
        return True

    tree = Tree(tmp_path / "tree", enters)
    if not tree.watch():
        pytest.skip("no inotify")
    wait_for_tick()
    (tmp_path / "other").write_text("y")
    looked.append(None)
    tree.verify(time.time_ns())
    assert tree.listed(looked[0]).paths == ("a.py",)
    tree.close()


def test_a_second_name_is_no_way_past_a_list_that_was_verified(linked, tmp_path):
    """A program in the background may write through it after the last look at every file."""
    wait_for_tick()
    at = linked.listed(time.time_ns()).at
    linked.verify(at)
    wait_for_tick(2)
    (tmp_path / "other").write_text("y")
    assert linked.listed(at, verified=True).paths == ("a.py",)


def test_a_folder_that_nobody_wanted_to_know_about_is_watched_once_somebody_does(tmp_path):
    (tmp_path / "out").mkdir()
    wanted = []
    tree = Tree(tmp_path, lambda path: path in wanted)
    if not tree.watch():
        pytest.skip("no inotify")
    wanted.append("out")
    tree.verify(time.time_ns())
    wait_for_tick(2)
    at = tree.listed(time.time_ns()).at
    (tmp_path / "out" / "a.py").write_text("x")
    assert tree.listed(at).paths == ("out/a.py",)
    tree.close()


def test_a_folder_from_elsewhere_brings_its_files_however_old_they_are(tree, since):
    outside = tree.root.parent / f"{tree.root.name}-outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep" / "a.py").write_text("x")
    wait_for_tick(2)
    later = tree.changed(since).at
    wait_for_tick(2)
    outside.rename(tree.root / "inside")
    assert tree.changed(later + 100_000_000).paths == ("inside/deep/a.py",)


def test_a_tree_that_nobody_closes_keeps_nothing_open(tmp_path):
    tree = Tree(tmp_path, lambda _: True)
    if not tree.watch():
        pytest.skip("no inotify")
    before = len(list(Path("/proc/self/fd").iterdir()))
    del tree
    assert len(list(Path("/proc/self/fd").iterdir())) == before - 1
