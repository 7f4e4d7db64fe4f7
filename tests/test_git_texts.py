"""Files as commits have them: read once of each commit, and never of another."""

from __future__ import annotations

import pytest

from vetgate.source import git_objects
from vetgate.source.git_tree import head, texts


def test_what_head_stands_for_is_read_again_when_it_moves(tree):
    tree.put("a.txt", "one\n")
    first = tree.commit()
    assert texts(tree.root, ["HEAD"], ["a.txt", "b.txt"]) == [("one\n",), (None,)]
    tree.put("a.txt", "two\n")
    second = tree.commit()
    assert texts(tree.root, ["HEAD", first], ["a.txt"]) == [("two\n", "one\n")]
    assert head(tree.root) == second


@pytest.mark.parametrize("how", [["checkout", "-q", "--detach"], ["branch", "-q", "other"]], ids=["detached", "branch"])
def test_head_is_what_git_says(tree, how):
    tree.put("a.txt", "one\n")
    tree.commit()
    tree.git(*how)
    assert head(tree.root) == tree.git("rev-parse", "HEAD")


def test_refs_that_git_packed_are_read_too(tree):
    tree.put("a.txt", "one\n")
    first = tree.commit()
    tree.git("pack-refs", "--all")
    assert head(tree.root) == first
    assert texts(tree.root, ["HEAD"], ["a.txt"]) == [("one\n",)]
    tree.put("a.txt", "two\n")
    tree.commit()
    tree.git("pack-refs", "--all")
    assert texts(tree.root, ["HEAD"], ["a.txt"]) == [("two\n",)]


def test_what_is_known_is_not_asked_again(tree, monkeypatch):
    tree.put("a.txt", "one\n")
    tree.commit()
    texts(tree.root, ["HEAD"], ["a.txt", "gone.txt"])
    monkeypatch.setattr(git_objects, "run", None)
    assert texts(tree.root, ["HEAD"], ["a.txt", "gone.txt"]) == [("one\n",), (None,)]
