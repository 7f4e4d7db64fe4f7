"""Files as commits have them: read once of each commit, and never of another."""

from __future__ import annotations

import pytest

from vetgate.source import git_objects, git_refs
from vetgate.source.git_process import GitAnswer
from vetgate.source.git_refs import branch, commit_named
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


@pytest.mark.parametrize(("how", "name"), [((), "main"), (("-b", "topic/one"), "topic/one"), (("--detach",), "")])
def test_the_branch_is_what_git_says(tree, how, name):
    tree.commit()
    tree.git("branch", "-M", "main")
    tree.git("checkout", "-q", *how)
    assert branch(tree.root) == name


def test_where_refs_lie_in_tables_git_names_the_branch(tree, monkeypatch):
    """The git of this machine may know no tables: what it would say there is told in its place."""
    (tree.root / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    monkeypatch.setattr(git_refs, "ask", lambda *_: GitAnswer(0, b"refs/heads/topic\n", ""))
    assert branch(tree.root) == "topic"


@pytest.mark.parametrize("name", ["", "-n", "no-such-branch", "0" * 40])
def test_what_git_does_not_know_is_no_commit(tree, name):
    assert commit_named(tree.root, "HEAD") == ""
    made = tree.commit()
    assert commit_named(tree.root, "HEAD") == made
    assert commit_named(tree.root, name) == ""
