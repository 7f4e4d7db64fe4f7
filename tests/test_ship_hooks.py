"""The ship gate in git's own hooks: real git, a bare remote, the store as it lies on disk."""

from __future__ import annotations

import re
import shutil
import sqlite3
import sys

import msgspec
import pytest

from fixtures import BAD, GOOD, Clone
from shipping import CONFIG, accept, commit, project, review, with_remote
from vetgate.source.git import EMPTY_TREE
from vetgate.store import RecordedDecision, RecordedReview
from warm_program import RUN

BLOCKED = "Ship gate: BLOCKED"


@pytest.fixture
def clone(tmp_path):
    return with_remote(Clone(tmp_path).gated())


def push(clone, *words, **more):
    return clone.run("push", "-q", *(words or ("origin", "HEAD")), **more)


def refused(clone, *words, **more):
    done = push(clone, *words, **more)
    assert done.returncode != 0, done.stderr
    assert BLOCKED in done.stderr
    return done.stderr


def remote_refs(clone):
    return clone.git("ls-remote", "origin")


def test_without_a_review_nothing_is_pushed(clone):
    clone.put("a.txt", "two\n")
    commit(clone)
    before = remote_refs(clone)
    said = refused(clone)
    assert "no-review" in said
    assert "vetgate review" in said
    assert remote_refs(clone) == before


def test_committing_exactly_what_was_reviewed_keeps_it_fresh(clone):
    clone.put("a.txt", "two\n")
    clone.put("new.txt", "untracked\n")
    review(clone)
    head = commit(clone)
    done = push(clone)
    assert (done.returncode, done.stderr) == (0, "")
    assert head in remote_refs(clone)


def test_an_edit_after_the_review_is_named(clone):
    clone.put("a.txt", "two\n")
    review(clone)
    clone.put("b.txt", "later\n")
    commit(clone)
    said = refused(clone)
    assert "stale: b.txt changed since the review" in said


def test_a_file_that_was_reviewed_and_is_left_out_is_named(clone):
    clone.put("a.txt", "two\n")
    clone.put("b.txt", "reviewed\n")
    review(clone)
    clone.git("add", "a.txt")
    clone.git("commit", "-q", "-m", "only a part")
    assert "b.txt changed since the review" in refused(clone)


def test_amended_and_rebased_commits_with_the_same_content_stay_fresh(clone):
    clone.put("a.txt", "two\n")
    commit(clone, "first")
    clone.put("b.txt", "more\n")
    review(clone)
    first = commit(clone, "second")
    second = commit(clone, "in other words", "--amend")
    clone.git("reset", "-q", "--soft", "main")
    third = commit(clone, "both as one")
    assert len({first, second, third}) == 3
    assert push(clone).returncode == 0


class TestOtherRemotes:
    """What another remote has was not reviewed for this one."""

    @pytest.fixture
    def fetched(self, clone):
        place = clone.home.parent / "other"
        clone.git("clone", "-q", str(clone.root), str(place))
        named = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        (place / "bad.txt").write_text("nobody saw it\n")
        clone.git("-C", str(place), "add", "-A")
        clone.git("-C", str(place), *named, "commit", "-q", "-m", "unseen")
        clone.git("remote", "add", "other", str(place))
        clone.git("fetch", "-q", "other")
        return clone.git("rev-parse", "other/topic")

    def test_a_tag_of_it_needs_a_review(self, clone, fetched):
        clone.git("tag", "v1", fetched)
        assert "no-review" in refused(clone, "origin", "v1")

    def test_a_review_that_compared_with_it_does_not_count(self, clone, fetched):
        clone.git("merge", "-q", "--ff-only", fetched)
        clone.git("update-ref", "refs/remotes/origin/main", fetched)
        review(clone)
        assert "the newest ancestor that the remote has" in refused(clone)

    def test_of_a_first_push_to_a_second_remote_everything_is_new(self, clone):
        clone.git("init", "-q", "--bare", str(clone.home.parent / "empty.git"))
        clone.git("remote", "add", "empty", str(clone.home.parent / "empty.git"))
        clone.put("a.txt", "two\n")
        review(clone)
        commit(clone)
        assert "the remote has nothing of this yet" in refused(clone, "empty", "HEAD")
        review(clone, base=EMPTY_TREE)
        assert push(clone, "empty", "HEAD").returncode == 0
        assert push(clone).returncode == 0, "who has seen all of it has seen enough for the first one"


