from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from replay_code import PLAIN, branchy
from vetgate.model import EventKind, UserError
from vetgate.runtime import state_dir
from vetgate.service.replay.recording import history
from vetgate.source import git
from vetgate.source.root import store_key
from vetgate.store import RecordedDecision, Store, open_project_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from fixtures import Said, WorkTree

SHOP = Path(__file__).parent / "data" / "transcripts" / "shop.jsonl"


def answer_of(said: Said) -> dict[str, Any]:
    assert said.status == 0, said.err
    return json.loads(said.out)


def rules(report: dict[str, Any]) -> dict[str, list[str]]:
    return {each["rule"]: [block["path"] for block in each["blocks"]] for each in report["rules"]}


class TestHistory:
    def edits(self, tree: WorkTree, wanted: str = "HEAD") -> dict[str, tuple[str | None, str | None]]:
        recording = history(git.open_at(tree.root), wanted)
        found = recording.edits(tuple(recording.items))
        return {edit.id.partition(":")[2]: (edit.file.before, edit.file.after) for edit in found if edit.file}

    def test_each_file_of_a_commit_is_an_edit_from_its_parent(self, tree: WorkTree) -> None:
        tree.put("a.py", "x = 1\n")
        first = tree.commit()
        tree.put("a.py", "x = 2\n")
        tree.put("b.py", "y = 1\n")
        tree.commit()
        assert self.edits(tree, f"{first}..HEAD") == {"a.py": ("x = 1\n", "x = 2\n"), "b.py": (None, "y = 1\n")}

    def test_a_renamed_file_is_compared_with_its_old_content(self, tree: WorkTree) -> None:
        tree.put("old.py", branchy())
        first = tree.commit()
        tree.git("mv", "old.py", "new.py")
        tree.commit()
        assert self.edits(tree, f"{first}..HEAD") == {"new.py": (branchy(), branchy())}

    def test_a_merge_is_left_out_and_what_it_joins_is_not(self, tree: WorkTree) -> None:
        tree.put("a.py", "x = 1\n")
        first = tree.commit()
        tree.git("checkout", "-q", "-b", "side")
        tree.put("b.py", "y = 1\n")
        tree.commit()
        tree.git("checkout", "-q", "main")
        tree.put("c.py", "z = 1\n")
        tree.commit()
        tree.git("merge", "-q", "--no-edit", "side")
        recording = history(git.open_at(tree.root), f"{first}..HEAD")
        assert [edit.path for edit in recording.edits(tuple(recording.items))] == ["b.py", "c.py"]

    def test_the_oldest_commit_of_a_shallow_clone_is_no_edit(self, tree: WorkTree, tmp_path: Path) -> None:
        for number in range(3):
            tree.put("a.py", f"x = {number}\n")
            tree.commit()
        clone = tmp_path / "clone"
        subprocess.run(["git", "clone", "-q", "--depth", "2", f"file://{tree.root}", str(clone)], check=True)
        recording = history(git.open_at(clone), "HEAD")
        (edit,) = recording.edits(tuple(recording.items))
        assert edit.file is not None
        assert edit.file.before == "x = 1\n"
        assert len(recording.items) == 1

    def test_what_nobody_can_read_is_missing_with_its_reason(self, tree: WorkTree) -> None:
        tree.put("logo.py", b"\0\1\2" * (7 << 20))
        tree.commit()
        recording = history(git.open_at(tree.root), "HEAD")
        assert [edit.missing for edit in recording.edits(tuple(recording.items))] == ["larger than 20 MiB"]

    @pytest.mark.parametrize("wanted", ["nowhere", "--output=x", "HEAD..nowhere"])
    def test_a_range_that_git_does_not_know_is_said(self, wanted: str, tree: WorkTree) -> None:
        tree.commit()
        with pytest.raises(UserError, match="git knows no commits"):
            history(git.open_at(tree.root), wanted)


