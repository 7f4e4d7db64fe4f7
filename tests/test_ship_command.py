"""`vetgate ship`: by the record, by an override of a person, and by a new run in CI."""

from __future__ import annotations

import json

import pytest

from fixtures import BAD, Clone
from shipping import CONFIG, commit, project, review, with_remote
from vetgate.config import person
from vetgate.model import UserError
from vetgate.service.ship import Shipping
from vetgate.source import git


@pytest.fixture
def clone(tmp_path):
    return with_remote(Clone(tmp_path).gated())


def asked(clone, *words):
    said = clone.vetgate("ship", *words)
    return said.returncode, said.stdout


def test_the_first_line_and_the_exit_status_are_the_verdict(clone):
    clone.put("a.txt", "two\n")
    status, said = asked(clone)
    assert status == 1
    assert said.splitlines()[:2] == [
        "Ship gate: BLOCKED",
        "- no-review: no review of the work tree is on record",
    ]
    review(clone)
    assert asked(clone) == (0, "Ship gate: APPROVED\n")
    head = commit(clone)
    assert asked(clone) == (0, "Ship gate: APPROVED\n")
    assert asked(clone, head) == (0, "Ship gate: APPROVED\n")
    clone.put("b.txt", "x\n")
    assert asked(clone, "topic")[0] == 0
    assert asked(clone, "nowhere")[0] == 3


def test_for_programs(clone):
    clone.put("a.txt", "two\n")
    review(clone, tests="failed")
    status, said = asked(clone, "--format", "json")
    assert status == 1
    told = json.loads(said)
    assert told["shipAllowed"] is False
    assert [each["kind"] for each in told["reasons"]] == ["failed", "blocker"]


def test_what_was_skipped_is_named(clone):
    clone.put("a.txt", "two\n")
    review(clone, tests="skipped")
    status, said = asked(clone)
    assert status == 1
    assert "not-run: no gate of the loop `tests` ran: test: not found" in said


def test_a_loop_that_blocks_nothing_names_only_the_files_that_changed(tmp_path):
    text = CONFIG.replace("{name: tests, gates: [test]}", "{name: tests, gates: [test], blocks: false}")
    clone = with_remote(Clone(tmp_path).gated(), text)
    clone.put("b.txt", "stays\n")
    clone.put("a.txt", "two\n")
    review(clone)
    clone.put("a.txt", "three\n")
    review(clone, only=("quick",))
    status, said = asked(clone)
    assert status == 0
    stale = "a.txt changed since the review: the work tree is not what was reviewed (it does not block)"
    assert said == f"Ship gate: APPROVED\n- note: {stale}\n"


def test_without_on_ship_it_says_how_to_get_one(tmp_path):
    clone = with_remote(Clone(tmp_path).gated(), "version: 1\n")
    said = clone.vetgate("ship")
    assert said.returncode == 3
    assert "on.ship" in said.stderr


class TestOverride:
    @pytest.fixture
    def shipping(self, clone, monkeypatch):
        monkeypatch.setattr(person, "has_terminal", lambda: True)
        monkeypatch.setattr(person, "agent_above", lambda _: "")
        monkeypatch.setattr(person, "MARKERS", {})
        clone.put("a.txt", "two\n")
        with project(clone) as found:
            yield Shipping(git.open_at(clone.root), found, found.effective())

    def test_only_a_person_in_a_terminal(self, clone):
        clone.put("a.txt", "two\n")
        said = clone.vetgate("ship", "--override", "production is down")
        assert said.returncode == 3
        assert "only a person" in said.stderr
        assert asked(clone)[0] == 1

    def test_it_holds_for_exactly_one_content_and_is_on_record(self, clone, shipping):
        shipping.override("production is down", None)
        status, said = asked(clone)
        assert (status, said.splitlines()[0]) == (0, "Ship gate: APPROVED")
        assert "production is down" in said
        commit(clone)
        assert clone.run("push", "-q", "origin", "HEAD").returncode == 0
        clone.put("a.txt", "three\n")
        commit(clone)
        assert clone.run("push", "-q", "origin", "HEAD").returncode != 0
        told = clone.vetgate("log")
        assert "production is down" in told.stdout

    def test_it_needs_a_reason(self, shipping):
        with pytest.raises(UserError, match="two words"):
            shipping.override("because", None)

    def test_it_ends(self, shipping):
        shipping.project.store.override_ship("t", "for a while", 100.0)
        assert shipping.project.store.ship_override("t", 99.0) == "for a while"
        assert shipping.project.store.ship_override("t", 101.0) == ""
        assert not shipping.project.store.take_grant("t", 99.0)


