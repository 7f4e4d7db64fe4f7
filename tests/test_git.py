from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from fixtures import WorkTree
from vetgate.model import File, Unchecked, UncheckedKind, UserError
from vetgate.source import git, git_process
from vetgate.source.text import LARGEST, is_no_text, link_text

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.usefixtures("home")


def repository_of(tree: WorkTree) -> git.Repository:
    return git.open_at(tree.root)


def by_path(files: tuple[File, ...]) -> dict[str, tuple[str | None, str | None]]:
    return {file.path: (file.before, file.after) for file in files}


class TestFind:
    def test_a_subfolder_and_a_file_not_yet_written_belong_to_the_top(self, tree: WorkTree) -> None:
        tree.put("a/b/c.py", "x = 1\n")
        for start in (tree.root, tree.root / "a/b", tree.root / "a/b/c.py", tree.root / "new/folder/file.py"):
            found = git.find(start)
            assert found is not None
            assert found.top == tree.root

    def test_outside_of_any_repository_there_is_none(self, tmp_path: Path) -> None:
        assert git.find(tmp_path) is None
        with pytest.raises(UserError, match="not in a git repository"):
            git.open_at(tmp_path)

    def test_work_trees_share_the_common_directory(self, tree: WorkTree, tmp_path: Path) -> None:
        tree.commit()
        tree.git("worktree", "add", "-q", str(tmp_path / "second"))
        second = git.open_at(tmp_path / "second")
        assert second.top == tmp_path / "second"
        assert second.common == repository_of(tree).common == tree.root / ".git"

    def test_a_bare_repository_is_refused(self, tmp_path: Path) -> None:
        subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "bare.git")], check=True)
        with pytest.raises(UserError, match="without a work tree"):
            git.find(tmp_path / "bare.git")

    def test_a_stray_git_dir_of_the_caller_is_ignored(
        self, tree: WorkTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        subprocess.run(["git", "init", "-q", str(tmp_path / "other")], check=True)
        monkeypatch.setenv("GIT_DIR", str(tmp_path / "other/.git"))
        monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "other"))
        assert git.open_at(tree.root).top == tree.root

    def test_a_folder_name_with_a_line_break(self, tmp_path: Path) -> None:
        top = tmp_path / "two\nlines"
        subprocess.run(["git", "init", "-q", str(top)], check=True)
        assert git.open_at(top).top == top

    def test_without_git_the_message_says_so(self, tree: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "/nonexistent")
        with pytest.raises(UserError, match="git is not installed"):
            git.find(tree.root)

    def test_git_that_does_not_answer_is_not_waited_for(
        self, tree: WorkTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slow = tmp_path / "bin" / "git"
        slow.parent.mkdir()
        slow.write_text("#!/bin/sh\nexec sleep 600\n")
        slow.chmod(0o755)
        monkeypatch.setenv("PATH", f"{slow.parent}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setattr(git_process, "TIMEOUT", 0.2)
        with pytest.raises(UserError, match="no answer"):
            git.find(tree.root)


class TestFiles:
    def test_tracked_and_untracked_but_neither_ignored_nor_missing_nor_linked(self, tree: WorkTree) -> None:
        tree.put(".gitignore", "build/\n")
        tree.put("kept.py", "x = 1\n")
        tree.put("gone.py", "x = 1\n")
        tree.commit()
        (tree.root / "gone.py").unlink()
        tree.put("new.py", "x = 1\n")
        tree.put("build/out.py", "x = 1\n")
        (tree.root / "link.py").symlink_to("kept.py")
        assert repository_of(tree).files() == (".gitignore", "kept.py", "new.py")

    def test_only_below_a_folder(self, tree: WorkTree) -> None:
        tree.put("a/x.py", "")
        tree.put("b/y.py", "")
        assert repository_of(tree).files("b") == ("b/y.py",)

    def test_a_folder_whose_name_is_a_pattern_is_taken_literally(self, tree: WorkTree) -> None:
        tree.put("[ab]/x.py", "")
        tree.put("a/y.py", "")
        assert repository_of(tree).files("[ab]") == ("[ab]/x.py",)

    def test_which_folders_are_ignored(self, tree: WorkTree) -> None:
        tree.put(".gitignore", "build/\n/versions/*\n")
        for name in ("build", "versions/3.11/lib", "src", "[ab]"):
            tree.put(f"{name}/x.py", "")
        repository = repository_of(tree)
        names = (".", "build", "versions/3.11/lib", "versions", "src", "[ab]")
        assert [name for name in names if repository.ignores(tree.root / name)] == ["build", "versions/3.11/lib"]

    def test_submodules_and_nested_repositories_are_not_ours(self, tree: WorkTree, tmp_path: Path) -> None:
        other = WorkTree(tmp_path / "other")
        other.put("lib.py", "x = 1\n")
        other.commit()
        tree.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.root), "sub")
        tree.commit()
        subprocess.run(["git", "clone", "-q", str(other.root), str(tree.root / "nested")], check=True)
        tree.put("own.py", "x = 1\n")
        assert repository_of(tree).files() == (".gitmodules", "own.py")
        (tree.root / "sub/lib.py").write_text("x = 2\n")
        assert list(by_path(repository_of(tree).since("HEAD").files)) == ["own.py"]

    @pytest.mark.skipif(sys.platform == "darwin", reason="the file system refuses such names")
    def test_odd_names_survive(self, tree: WorkTree) -> None:
        names = (b"caf\xe9.py", "naïve.py".encode(), b"two\nlines.py", b'q"uote.py', b" space .py")
        for name in names:
            tree.put(os.fsdecode(name), "x = 1\n")
        tree.commit()
        repository = repository_of(tree)
        assert {os.fsencode(path) for path in repository.files()} == set(names)
        assert all(repository.head(os.fsdecode(name)) == b"x = 1\n" for name in names)
        for name in names:
            tree.put(os.fsdecode(name), "x = 2\n")
        assert {os.fsencode(file.path) for file in repository.since("HEAD").files} == set(names)


