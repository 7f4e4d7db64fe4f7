"""The index made as the work tree is, by the kernel's list of what changed."""

from __future__ import annotations

import subprocess

import pytest

from fixtures import wait_for_tick
from vetgate.index.build import build
from vetgate.index.project import ProjectIndex
from vetgate.source.tree import Tree
from vetgate.store import open_index_store

CODE = "def f(a):\n    return a\n"


@pytest.fixture
def place(tmp_path):
    """A repository whose index is built and up to date, and the kernel's list of what changes in it."""
    root = tmp_path / "tree"
    root.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    (root / ".gitignore").write_text("made/\n")
    (root / "made").mkdir()
    (root / "made" / "b.py").write_text(CODE)
    (root / "a.py").write_text(CODE)
    store = open_index_store(tmp_path)
    index = ProjectIndex(root, store, lambda _: True)
    build(index, lambda work, paths: [work(tuple(paths))])
    tree = Tree(root, lambda _: True)
    if not tree.watch():
        pytest.skip("no inotify")
    wait_for_tick()
    assert index.catch_up(tree, 10)
    wait_for_tick()
    yield root, index, tree
    tree.close()
    store.close()


def known(index):
    return set(index.store.stamps(str(index.root)))


def test_what_changed_is_read(place):
    root, index, tree = place
    (root / "c.py").write_text(CODE)
    (root / "made" / "d.py").write_text(CODE)
    (root / "a.py").unlink()
    assert index.catch_up(tree, 10)
    assert known(index) == {"c.py"}


def test_what_git_is_no_longer_told_to_leave_alone_is_read(place):
    root, index, tree = place
    (root / ".gitignore").write_text("")
    assert index.catch_up(tree, 10)
    assert known(index) == {"a.py", "made/b.py"}


def test_what_could_not_be_kept_is_tried_again(place):
    root, index, tree = place
    (root / "c.py").write_text(CODE)
    index.store._writer.execute("PRAGMA query_only = 1")
    for _ in range(3):
        index.catch_up(tree, 10)
        wait_for_tick(2)
    assert known(index) == {"a.py"}
    index.store._writer.execute("PRAGMA query_only = 0")
    assert index.catch_up(tree, 10)
    assert known(index) == {"a.py", "c.py"}