class TestCommand:
    def test_commits_are_replayed_under_the_defaults(self, tree: WorkTree, call: Callable[..., Said]) -> None:
        tree.put("plain.py", PLAIN)
        tree.commit("Double")
        tree.put("route.py", branchy())
        tree.commit("Route")
        report = answer_of(call("replay", "--format", "json"))
        assert (report["edits"], report["blocked"], report["without_complexity"]) == (2, 1, 0)
        assert rules(report) == {"complexity/cyclomatic": ["route.py"]}
        assert report["rules"][0]["blocks"][0]["origin"].endswith(" Route")
        assert report["time_ms"]["p95"] >= report["time_ms"]["p50"] > 0

    def test_the_text_says_how_many_by_which_rule_and_at_what_price(
        self, tree: WorkTree, call: Callable[..., Said]
    ) -> None:
        tree.put("route.py", branchy())
        tree.commit("Route")
        said = call("replay")
        assert said.status == 0
        assert "1 edits of 1 commit of project: 1 would have been blocked (100.0%)" in said.out
        assert "complexity/cyclomatic  1 edit (100.0%)" in said.out
        assert "route.py:1" in said.out
        assert "time it would have cost:" in said.out

    def test_code_that_moves_within_a_commit_is_not_new(self, tree: WorkTree, call: Callable[..., Said]) -> None:
        tree.put("one.py", f"{PLAIN}\n\n{branchy()}")
        tree.commit()
        tree.put("one.py", PLAIN)
        tree.put("two.py", f"{branchy()}\n\n{branchy('other', 3)}")
        tree.commit()
        assert answer_of(call("replay", "--last", "1", "--format", "json"))["blocked"] == 0

    def test_only_the_newest_commits(self, tree: WorkTree, call: Callable[..., Said]) -> None:
        tree.put("route.py", branchy())
        tree.commit()
        tree.put("plain.py", PLAIN)
        tree.commit()
        report = answer_of(call("replay", "--git", "HEAD", "--last", "1", "--format", "json"))
        assert (report["edits"], report["blocked"]) == (1, 0)

    def test_another_configuration_and_the_difference(self, tree: WorkTree, call: Callable[..., Said]) -> None:
        tree.put("route.py", branchy())
        tree.commit()
        tree.put("loose.yaml", "version: 1\ncomplexity: {cyclomatic: 40}\n")
        assert answer_of(call("replay", "--config", "loose.yaml", "--format", "json"))["blocked"] == 0
        compared = answer_of(call("replay", "--diff", "loose.yaml", "--format", "json"))["difference"]
        assert [block["path"] for block in compared["only_current"]] == ["route.py"]
        assert (compared["only_other"], compared["both"]) == ([], 0)
        assert "only the current one stops 1" in call("replay", "--diff", "loose.yaml").out

    def test_blocks_are_printed_to_be_marked_and_marks_are_read(
        self, tree: WorkTree, call: Callable[..., Said], tmp_path: Path
    ) -> None:
        tree.put("route.py", branchy())
        tree.commit()
        line = json.loads(call("replay", "--format", "jsonl").out)
        assert line["verdict"] == ""
        marks = tmp_path / "marks.jsonl"
        marks.write_text(json.dumps({**line, "verdict": "arguable"}))
        assert "precision 0%, 100% with what is arguable" in call("replay", "--marks", str(marks)).out
        assert json.loads(call("replay", "--marks", str(marks), "--format", "jsonl").out)["verdict"] == "arguable"

    def test_what_the_configuration_leaves_out_is_not_judged(self, tree: WorkTree, call: Callable[..., Said]) -> None:
        tree.put("vendor/route.py", branchy())
        tree.commit()
        report = answer_of(call("replay", "--format", "json"))
        assert report["edits"] == 0
        assert sum(report["unjudged"].values()) == 1

    def test_a_transcript(self, tree: WorkTree, call: Callable[..., Said]) -> None:
        report = answer_of(call("replay", "--transcript", str(SHOP), "--format", "json"))
        assert (report["edits"], report["blocked"]) == (6, 2)
        assert rules(report) == {"complexity/cyclomatic": ["router.py"], "unsafe-command/deletes-files": ["command"]}

    def test_the_sessions_of_this_project(self, tree: WorkTree, home: Path, call: Callable[..., Said]) -> None:
        assert "no agent has a transcript of" in call("replay", "--sessions").err
        folder = home / ".claude" / "projects" / str(tree.root).replace("/", "-").replace("_", "-")
        folder.mkdir(parents=True)
        shutil.copy(SHOP, folder)
        assert answer_of(call("replay", "--sessions", "--format", "json"))["edits"] == 6

    def test_many_edits_in_several_processes_give_the_same(self, tree: WorkTree, call: Callable[..., Said]) -> None:
        for number in range(210):
            tree.put(f"part_{number}.py", branchy(f"route_{number}") if number % 70 == 0 else f"X = {number}\n")
        tree.commit()
        report = answer_of(call("replay", "--format", "json"))
        assert (report["edits"], rules(report)) == (
            210,
            {"complexity/cyclomatic": ["part_0.py", "part_140.py", "part_70.py"]},
        )

    @pytest.mark.parametrize(
        ("args", "status", "message"),
        [
            pytest.param(("--log", "--sessions"), 2, "exclude each other", id="two sources"),
            pytest.param(("--git", "nowhere"), 3, "git knows no commits", id="an unknown range"),
            pytest.param(("--marks", "none.jsonl"), 3, "cannot be read", id="no marks"),
            pytest.param(("--config", "none.yaml"), 3, "there is no file", id="no configuration"),
            pytest.param(("--log",), 3, "is empty", id="an empty log"),
        ],
    )
    def test_what_cannot_be_done_is_said(
        self, args: tuple[str, ...], status: int, message: str, tree: WorkTree, call: Callable[..., Said]
    ) -> None:
        tree.commit()
        said = call("replay", *args)
        assert (said.status, message in said.err) == (status, True)