class TestContinuousIntegration:
    def test_it_runs_again_instead_of_asking_the_record(self, tmp_path):
        text = CONFIG.replace('"true"', '"grep -q good a.txt"')
        clone = with_remote(Clone(tmp_path).gated(), text)
        clone.put("a.txt", "good\n")
        status, said = asked(clone, "--ci")
        assert (status, said.splitlines()[0]) == (0, "Ship gate: APPROVED")
        clone.put("b.py", BAD)
        review(clone)
        assert asked(clone)[0] == 0
        status, said = asked(clone, "--ci")
        assert (status, said.splitlines()[0]) == (1, "Ship gate: BLOCKED")
        assert "b.py" in said

    def test_what_passed_before_runs_again(self, tmp_path):
        text = CONFIG.replace('"true"', '"echo ran >> ../ran"').replace(
            "gates: [test]", "gates: [test], inputs: [a.txt]"
        )
        clone = with_remote(Clone(tmp_path).gated(), text)
        clone.put("a.txt", "two\n")
        assert clone.vetgate("review").returncode == 0
        assert asked(clone, "--ci")[0] == 0
        assert (tmp_path / "ran").read_text().split() == ["ran", "ran"]

    def test_a_loop_whose_every_command_is_missing_blocks(self, tmp_path):
        clone = with_remote(Clone(tmp_path).gated(), CONFIG.replace('"true"', '"no-such-program --x"'))
        clone.put("a.txt", "two\n")
        status, said = asked(clone, "--ci")
        assert (status, said.splitlines()[0]) == (1, "Ship gate: BLOCKED")
        assert "- not-run: tests: none of its gates ran: test: missing: no-such-program" in said

    def test_a_failure_is_named_and_what_it_printed_goes_to_the_log_of_the_pipeline(self, tmp_path):
        text = CONFIG.replace('"true"', '"echo expected 2, got 3; exit 3"')
        clone = with_remote(Clone(tmp_path).gated(), text)
        clone.put("a.txt", "two\n")
        done = clone.vetgate("ship", "--ci")
        assert done.returncode == 1
        assert done.stdout.splitlines()[:2] == [
            "Ship gate: BLOCKED",
            "- blocker: tests: test: `echo expected 2, got 3; exit 3` ended with exit status 3",
        ]
        assert "code: passed" in done.stderr
        assert "expected 2, got 3" in done.stderr

    def test_it_compares_with_what_the_pipeline_builds_on(self, tmp_path):
        clone = with_remote(Clone(tmp_path).gated())
        clone.put("b.py", BAD)
        clone.git("add", "-A")
        clone.git("commit", "-q", "--no-verify", "-m", "bad")
        clone.git("push", "-q", "--no-verify", "origin", "topic:main", "main:release")
        clone.git("fetch", "-q", "origin")
        # A pipeline of main itself, which has nothing that main does not have.
        status, said = asked(clone, "--ci")
        assert (status, "b.py" in said) == (1, True)
        done = clone.vetgate("ship", "--ci", GITHUB_BASE_REF="release")
        assert (done.returncode, "b.py" in done.stdout) == (1, True)
        assert "since origin/release" in done.stdout
        done = clone.vetgate("ship", "--ci", CI_MERGE_REQUEST_TARGET_BRANCH_NAME="nowhere")
        assert done.returncode == 3
        assert "the target branch origin/nowhere is not in this clone" in done.stderr
        assert clone.vetgate("ship", "--base", "HEAD").returncode == 2

    def test_a_clone_without_a_past_is_no_pass(self, tmp_path):
        clone = with_remote(Clone(tmp_path).gated())
        clone.git("clone", "-q", "--depth=1", f"file://{tmp_path / 'remote.git'}", str(tmp_path / "shallow"))
        done = clone.vetgate("ship", "--ci", cwd=tmp_path / "shallow")
        assert done.returncode == 3
        assert "it is unknown what changed" in done.stderr
        assert "fetch-depth" in done.stderr

    def test_neither_judges_nor_gates_with_a_quota_run(self, tmp_path):
        text = CONFIG.replace(
            'test: {command: "true"}', 'test: {command: "true"}\n  out: {command: "touch ../ran", quota: 8/hour}'
        ).replace("gates: [test]", "gates: [test, out]")
        clone = with_remote(Clone(tmp_path).gated(), text)
        clone.put("a.txt", "two\n")
        status, said = asked(clone, "--ci")
        assert status == 0
        assert "not run in CI: out" in said
        assert not (clone.root.parent / "ran").exists()

    def test_it_takes_neither_a_commit_nor_an_override(self, clone):
        assert clone.vetgate("ship", "--ci", "HEAD").returncode == 2