def test_another_base_makes_it_stale_and_names_the_commit(clone):
    clone.put("a.txt", "two\n")
    review(clone)
    commit(clone)
    clone.git("switch", "-q", "main")
    clone.put("other.txt", "of others\n")
    moved = commit(clone, "on main")
    clone.git("push", "-q", "--no-verify", "origin", "main")
    clone.git("switch", "-q", "topic")
    clone.git("rebase", "-q", "main")
    said = refused(clone)
    assert f"is based on commit {moved[:10]}" in said


def test_a_review_that_compared_with_less_does_not_count(clone):
    clone.put("a.txt", "two\n")
    head = commit(clone)
    review(clone, base="HEAD")
    said = refused(clone)
    assert f"the review compared with commit {head[:10]} (HEAD)" in said


def test_a_ref_of_the_remote_that_was_moved_here_is_no_base(clone):
    """With it a review would compare with itself, and have seen nothing."""
    main = clone.git("rev-parse", "main")
    clone.put("a.txt", "two\n")
    head = commit(clone)
    clone.git("fetch", "-q", ".", f"{head}:refs/remotes/origin/main")
    assert review(clone).fork == head
    said = refused(clone)
    assert f"the review compared with commit {head[:10]} (origin/main)" in said
    assert f"is compared with {main[:10]}, the newest ancestor that the remote has" in said
    clone.git("fetch", "-q", "origin", "+main:refs/remotes/origin/main")
    review(clone)
    assert push(clone).returncode == 0


def test_a_fork_that_lags_is_told_with_the_command_that_compares_with_it(clone):
    """It has not got what others wrote since, so that leaves for it as well."""
    fork = clone.home.parent / "fork.git"
    clone.git("init", "-q", "--bare", str(fork))
    clone.git("remote", "add", "fork", str(fork))
    clone.git("push", "-q", "--no-verify", "fork", "main")
    clone.git("switch", "-q", "main")
    clone.put("other.txt", "of others\n")
    commit(clone, "on main")
    clone.git("push", "-q", "--no-verify", "origin", "main")
    clone.git("switch", "-q", "-c", "later")
    clone.put("a.txt", "two\n")
    commit(clone)
    review(clone)
    said = refused(clone, "fork", "HEAD")
    (command,) = re.findall(r"Run `vetgate (review --base \w{40})`\.", said)
    assert "only loops whose files changed" not in said
    assert clone.vetgate(*command.split()).returncode == 0
    assert push(clone, "fork", "HEAD").returncode == 0
    assert push(clone).returncode == 0, "who compared with less has seen more"


def test_a_local_main_that_is_ahead_goes_along_and_counts(clone):
    """Without a branch of the remote to compare with, main here is the base: what it has beyond that leaves, too."""
    clone.git("update-ref", "-d", "refs/remotes/origin/main")
    clone.git("switch", "-q", "main")
    clone.put("b.txt", "nobody saw it\n")
    ahead = commit(clone, "on main")
    clone.git("switch", "-q", "-c", "later")
    clone.put("a.txt", "two\n")
    commit(clone)
    assert review(clone).fork == ahead
    assert "the newest ancestor that the remote has" in refused(clone)
    review(clone, base=f"{ahead}~1")
    assert push(clone).returncode == 0


def test_another_configuration_makes_it_stale(clone):
    clone.put("a.txt", "two\n")
    review(clone)
    accept(clone, CONFIG.replace('"true"', '"true || true"'))
    commit(clone)
    assert "vetgate.yaml changed since the review" in refused(clone)


def test_other_gates_over_the_same_content_make_it_stale(clone):
    """The file that is accepted lies outside of the content: only the rules differ."""
    clone.put(".gitignore", "vetgate.yaml\n")
    clone.git("rm", "-q", "--cached", "vetgate.yaml")
    clone.put("a.txt", "two\n")
    review(clone)
    commit(clone, "x", "--no-verify")
    accept(clone, CONFIG.replace('"true"', '"true || true"'))
    assert "the configuration of the loop `tests` has changed since the review" in refused(clone)


def test_another_version_makes_it_stale(clone):
    clone.put("a.txt", "two\n")
    body = review(clone, only=("quick",))
    assert body.loops
    commit(clone)
    # As a version that names its rules otherwise would have left it.
    forge_version(clone)
    assert "the review was made by vetgate 0.0.1" in refused(clone)