class TestUncommitted:
    def test_what_differs_from_the_last_commit_is_told(self, tree: WorkTree) -> None:
        for name in ("same.py", "changed.py", "staged.py", "gone.py", "run.sh"):
            tree.put(name, "x = 1\n")
        tree.commit()
        tree.put("changed.py", "x = 2\n")
        tree.put("staged.py", "x = 2\n")
        tree.git("add", "staged.py")
        (tree.root / "gone.py").unlink()
        (tree.root / "run.sh").chmod(0o755)
        tree.put("new.py", "x = 1\n")
        assert set(repository_of(tree).uncommitted()) == {"changed.py", "staged.py", "gone.py", "run.sh", "new.py"}

    def test_a_file_of_another_time_and_place_is_the_same_if_its_content_is(self, tree: WorkTree) -> None:
        for name in ("a.py", "b.py", '"quoted".py'):
            tree.put(name, "x = 1\n")
        tree.commit()
        for name in ("a.py", "b.py"):
            text = (tree.root / name).read_text()
            (tree.root / name).unlink()
            tree.put(name, text)
            os.utime(tree.root / name, (1, 1))
        tree.put("b.py", "x = 2\n")
        assert repository_of(tree).uncommitted() == ("b.py",)

    def test_without_a_commit_all_files_are_told(self, tree: WorkTree) -> None:
        tree.put("a.py", "x = 1\n")
        tree.git("add", "a.py")
        assert repository_of(tree).uncommitted() == ("a.py",)


class TestHead:
    def test_content_of_the_last_commit_whatever_lies_on_disk(self, tree: WorkTree) -> None:
        tree.put("a.py", "x = 1\n")
        tree.commit()
        tree.put("a.py", "x = 2\n")
        assert repository_of(tree).head("a.py") == b"x = 1\n"

    def test_nothing_for_a_new_file_a_folder_or_an_empty_repository(self, tree: WorkTree) -> None:
        assert repository_of(tree).head("a.py") is None
        assert repository_of(tree).head("a\nb.py") is None
        tree.put("d/a.py", "")
        tree.commit()
        assert repository_of(tree).head("b.py") is None
        assert repository_of(tree).head("d") is None
        assert repository_of(tree).head("d/a.py") == b""


