"""What git's own hooks let be committed and pushed: real git, real hooks, the work tree never touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures import ALSO_BAD, BAD, GOOD, Clone, picture


@pytest.fixture
def clone(tmp_path) -> Clone:
    """Set up and committed; what follows is judged."""
    made = Clone(tmp_path).gated()
    made.git("add", "-A")
    made.git("commit", "-q", "--no-verify", "-m", "begin")
    return made


@pytest.fixture
def shared(clone, tmp_path) -> Clone:
    """With a remote that has what is committed so far."""
    clone.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    clone.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    clone.git("push", "-q", "--no-verify", "-u", "origin", "main")
    return clone


def around(clone: Clone, path: str, text: str, message: str = "around the gate") -> str:
    """Committed as git lets people do it, and as rebase and cherry-pick do it."""
    clone.put(path, text)
    clone.git("add", path)
    clone.git("commit", "-q", "--no-verify", "-m", message)
    return clone.git("rev-parse", "HEAD")


class TestCommit:
    def test_a_new_bad_function_is_held_back_with_its_place_and_reason(self, clone):
        clone.put("a.py", BAD)
        clone.git("add", "a.py")
        said = clone.stopped("commit", "-m", "bad")
        assert "a.py:1:1  error  complexity/cyclomatic" in said
        assert "vetgate explain d" in said

    def test_the_decision_is_on_record(self, clone):
        clone.put("a.py", BAD)
        clone.git("add", "a.py")
        identity = clone.stopped("commit", "-m", "bad").rpartition("vetgate explain ")[2].split()[0]
        told = clone.vetgate("explain", identity)
        assert told.returncode == 0
        assert "event    commit, git with pre-commit" in told.stdout

    def test_a_clean_commit_passes_without_a_word(self, clone):
        clone.put("a.py", GOOD)
        clone.git("add", "a.py")
        done = clone.run("commit", "-q", "-m", "good")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    def test_what_only_warns_is_told_and_passes(self, clone):
        clone.put("a.py", "def wide(a, b, c, d, e, f, g):\n    return a\n")
        clone.git("add", "a.py")
        done = clone.run("commit", "-m", "wide")
        assert done.returncode == 0
        assert "complexity/parameters" in done.stderr

    def test_the_index_is_judged_and_not_the_work_tree(self, clone):
        clone.put("a.py", BAD)
        clone.git("add", "a.py")
        clone.put("a.py", GOOD)
        clone.stopped("commit", "-m", "bad in the index, good on disk")
        clone.git("add", "a.py")
        clone.put("a.py", BAD)
        clone.git("commit", "-m", "good in the index, bad on disk")

    def test_neither_answer_touches_the_work_tree_the_index_or_the_stash(self, clone):
        clone.put("a.py", BAD)
        clone.git("add", "a.py")
        clone.put("a.py", BAD + "# not staged\n")
        clone.put("untracked.py", BAD)
        before = {path: facts for path, facts in picture(clone.root).items() if not path.startswith(".git/")}
        status = clone.git("status", "--porcelain")
        clone.stopped("commit", "-m", "bad")
        assert {path: facts for path, facts in picture(clone.root).items() if not path.startswith(".git/")} == before
        assert clone.git("status", "--porcelain") == status
        assert clone.git("stash", "list") == ""

    def test_commit_a_is_judged_by_the_index_git_prepares(self, clone):
        around(clone, "a.py", GOOD)
        clone.put("a.py", GOOD + BAD)
        assert "a.py:3:1" in clone.stopped("commit", "-a", "-m", "bad")

    def test_a_partial_commit_is_judged_by_what_it_names(self, clone):
        for name in ("one.py", "two.py"):
            around(clone, name, GOOD)
        clone.put("one.py", GOOD + "x = 1\n")
        clone.put("two.py", GOOD + BAD)
        clone.git("add", "two.py")
        clone.git("commit", "-q", "-m", "only the good one", "one.py")
        assert "two.py" in clone.stopped("commit", "-m", "only the bad one", "two.py")

    def test_old_debt_does_not_hold_a_small_change(self, clone):
        around(clone, "a.py", BAD)
        clone.put("a.py", BAD + "\n\ndef more(a):\n    return a\n")
        clone.git("commit", "-a", "-m", "beside old debt")

    def test_amend_is_judged_against_the_commit_it_replaces(self, clone):
        around(clone, "a.py", GOOD)
        clone.git("commit", "-q", "--amend", "-m", "another message")
        clone.put("a.py", BAD)
        clone.stopped("commit", "-a", "--amend", "--no-edit")

    def test_the_first_commit_has_nothing_to_compare_with(self, tmp_path):
        clone = Clone(tmp_path).gated()
        clone.put("a.py", BAD)
        clone.git("add", "-A")
        assert "a.py" in clone.stopped("commit", "-m", "first")
        clone.put("a.py", GOOD)
        clone.git("commit", "-a", "-m", "first")

    def test_deleting_files_passes(self, clone):
        around(clone, "a.py", BAD)
        clone.git("rm", "-q", "a.py")
        clone.git("commit", "-m", "gone")

    def test_a_renamed_file_takes_its_debt_along(self, clone):
        around(clone, "a.py", BAD)
        clone.git("mv", "a.py", "b.py")
        clone.git("commit", "-m", "renamed")

    def test_a_rename_that_hides_a_test_from_the_runner_is_stopped(self, clone):
        around(clone, "tests/test_shop.py", "def test_total():\n    assert sum([1]) == 1\n")
        clone.git("mv", "tests/test_shop.py", "tests/shop_cases.py")
        assert "where no runner looks for tests" in clone.stopped("commit", "-m", "moved")

    def test_a_rename_under_which_the_runner_still_collects_a_test_passes(self, clone):
        around(clone, "tests/test_shop.py", "def test_total():\n    assert sum([1]) == 1\n")
        clone.git("mv", "tests/test_shop.py", "tests/test_store.py")
        clone.git("commit", "-m", "moved")

    def test_any_name_of_a_file(self, clone):
        names = ["größe.py", "日本.py", "two words.py", "quote'\".py", "back\\slash.py"]
        for name in names:
            clone.put(name, BAD)
        clone.git("add", "-A")
        said = clone.stopped("commit", "-m", "bad")
        assert [name for name in names if f"{name}:1:1" not in said] == []

    def test_no_verify_is_git_s_own_way_past_it(self, clone):
        clone.put("a.py", BAD)
        clone.git("add", "a.py")
        clone.git("commit", "-q", "--no-verify", "-m", "a person's choice")

    def test_from_a_subfolder(self, clone):
        clone.put("deep/er/a.py", BAD)
        clone.git("add", "-A")
        assert "deep/er/a.py:1:1" in clone.stopped("commit", "-m", "bad", cwd=clone.root / "deep")

    def test_from_a_program_with_next_to_no_environment(self, clone):
        clone.put("a.py", BAD)
        clone.git("add", "a.py")
        clone.env = {"PATH": "/usr/bin:/bin", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b"}
        clone.stopped("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-m", "bad")

    def test_no_variable_opens_the_gate(self, clone, tmp_path):
        clone.put("a.py", BAD)
        clone.git("add", "a.py")
        elsewhere = str(tmp_path / "elsewhere")
        folders = dict.fromkeys(("VETGATE_STATE_DIR", "XDG_STATE_HOME", "PYTHONPATH", "PYTHONHOME"), elsewhere)
        clone.stopped("commit", "-m", "bad", VETGATE_DAEMON="off", VETGATE_LOG="debug", **folders)
        assert not Path(elsewhere).exists()

    def test_an_index_elsewhere_is_what_is_judged(self, clone, tmp_path):
        clone.put("a.py", BAD)
        index = str(tmp_path / "index")
        clone.git("read-tree", "HEAD", GIT_INDEX_FILE=index)
        clone.git("add", "a.py", GIT_INDEX_FILE=index)
        clone.stopped("commit", "-m", "bad", GIT_INDEX_FILE=index)
        clone.put("a.py", "x = 1\n")
        clone.git("add", "a.py", GIT_INDEX_FILE=index)
        clone.git("commit", "-q", "-m", "good", GIT_INDEX_FILE=index)

    def test_a_looser_configuration_that_nobody_accepted_opens_nothing(self, clone):
        clone.put("vetgate.yaml", "version: 1\nenabled: false\non: {commit: []}\n")
        clone.put("a.py", BAD)
        clone.git("add", "-A")
        said = clone.stopped("commit", "-m", "bad")
        assert "not accepted" in said

    def test_a_configuration_that_cannot_be_read_leaves_the_accepted_one_in_force(self, clone):
        clone.put("vetgate.yaml", "version: [\n")
        clone.put("a.py", BAD)
        clone.git("add", "a.py")
        clone.stopped("commit", "-m", "bad")

    def test_a_branch_without_our_configuration_is_gated_too(self, clone):
        clone.git("rm", "-q", "vetgate.yaml")
        clone.git("commit", "-q", "-m", "without")
        clone.put("a.py", BAD)
        clone.git("add", "a.py")
        clone.stopped("commit", "-m", "bad")


class TestMerge:
    @pytest.fixture
    def parted(self, clone) -> Clone:
        """Two branches that touch the same line, one of them with debt of its own."""
        around(clone, "a.py", "x = 0\n")
        clone.git("switch", "-q", "-c", "theirs")
        around(clone, "a.py", "x = 1\n" + BAD)
        around(clone, "theirs.py", "def wide(a, b, c, d, e, f, g):\n    return a\n")
        clone.git("switch", "-q", "main")
        around(clone, "a.py", "x = 2\n")
        assert clone.run("merge", "theirs").returncode != 0
        return clone

    def test_what_stood_on_the_other_side_is_not_new(self, parted):
        parted.put("a.py", "x = 3\n" + BAD)
        parted.git("add", "a.py")
        parted.git("commit", "-m", "merged")

    def test_what_the_merge_itself_adds_is(self, parted):
        parted.put("a.py", "x = 3\n" + BAD + ALSO_BAD)
        parted.git("add", "a.py")
        said = parted.stopped("commit", "-m", "merged")
        assert "`knotted` has cyclomatic complexity" in said
        assert "`busy` has" not in said

    def test_a_function_made_worse_while_merging_is_new(self, parted):
        parted.put("a.py", "x = 3\n" + BAD + BAD.partition("\n")[2].replace("==", ">"))
        parted.git("add", "a.py")
        assert "`busy`" in parted.stopped("commit", "-m", "merged")

    def test_a_merge_without_conflict_passes(self, clone):
        clone.git("switch", "-q", "-c", "theirs")
        around(clone, "a.py", BAD)
        clone.git("switch", "-q", "main")
        around(clone, "b.py", GOOD)
        clone.git("merge", "-q", "--no-edit", "theirs")

    def test_a_rebase_and_a_cherry_pick_are_not_stopped(self, clone):
        clone.git("switch", "-q", "-c", "theirs")
        picked = around(clone, "a.py", BAD)
        clone.git("switch", "-q", "main")
        around(clone, "b.py", GOOD)
        clone.git("cherry-pick", picked)
        clone.git("switch", "-q", "theirs")
        clone.git("rebase", "-q", "main")


class TestMessage:
    # Put together here, so that nobody takes this file for a leak.
    TOKEN = f"AKIA{'TLP2ZMCD7KIRGE3Q'[::-1]}"

    def test_a_secret_in_the_message_is_held_back(self, clone):
        said = clone.stopped("commit", "--allow-empty", "-m", "deploy", "-m", f"with {self.TOKEN}")
        assert "commit message:3" in said

    def test_text_that_hides_itself_is_held_back(self, clone):
        clone.stopped("commit", "--allow-empty", "-m", "nice \u202egnihton")

    def test_an_ordinary_message_in_any_language_passes(self, clone):
        clone.git("commit", "--allow-empty", "-m", "Größe, 日本, עברית 🎉", "-m", "fixes #12\n\n# not a comment")

    def test_what_git_shows_below_the_scissors_is_not_the_message(self, clone):
        clone.put("a.txt", "x\n")
        clone.git("add", "a.txt")
        editor = clone.home / "editor"
        clone.hook(
            editor,
            f'#!/bin/sh\nprintf "subject\\n" | cat - "$1" > "$1.new"\nmv "$1.new" "$1"\necho "+{self.TOKEN}" >> "$1"\n',
        )
        clone.git("commit", "--verbose", GIT_EDITOR=str(editor))


class TestWorkTrees:
    def test_a_second_work_tree_is_gated_by_the_same_hooks(self, clone, tmp_path):
        clone.git("worktree", "add", "-q", str(tmp_path / "second"))
        clone.put("a.py", BAD, cwd=tmp_path / "second")
        clone.git("add", "a.py", cwd=tmp_path / "second")
        assert "a.py:1:1" in clone.stopped("commit", "-m", "bad", cwd=tmp_path / "second")
        clone.stopped("commit", "-a", "-m", "bad", cwd=tmp_path / "second")

    def test_set_up_in_a_second_work_tree_the_first_is_gated_too(self, tmp_path):
        clone = Clone(tmp_path)
        clone.git("commit", "-q", "--allow-empty", "-m", "begin")
        clone.git("worktree", "add", "-q", str(tmp_path / "second"))
        assert clone.init("--yes", "--git", cwd=tmp_path / "second").returncode == 0
        assert (clone.hooks / "pre-commit").exists()
        clone.put("a.py", BAD)
        clone.git("add", "a.py")
        clone.stopped("commit", "-m", "bad")

    def test_a_submodule_is_a_project_of_its_own(self, clone, tmp_path):
        clone.git("init", "-q", str(tmp_path / "library"))
        clone.git("commit", "-q", "--allow-empty", "-m", "begin", cwd=tmp_path / "library")
        clone.git("submodule", "--quiet", "add", str(tmp_path / "library"), "inner")
        clone.git("commit", "-q", "-m", "with a submodule")
        inner = clone.root / "inner"
        clone.put("a.py", BAD, cwd=inner)
        clone.git("add", "a.py", cwd=inner)
        clone.git("commit", "-q", "-m", "nobody set it up", cwd=inner)
        clone.git("commit", "-q", "-a", "-m", "moved on")
        assert clone.init("--yes", "--git", cwd=inner).returncode == 0
        clone.put("b.py", ALSO_BAD, cwd=inner)
        clone.git("add", "b.py", cwd=inner)
        clone.stopped("commit", "-m", "bad", cwd=inner)


class TestPush:
    def test_what_went_around_the_commit_is_held_back_here(self, shared):
        around(shared, "a.py", BAD)
        said = shared.stopped("push")
        assert "a.py:1:1  error  complexity/cyclomatic" in said
        assert shared.git("rev-parse", "origin/main") != shared.git("rev-parse", "HEAD")

    def test_fixed_before_the_push_it_passes(self, shared):
        around(shared, "a.py", BAD)
        shared.put("a.py", GOOD)
        shared.git("commit", "-q", "-a", "-m", "fixed")
        shared.git("push", "-q")

    def test_of_several_branches_each_is_judged(self, shared):
        shared.git("switch", "-q", "-c", "good")
        around(shared, "good.py", GOOD)
        shared.git("switch", "-q", "-c", "bad", "main")
        around(shared, "bad.py", BAD)
        said = shared.stopped("push", "origin", "good", "bad")
        assert "bad.py" in said
        assert "good.py:" not in said
        shared.git("push", "-q", "origin", "good")

    def test_nothing_to_push_and_a_deleted_ref_pass(self, shared):
        shared.git("push", "-q")
        shared.git("push", "-q", "origin", "main:other")
        shared.git("push", "-q", "origin", "--delete", "other")

    def test_a_tag_is_judged_as_what_it_names(self, shared):
        around(shared, "a.py", BAD)
        shared.git("tag", "-a", "v1", "-m", "one")
        shared.stopped("push", "origin", "v1")

    def test_a_first_push_has_nothing_to_compare_with(self, clone, tmp_path):
        around(clone, "a.py", BAD)
        clone.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
        clone.git("push", "-q", str(tmp_path / "remote.git"), "main")

    def test_what_others_pushed_is_not_held_against_a_rebased_branch(self, shared):
        shared.git("switch", "-q", "-c", "feature")
        around(shared, "mine.py", GOOD)
        shared.git("push", "-q", "-u", "origin", "feature")
        shared.git("switch", "-q", "main")
        around(shared, "theirs.py", BAD)
        shared.git("push", "-q", "--no-verify")
        shared.git("switch", "-q", "feature")
        shared.git("rebase", "-q", "main")
        shared.git("push", "-q", "--force-with-lease")

    def test_what_others_pushed_is_not_held_against_one_that_merges_it(self, shared):
        shared.git("switch", "-q", "-c", "feature")
        around(shared, "mine.py", GOOD)
        shared.git("switch", "-q", "main")
        around(shared, "theirs.py", BAD)
        shared.git("push", "-q", "--no-verify")
        shared.git("switch", "-q", "feature")
        shared.git("merge", "-q", "--no-edit", "main")
        shared.git("push", "-q", "origin", "feature")
        around(shared, "mine.py", ALSO_BAD)
        shared.stopped("push", "origin", "feature")