def forge_version(clone):
    import vetgate.gates.loop_identity as identity  # noqa: PLC0415

    was = identity.__version__
    identity.__version__ = "0.0.1"
    try:
        review(clone, version="0.0.1")
    finally:
        identity.__version__ = was


def test_a_failed_loop_is_named_with_its_blockers(clone):
    clone.put("a.txt", "two\n")
    review(clone, tests="failed")
    commit(clone)
    said = refused(clone)
    assert "failed: the loop `tests` failed" in said
    assert "blocker: tests: a.py:1: SQL injection" in said


def test_a_loop_that_was_not_run_is_named_and_a_later_run_of_it_alone_is_enough(clone):
    clone.put("a.txt", "two\n")
    review(clone, only=("quick",))
    head = commit(clone)
    assert "not-run: the loop `tests` was not run" in refused(clone)
    review(clone, only=("tests",))
    assert push(clone).returncode == 0
    assert head in remote_refs(clone)


def test_reviews_of_other_branches_push_none_out(clone):
    clone.put("a.txt", "two\n")
    review(clone)
    head = commit(clone)
    with project(clone) as found:
        (row,) = found.store.reviews()
        other = msgspec.structs.replace(row.body, review=RecordedReview("0" * 40, "main", "0" * 40))
        for number in range(60):
            found.store.record(RecordedDecision(f"d{number:010x}", row.time + 1, "", "review", other.plain()))
    assert push(clone).returncode == 0
    assert head in remote_refs(clone)


def test_every_ref_of_a_push_has_to_be_reviewed(clone):
    clone.put("a.txt", "two\n")
    review(clone)
    commit(clone)
    clone.git("switch", "-q", "-c", "other", "main")
    clone.put("a.txt", "nobody saw this\n")
    other = commit(clone)
    before = remote_refs(clone)
    said = refused(clone, "origin", "topic", "other")
    assert f"commit {other[:10]}" in said
    assert f"vetgate ship {other[:12]} --override" in said, "the one that is held back"
    assert "a.txt changed since the review" in refused(clone, "origin", "other:refs/heads/elsewhere")
    clone.git("tag", "-a", "-m", "v1", "v1")
    assert "a.txt" in refused(clone, "origin", "v1")
    assert "a.txt" in refused(clone, "--all", "origin")
    assert remote_refs(clone) == before
    assert push(clone, "origin", "topic").returncode == 0


def test_what_the_remote_has_already_needs_no_review(clone):
    clone.git("tag", "v0", "main")
    assert push(clone, "origin", "v0").returncode == 0
    assert push(clone, "origin", "main:refs/heads/copy").returncode == 0
    assert push(clone, "origin", ":copy").returncode == 0


def test_a_branch_of_the_remote_does_not_move_to_what_nobody_reviewed_here(clone):
    """It is there, on another branch: somebody pushed it from elsewhere."""
    clone.put("a.txt", "of others\n")
    clone.git("add", "-A")
    clone.git("commit", "-q", "--no-verify", "-m", "x")
    clone.git("push", "-q", "--no-verify", "origin", "topic:theirs")
    assert "no-review" in refused(clone, "origin", "topic:main")


PROTECTED = CONFIG + "ship: {branches: [main, 'release/*']}\n"


def test_a_commit_that_a_later_one_takes_back_is_held_by_no_branch(tmp_path):
    """It lies on the remote with the branch, whose end was reviewed."""
    clone = with_remote(Clone(tmp_path).gated(), PROTECTED)
    clone.put("a.txt", "two\n")
    commit(clone)
    review(clone)
    clone.put("a.txt", "bad\n")
    commit(clone, "bad", "--no-verify")
    clone.git("revert", "--no-edit", "HEAD")
    assert push(clone).returncode == 0
    for target in ("refs/heads/x", "refs/heads/release/1", "topic"):
        assert "a.txt changed since the review" in refused(clone, "--force", "origin", f"HEAD~1:{target}")
    assert push(clone, "origin", "HEAD:refs/heads/x").returncode == 0
    assert push(clone, "origin", "main:refs/heads/release/2").returncode == 0


def test_a_protected_branch_does_not_begin_at_a_branch_of_others(tmp_path):
    clone = with_remote(Clone(tmp_path).gated(), PROTECTED)
    clone.put("a.txt", "of others\n")
    clone.git("add", "-A")
    clone.git("commit", "-q", "--no-verify", "-m", "x")
    clone.git("push", "-q", "--no-verify", "origin", "topic:theirs")
    assert push(clone, "origin", "topic:refs/heads/copy").returncode == 0
    assert "no-review" in refused(clone, "origin", "topic:refs/heads/release/1")


