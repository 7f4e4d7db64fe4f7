"""The name of a work tree's content: always what git itself would say, however it was found out."""

from __future__ import annotations

import os
import shutil
import subprocess
import time

import pytest

from vetgate.gates import content as module
from vetgate.gates.content import changes_of, content_of, tree_of
from vetgate.project import Project
from vetgate.source.git_tree import Folders, content

# Names that git sorts otherwise than most would.
FILES = {
    "a": "1\n",
    "a.b": "2\n",
    "a-b/c": "3\n",
    "ab/x.py": "x = 1\n",
    "ab/y/z.py": "y = 1\n",
    "ab.py": "4\n",
    "deep/er/and/deeper": "5\n",
    "caf\u00e9 \u2603.txt": "6\n",
    "run.sh": "#!/bin/sh\n",
    ".gitignore": "*.log\n",
}


def git(root, *words, **env):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    done = subprocess.run(
        ["git", *identity, *words], cwd=root, check=True, capture_output=True, env={**os.environ, **env}
    )
    return done.stdout


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init", "-q")
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "run.sh").chmod(0o755)
    (root / "link").symlink_to("a")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    return root


@pytest.fixture
def project(root, tmp_path):
    made = Project(root, tmp_path / "state")
    made.tree.watch()
    settled()
    assert tree_of(made) == truth(root)
    settled()
    return made


def settled():
    """Until what was written is certainly older than what is asked next."""
    until = time.time_ns() + 70_000_000
    while time.time_ns() < until:
        pass


def truth(root):
    index = root.parent / "index-of-the-test"
    shutil.copy2(root / ".git" / "index", index)
    git(root, "add", "-A", GIT_INDEX_FILE=str(index))
    return git(root, "write-tree", GIT_INDEX_FILE=str(index)).decode().strip()


def test_a_tree_is_named_from_its_files_as_git_names_it(root):
    found = content(root, 20)
    assert Folders(found.listed).id == found.id == truth(root)


def test_a_file_that_changed_in_the_second_of_its_commit_has_changed(root):
    second = int(time.time()) - 100
    git(root, "config", "core.trustctime", "false")
    os.utime(root / "a", (second, second))
    git(root, "add", "a")
    os.utime(root / ".git" / "index", (second, second))
    before = content(root, 20).id
    edit("a", "2\n")(root)
    os.utime(root / "a", (second, second))
    assert content(root, 20).id != before


def test_nothing_at_all_has_a_name():
    assert Folders(b"").id == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def edit(name, text="changed\n"):
    return lambda root: (root / name).write_text(text)


CHANGES = {
    "a file": edit("a"),
    "one in a folder": edit("ab/y/z.py"),
    "one with a name of its own": edit("caf\u00e9 \u2603.txt"),
    "one that runs": edit("run.sh", "#!/bin/sh\ntrue\n"),
    "one that does not run any more": lambda root: (root / "run.sh").chmod(0o644),
    "line ends": edit("a", "x\r\ny\r\n"),
    "a new file": edit("new"),
    "an ignored file": edit("x.log"),
    "a file that is gone": lambda root: (root / "a").unlink(),
    "a link instead": lambda root: ((root / "a").unlink(), (root / "a").symlink_to("ab.py")),
    "what is ignored": edit(".gitignore", "a.b\n"),
    "how files are treated": lambda root: (edit(".gitattributes", "*.py ident\n")(root), edit("ab.py", "$Id$\n")(root)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_after_a_change_it_is_still_what_git_says(root, project, change):
    change(root)
    assert tree_of(project) == truth(root)
    settled()
    edit("ab/x.py", "x = 2\n")(root)
    assert tree_of(project) == truth(root)


def test_filters_of_git_count(root, project):
    edit(".gitattributes", "*.py ident\n")(root)
    tree_of(project)
    settled()
    tree_of(project)
    edit("ab.py", "$Id: 12 $\n")(root)
    assert tree_of(project) == truth(root)


def test_for_a_file_that_changed_the_others_are_not_looked_at(root, project, monkeypatch):
    monkeypatch.setattr(module, "content", None)
    for number in range(3):
        edit("ab/x.py", f"x = {number + 10}\n")(root)
        assert tree_of(project) == truth(root)
        settled()
    before = content_of(project)
    assert content_of(project) is before, "nothing changed, and nobody was asked"


def test_what_differs_is_known_again_for_the_same_content(root, project):
    edit("ab/x.py", "x = 2\n")(root)
    (root / "a").unlink()
    found = changes_of(project, "s", tree_of(project))
    assert found == (("ab/x.py",), ("a",))
    assert changes_of(project, "s", tree_of(project)) is found


def test_what_is_put_back_is_what_it_was(root, project):
    (root / "new").write_text("1\n")  # so that git is asked, and not the kernel
    settled()
    was = tree_of(project)
    settled()
    edit("a")(root)
    assert tree_of(project) == truth(root) != was
    settled()
    edit("a", FILES["a"])(root)
    edit("x.log")(root)
    assert tree_of(project) == truth(root) == was


def committed(top):
    git(top, "commit", "-q", "--allow-empty", "-m", "more")


def with_repository_inside(root):
    git(root, "init", "-q", "inside")
    committed(root / "inside")
    git(root, "-c", "advice.addEmbeddedRepo=false", "add", "inside")
    git(root, "commit", "-qm", "inside")
    committed(root / "inside")
    return lambda: committed(root / "inside")


def with_hidden_file(root):
    git(root, "update-index", "--skip-worktree", "a")
    (root / "a").unlink()
    return lambda: edit("a", "another\n")(root)


@pytest.mark.parametrize("prepared", [with_repository_inside, with_hidden_file])
def test_what_git_does_not_tell_by_dates_is_seen(root, prepared):
    change = prepared(root)
    settled()
    known = content(root, 10.0)
    assert content(root, 10.0, known).id == known.id
    change()
    settled()
    assert content(root, 10.0, known).id == content(root, 10.0).id != known.id