class TestStaged:
    def test_the_index_counts_and_the_work_tree_does_not(self, tree: WorkTree) -> None:
        tree.put("a.py", "one\n")
        tree.put("same.py", "same\n")
        tree.commit()
        tree.put("a.py", "two\n")
        tree.git("add", "a.py")
        tree.put("a.py", "three\n")
        tree.put("untracked.py", "x\n")
        change = repository_of(tree).staged()
        assert change.files == (File("a.py", "one\n", "two\n"),)
        assert change.root == tree.root
        assert (tree.root / "a.py").read_text() == "three\n"

    def test_in_an_empty_repository_everything_is_added(self, tree: WorkTree) -> None:
        tree.put("a.py", "one\n")
        tree.git("add", "a.py")
        assert repository_of(tree).staged().files == (File("a.py", None, "one\n"),)

    def test_a_renamed_file_keeps_its_old_content_as_before(self, tree: WorkTree) -> None:
        body = "".join(f"line {n}\n" for n in range(20))
        tree.put("old.py", body)
        tree.commit()
        tree.git("mv", "old.py", "new.py")
        tree.put("new.py", body + "more\n")
        tree.git("add", "-A")
        assert repository_of(tree).staged().files == (File("new.py", body, body + "more\n", was="old.py"),)

    def test_a_deleted_file_has_no_after(self, tree: WorkTree) -> None:
        tree.put("a.py", "one\n")
        tree.commit()
        tree.git("rm", "-q", "a.py")
        assert repository_of(tree).staged().files == (File("a.py", "one\n", None),)

    def test_binary_and_huge_files_are_named_not_read(self, tree: WorkTree) -> None:
        tree.put("logo.png", b"\x89PNG\0\0")
        tree.put("huge.py", b"x = 1\n" * (LARGEST // 6 + 1))
        tree.git("add", "-A")
        change = repository_of(tree).staged()
        assert [is_no_text(file.after) for file in change.files] == [True]
        assert change.unchecked == (Unchecked("huge.py", UncheckedKind.TOO_LARGE, "larger than 20 MiB"),)

    def test_a_link_stands_for_where_it_leads(self, tree: WorkTree) -> None:
        tree.put("a.py", "one\n")
        (tree.root / "link.py").symlink_to("a.py")
        tree.git("add", "-A")
        texts = {file.path: file.after for file in repository_of(tree).staged().files}
        assert texts == {"a.py": "one\n", "link.py": link_text("a.py")}

    def test_line_ends_do_not_make_a_difference(self, tree: WorkTree) -> None:
        tree.put("a.py", "one\r\ntwo\r\n")
        tree.git("add", "-A")
        assert repository_of(tree).staged().files == (File("a.py", None, "one\ntwo\n"),)

    def test_an_unmerged_path_is_unchecked(self, tree: WorkTree) -> None:
        conflict(tree)
        change = repository_of(tree).staged()
        assert change.unchecked == (Unchecked("a.py", UncheckedKind.UNREADABLE, "unmerged in the index"),)

    def test_settings_of_the_user_change_nothing(self, tree: WorkTree, home: Path) -> None:
        tree.put("sub/ä.py", "one\n")
        tree.commit()
        tree.put("sub/ä.py", "two\n")
        tree.git("add", "-A")
        with (home / ".gitconfig").open("a") as config:
            config.write("[diff]\nexternal = false\nrelative = true\nnoprefix = true\nrenames = false\n")
            config.write("[core]\nquotepath = true\npager = false\n[color]\nui = always\n")
        assert git.open_at(tree.root / "sub").staged().files == (File("sub/ä.py", "one\n", "two\n"),)

    def test_a_commit_hook_sees_the_index_of_its_commit(self, tree: WorkTree, tmp_path: Path) -> None:
        """`git commit -a` stages into an index of its own, which only the hook's environment names."""
        tree.put("a.py", "one\n")
        tree.commit()
        tree.put("a.py", "two\n")
        seen = tmp_path / "seen"
        program = (
            "from pathlib import Path; from vetgate.source import git;"
            f"Path({str(seen)!r}).write_text(repr([(f.path, f.after) for f in git.open_at(Path.cwd()).staged().files]))"
        )
        hook = tree.put(".git/hooks/pre-commit", f'#!/bin/sh\nexec {sys.executable} -c "{program}"\n')
        hook.chmod(0o755)
        tree.git("commit", "-qam", "two")
        assert seen.read_text() == "[('a.py', 'two\\n')]"

    def test_an_index_from_elsewhere_is_not_believed(
        self, tree: WorkTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tree.put("a.py", "one\n")
        tree.git("add", "-A")
        other = tmp_path / "empty-index"
        other.write_bytes(b"")
        monkeypatch.setenv("GIT_INDEX_FILE", str(other))
        assert list(by_path(repository_of(tree).staged().files)) == ["a.py"]


class TestSince:
    def test_committed_staged_unstaged_and_untracked_changes_since_the_fork(self, tree: WorkTree) -> None:
        for name in ("a", "b", "c", "d"):
            tree.put(f"{name}.py", "base\n")
        fork = tree.commit()
        tree.git("branch", "topic")
        tree.put("d.py", "main moved on\n")
        tree.commit()
        tree.git("checkout", "-q", "topic")
        tree.put("a.py", "committed\n")
        tree.commit()
        tree.put("b.py", "staged\n")
        tree.git("add", "b.py")
        tree.put("c.py", "unstaged\n")
        tree.put("e.py", "untracked\n")
        change = repository_of(tree).since("main")
        assert change.base == fork
        assert by_path(change.files) == {
            "a.py": ("base\n", "committed\n"),
            "b.py": ("base\n", "staged\n"),
            "c.py": ("base\n", "unstaged\n"),
            "e.py": (None, "untracked\n"),
        }

    @pytest.mark.parametrize("names", ["sha1", "sha256"])
    def test_since_nothing_at_all(self, tmp_path: Path, names: str) -> None:
        tree = WorkTree(tmp_path)
        shutil.rmtree(tree.root / ".git")
        tree.git("init", "-q", f"--object-format={names}")
        tree.put("a.py", "first\n")
        tree.commit()
        change = repository_of(tree).since(git.EMPTY_TREE)
        assert by_path(change.files)["a.py"] == (None, "first\n")

    def test_renames_and_deletions(self, tree: WorkTree) -> None:
        body = "".join(f"line {n}\n" for n in range(20))
        tree.put("old.py", body)
        tree.put("gone.py", "other things entirely\n")
        tree.commit()
        tree.git("mv", "old.py", "new.py")
        (tree.root / "gone.py").unlink()
        change = repository_of(tree).since("HEAD")
        assert by_path(change.files) == {"new.py": (body, body), "gone.py": ("other things entirely\n", None)}

    def test_a_move_that_git_was_not_told_of(self, tree: WorkTree) -> None:
        bodies = {name: "".join(f"{name} {n}\n" for n in range(20)) for name in ("one", "two")}
        for name, body in bodies.items():
            tree.put(f"{name}.py", body)
        tree.commit()
        (tree.root / "one.py").rename(tree.root / "moved.py")
        tree.put("moved.py", bodies["one"] + "more\n")
        (tree.root / "two.py").unlink()
        tree.put("unlike.py", "nothing of the kind\n")
        assert by_path(repository_of(tree).since("HEAD").files) == {
            "moved.py": (bodies["one"], bodies["one"] + "more\n"),
            "two.py": (bodies["two"], None),
            "unlike.py": (None, "nothing of the kind\n"),
        }

    def test_of_two_copies_the_closer_one_is_the_move(self, tree: WorkTree) -> None:
        body = "".join(f"line {n}\n" for n in range(20))
        tree.put("old.py", body)
        tree.commit()
        (tree.root / "old.py").unlink()
        tree.put("close.py", body)
        tree.put("far.py", body + "more\n" * 10)
        assert by_path(repository_of(tree).since("HEAD").files) == {
            "close.py": (body, body),
            "far.py": (None, body + "more\n" * 10),
        }

    def test_a_file_out_of_the_index_but_still_on_disk_is_a_modification(self, tree: WorkTree) -> None:
        tree.put("a.py", "one\n")
        tree.commit()
        tree.git("rm", "-q", "--cached", "a.py")
        tree.put("a.py", "two\n")
        assert repository_of(tree).since("HEAD").files == (File("a.py", "one\n", "two\n"),)

    def test_a_conflicted_file_is_read_as_it_lies_there(self, tree: WorkTree) -> None:
        conflict(tree)
        (file,) = repository_of(tree).since("HEAD").files
        assert file.before == "ours\n"
        assert file.after is not None
        assert "<<<<<<<" in file.after

    @pytest.mark.parametrize("base", ["nothing-like-it", "--output=x", ""], ids=["unknown", "an option", "empty"])
    def test_a_base_that_git_does_not_know(self, tree: WorkTree, base: str) -> None:
        tree.commit()
        with pytest.raises(UserError, match="knows no commit"):
            repository_of(tree).since(base)

    def test_no_commit_yet(self, tree: WorkTree) -> None:
        with pytest.raises(UserError, match="there is no commit yet"):
            repository_of(tree).since("main")

    def test_histories_that_never_met(self, tree: WorkTree) -> None:
        tree.commit()
        tree.git("checkout", "-q", "--orphan", "island")
        tree.commit("another beginning")
        with pytest.raises(UserError, match="no common ancestor"):
            repository_of(tree).since("main")


def conflict(tree: WorkTree) -> None:
    tree.put("a.py", "base\n")
    tree.commit()
    tree.git("checkout", "-qb", "theirs")
    tree.put("a.py", "theirs\n")
    tree.commit()
    tree.git("checkout", "-q", "main")
    tree.put("a.py", "ours\n")
    tree.commit()
    merged = subprocess.run(["git", "merge", "-q", "theirs"], cwd=tree.root, capture_output=True, check=False)
    assert merged.returncode != 0


class TestWhatARepositoryPretends:
    def test_replaced_objects_are_not_followed(self, tree: WorkTree) -> None:
        tree.put("app", "bad\n")
        tree.commit()
        good = tree.put("good", "good\n")
        tree.git("replace", tree.git("rev-parse", "HEAD:app"), tree.git("hash-object", "-w", str(good)))
        tree.git("config", "core.useReplaceRefs", "true")
        assert tree.git("show", "HEAD:app") == "good", "git itself is taken in"
        assert repository_of(tree).head("app") == b"bad\n"

    @pytest.mark.parametrize("setting", ["core.bare=true", "core.worktree=/nowhere"])
    def test_a_work_tree_cannot_be_denied(self, tree: WorkTree, setting: str) -> None:
        tree.put("app", "one\n")
        tree.commit()
        tree.put("app", "two\n")
        tree.git("config", *setting.split("="))
        assert repository_of(tree).top == tree.root
        assert repository_of(tree).uncommitted() == ("app",)

    def test_a_file_of_lfs_is_what_its_pointer_names(self, tree: WorkTree) -> None:
        content = "weights = 1\n"
        digest = hashlib.sha256(content.encode()).hexdigest()
        pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {len(content)}\n"
        tree.put("big", pointer)
        tree.put("other", pointer)
        tree.commit()
        tree.put("big", content)
        tree.put("other", "weights = 2\n")
        assert repository_of(tree).uncommitted() == ("other",)
        assert [file.path for file in repository_of(tree).since("HEAD").files] == ["other"]