@pytest.mark.parametrize("name", ["HEAD^{tree}", "HEAD:a.txt"])
def test_what_is_no_commit_does_not_leave_under_a_name(clone, name):
    clone.put("a.txt", "two\n")
    commit(clone, "work", "--no-verify")
    said = refused(clone, "origin", f"{name}:refs/tags/v1")
    assert "unknown: nobody can tell what would leave" in said
    assert "--override" not in said


def test_another_name_of_a_protected_branch_counts_as_well(tmp_path):
    clone = with_remote(Clone(tmp_path).gated(), PROTECTED)
    clone.git("symbolic-ref", "refs/heads/release/1", "refs/heads/topic")
    clone.put("a.txt", "two\n")
    clone.git("add", "-A")
    done = clone.run("commit", "-q", "-m", "x")
    assert (done.returncode, BLOCKED in done.stderr) == (1, True)


def test_from_a_work_tree_of_the_same_clone_the_record_holds(clone, tmp_path):
    clone.put("a.txt", "two\n")
    review(clone)
    commit(clone)
    clone.git("worktree", "add", "-q", str(tmp_path / "beside"), "-b", "beside")
    assert push(clone, "origin", "beside", cwd=tmp_path / "beside").returncode == 0
    clone.put("a.txt", "three\n", cwd=tmp_path / "beside")
    clone.git("commit", "-qam", "more", cwd=tmp_path / "beside")
    assert "a.txt changed" in refused(clone, "origin", "beside", cwd=tmp_path / "beside")


def test_another_clone_has_no_record(clone, tmp_path):
    clone.put("a.txt", "two\n")
    review(clone)
    commit(clone)
    away = tmp_path / "away"
    clone.git("clone", "-q", str(clone.root), str(away), cwd=tmp_path)
    clone.git("remote", "set-url", "origin", str(tmp_path / "remote.git"), cwd=away)
    said = clone.vetgate("init", "--yes", "--git", cwd=away)
    assert said.returncode == 0, said.stderr
    assert "no-review" in refused(clone, "origin", "HEAD:refs/heads/away", cwd=away)


class TestTheRecordItself:
    @pytest.fixture
    def reviewed(self, clone):
        clone.put("a.txt", "two\n")
        review(clone, tests="failed")
        commit(clone)
        return clone

    def database(self, clone):
        with project(clone) as found:
            assert found.store.folder is not None
            return next(file for file in found.store.folder.glob("*.db"))

    def change(self, clone, *statements):
        connection = sqlite3.connect(self.database(clone))
        with connection:
            for each in statements:
                connection.execute(each)
        connection.close()

    def test_a_row_that_was_changed_is_not_honoured(self, reviewed):
        self.change(
            reviewed, "UPDATE decision SET body = replace(body, '\"failed\"', '\"passed\"') WHERE event = 'review'"
        )
        assert "corrupted" in refused(reviewed)

    def test_a_row_that_somebody_else_wrote_is_not_honoured(self, reviewed):
        columns = "id, time, session, event, body, digest, before"
        body = "replace(body, '\"failed\"', '\"passed\"')"
        self.change(
            reviewed,
            f"INSERT INTO decision ({columns}) SELECT 'dforged', time, session, event, {body}, digest, before "
            "FROM decision WHERE event = 'review'",
        )
        said = refused(reviewed)
        assert "corrupted" in said

    def test_taking_the_failed_one_away_does_not_bring_the_older_one_back(self, clone):
        clone.put("a.txt", "two\n")
        review(clone)
        review(clone, tests="failed")
        commit(clone)
        assert "failed" in refused(clone)
        self.change(clone, "DELETE FROM decision WHERE seq = (SELECT max(seq) FROM decision WHERE event = 'review')")
        assert "corrupted" in refused(clone)

    def test_a_person_begins_anew_and_older_reviews_count_no_more(self, clone):
        clone.put("a.txt", "two\n")
        review(clone)
        review(clone, tests="failed")
        commit(clone)
        self.change(clone, "DELETE FROM decision WHERE seq = (SELECT max(seq) FROM decision WHERE event = 'review')")
        assert "corrupted" in refused(clone)
        accept(clone)
        assert "no-review" in refused(clone)
        review(clone)
        assert push(clone).returncode == 0

    def test_a_store_that_is_gone_blocks(self, reviewed):
        shutil.rmtree(self.database(reviewed).parent)
        assert "corrupted" in refused(reviewed)

    def test_a_store_that_is_damaged_blocks(self, reviewed):
        file = self.database(reviewed)
        for each in file.parent.glob(f"{file.name}-*"):
            each.unlink()
        file.write_bytes(b"not a database at all" * 400)
        assert "corrupted" in refused(reviewed)