class TestLog:
    @pytest.fixture
    def store(self, tree: WorkTree, home: Path) -> Store:
        return open_project_store(state_dir(), store_key(tree.root))

    def record(self, store: Store, decision: str, *findings: dict[str, Any]) -> None:
        body = {"decision": decision, "files": ["a.py"], "findings": list(findings), "gates": [], "elapsed_ms": 4.0}
        store.record(RecordedDecision("d1", 1.0, "session", str(EventKind.BEFORE_EDIT), body))

    def finding(self, rule: str, **more: Any) -> dict[str, Any]:
        told = {
            "id": rule,
            "path": "a.py",
            "line": 3,
            "severity": "error",
            "message": "so",
            "new": True,
            "gate": "code",
        }
        return {**told, **more}

    def test_what_was_blocked_then_and_would_be_now(self, store: Store, call: Callable[..., Said]) -> None:
        self.record(store, "block", self.finding("complexity/cyclomatic", value=12, limit=10))
        report = answer_of(call("replay", "--log", "--format", "json"))
        assert (report["edits"], report["blocked"], report["stopped_then"]) == (1, 1, 1)

    @pytest.mark.parametrize(
        "looser",
        [
            pytest.param("complexity: {cyclomatic: 12}", id="a limit that allows it"),
            pytest.param("rules: {complexity/cyclomatic: warning}", id="a rule that only warns"),
            pytest.param("rules: {complexity: off}", id="a check that is off"),
            pytest.param("paths: {exclude: ['a.py']}", id="a path that is left out"),
            pytest.param("gates: {code: {block_at: critical}}", id="a higher bar"),
            pytest.param("gates: {code: {on_fail: CONTINUE}}", id="a gate that only tells"),
        ],
    )
    def test_a_looser_configuration_lets_it_pass(
        self, looser: str, store: Store, tree: WorkTree, call: Callable[..., Said]
    ) -> None:
        self.record(store, "block", self.finding("complexity/cyclomatic", value=12, limit=10))
        tree.put("looser.yaml", f"version: 1\n{looser}\n")
        report = answer_of(call("replay", "--log", "--config", "looser.yaml", "--format", "json"))
        assert (report["blocked"], report["stopped_then"]) == (0, 1)

    def test_what_only_advised_then_does_not_block_now(self, store: Store, call: Callable[..., Said]) -> None:
        self.record(store, "warn", self.finding("complexity/cyclomatic", value=12, limit=10))
        assert answer_of(call("replay", "--log", "--format", "json"))["blocked"] == 0

    def test_what_was_a_warning_then_is_held_to_the_bar_of_now(self, store: Store, call: Callable[..., Said]) -> None:
        advised = {"severity": "warning", "advisory": False, "value": 12, "limit": 10}
        self.record(store, "warn", self.finding("complexity/cyclomatic", **advised))
        assert answer_of(call("replay", "--log", "--format", "json"))["blocked"] == 1