class TestProtectedBranches:
    @pytest.fixture
    def clone(self, tmp_path):
        made = with_remote(Clone(tmp_path).gated(), f"{CONFIG}ship: {{branches: [main, 'release/*']}}\n")
        made.git("switch", "-q", "main")
        return made

    def test_a_commit_needs_a_review_of_exactly_its_content(self, clone):
        clone.put("a.txt", "two\n")
        clone.git("add", "-A")
        assert "no-review" in clone.stopped("commit", "-m", "x")
        review(clone)
        clone.put("later.txt", "x\n")
        clone.git("add", "-A")
        assert "later.txt changed since the review" in clone.stopped("commit", "-m", "x")
        clone.git("rm", "-q", "--cached", "later.txt")
        assert clone.run("commit", "-q", "-m", "x").returncode == 0

    def test_other_branches_are_left_alone(self, clone):
        clone.git("switch", "-q", "-c", "topic2")
        clone.put("a.txt", "two\n")
        commit(clone)
        clone.git("switch", "-q", "-c", "release/1")
        clone.put("a.txt", "three\n")
        clone.git("add", "-A")
        assert "no-review" in clone.stopped("commit", "-m", "x")


def test_without_on_ship_nothing_changes(tmp_path):
    clone = with_remote(Clone(tmp_path).gated(), "version: 1\n")
    clone.put("a.txt", "two\n")
    commit(clone)
    done = push(clone)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_preset_advisory_only_warns_a_person(tmp_path):
    clone = with_remote(Clone(tmp_path).gated(), f"extends: [advisory]\n{CONFIG}")
    clone.put("a.txt", "two\n")
    commit(clone)
    assert "no-review" in refused(clone, CLAUDECODE="1")
    # Whoever runs these tests may do so below an agent: the hook runs as it would below nobody.
    program = clone.put("person.py", RUN, cwd=tmp_path)
    words = f'{program} hook --agent git --state {clone.state} pre-push "$@"'
    clone.hook(clone.hooks / "pre-push", f"#!/bin/sh\nexec {sys.executable} {words}\n")
    done = push(clone)
    assert done.returncode == 0, done.stderr
    assert "no-review" in done.stderr
    assert "It is not stopped" in done.stderr


def test_the_first_push_to_an_empty_remote_is_about_all_of_it(tmp_path):
    """With its own end main has nothing to compare: all that it holds leaves."""
    clone = Clone(tmp_path).gated()
    clone.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    clone.put("b.py", BAD)
    accept(clone)
    clone.git("add", "-A")
    clone.git("commit", "-q", "--no-verify", "-m", "begin")
    clone.git("branch", "-M", "main")
    clone.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    clone.vetgate("review", "--base", "HEAD")
    told = refused(clone)
    assert "for the remote has nothing of this yet" in told
    assert f"Run `vetgate review --base {EMPTY_TREE}`." in told
    said = clone.vetgate("review")
    assert (said.returncode, "b.py" in said.stdout) == (1, True), said.stdout + said.stderr
    assert "failed: the loop `quick` failed" in refused(clone)
    clone.put("b.py", GOOD)
    assert clone.vetgate("review").returncode == 0
    commit(clone)
    done = push(clone)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_branch_that_is_pushed_first_is_about_all_of_it(tmp_path):
    clone = with_remote(Clone(tmp_path).gated())
    clone.git("init", "-q", "--bare", str(tmp_path / "other.git"))
    clone.git("remote", "add", "other", str(tmp_path / "other.git"))
    clone.put("a.txt", "two\n")
    review(clone)
    commit(clone)
    assert "--base 4b825dc" in refused(clone, "other", "HEAD")
    review(clone, base="4b825dc642cb6eb9a060e54bf8d69288fbee4904")
    assert push(clone, "other", "HEAD").returncode == 0
    assert push(clone, "origin", "HEAD").returncode == 0, "who compared with less has seen more"
