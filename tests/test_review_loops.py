"""A review in loops: real git, real commands, real processes."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import signal
import stat
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from fixtures import BAD, GOOD, SECONDS, Clone, wait_for
from vetgate.gates.loop_identity import loop_rules
from vetgate.project import Project
from warm_program import RUN


class ReviewedClone(Clone):
    """On a branch of its own that left main, with a configuration that was accepted."""

    def configure(self, gates, loops, **more):
        text = json.dumps({"version": 1, "gates": gates, "review": loops, **more})
        self.put("vetgate.yaml", text)
        said = self.vetgate("trust", "--digest", sha256(text.encode()).hexdigest())
        assert said.returncode == 0, said.stdout + said.stderr
        if not self.run("rev-parse", "--verify", "--quiet", "topic").stdout:
            self.commit_all("begin")
            self.git("branch", "-M", "main")
            self.git("switch", "-q", "-c", "topic")
            self.put("b.py", GOOD)
        self.commit_all("work")

    def commit_all(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "--allow-empty", "-m", message)

    def review(self, *words, **env):
        """What the JSON says of it, whatever it came to."""
        said = self.vetgate("review", "--format", "json", *words, **env)
        assert said.returncode in {0, 1}, said.stderr
        return json.loads(said.stdout)

    @property
    def project(self):
        return Project(self.root, self.state)

    @property
    def records(self):
        return [row.body.review for row in self.project.store.reviews()]

    @property
    def runs(self):
        file = self.root.parent / "runs"
        return file.read_text().split() if file.exists() else []


def noting(name, status=0):
    return {"command": f"echo {name} >> ../runs; exit {status}"}


@pytest.fixture
def clone(tmp_path):
    made = ReviewedClone(tmp_path).gated()
    made.put("a.txt", "fine\n")
    return made


ALL = [{"name": "all", "gates": ["lint", "test"]}]
TWO = [{"name": "quick", "gates": ["lint"]}, {"name": "tests", "gates": ["test"]}]


class TestRecord:
    def test_it_names_the_content_and_what_each_loop_came_to(self, clone):
        clone.configure(
            {"lint": noting("lint"), "test": noting("test")},
            [
                {"name": "quick", "gates": [["lint"]], "timeout": 30},
                {"name": "tests", "gates": ["test"]},
            ],
        )
        clone.vetgate("review")
        (found,) = clone.records
        config = clone.project.effective().config
        assert found.tree == clone.git("rev-parse", "HEAD^{tree}")
        assert (found.fork, found.head) == (clone.git("rev-parse", "main"), clone.git("rev-parse", "HEAD"))
        assert (found.base, found.branch, found.scope) == ("main", "topic", "branch")
        assert [(each.name, each.status, each.rules) for each in found.loops] == [
            (loop.name, "passed", loop_rules(loop, config)) for loop in config.loops
        ]
        assert (found.ship_allowed, found.blockers) == (True, ())
        assert found.files == {"b.py": f"100644 {clone.git('rev-parse', 'HEAD:b.py')}"}

    def test_one_that_fails_says_why_nothing_may_leave(self, clone):
        clone.configure(
            {"lint": noting("lint", 3), "test": noting("test")},
            [
                {"name": "quick", "gates": ["lint"]},
                {"name": "tests", "gates": ["test"]},
            ],
        )
        clone.vetgate("review")
        (found,) = clone.records
        assert [(each.name, each.status) for each in found.loops] == [("quick", "failed")]
        assert not found.ship_allowed
        assert found.blockers == (
            "quick: lint: `echo lint >> ../runs; exit 3` ended with exit status 3",
            "tests: not run, because the loop quick failed",
        )
        assert clone.runs == ["lint"]

    def test_what_is_not_there_any_more_takes_back_no_failure(self, clone):
        """A program that is deleted, beside a gate of the same loop that passes."""
        program = clone.hook(clone.bin / "checker", "#!/bin/sh\nexit 1\n")
        clone.configure(
            {"lint": noting("lint"), "test": {"command": "checker"}}, [{"name": "all", "gates": ["lint", "test"]}]
        )
        failed = clone.review()
        assert failed["blockers"] == ["all: test: `checker` ended with exit status 1"]
        program.unlink()
        assert clone.review()["blockers"] == failed["blockers"]
        assert clone.review("--loops", "all")["blockers"] == failed["blockers"]
        clone.hook(clone.bin / "checker", "#!/bin/sh\nexit 0\n")
        assert clone.review()["ship_allowed"]

    def test_loops_that_ran_one_by_one_come_to_a_whole_review(self, clone):
        clone.configure({"lint": noting("lint"), "test": noting("test")}, TWO)
        assert not clone.review("--loops", "1")["ship_allowed"]
        told = clone.review("--loops", "tests")
        assert (told["ship_allowed"], told["blockers"]) == (True, [])
        assert [each["status"] for each in told["loops"]] == ["not run", "passed"]

    def test_an_edit_makes_the_loops_before_it_stale(self, clone):
        clone.configure({"lint": noting("lint"), "test": noting("test")}, TWO)
        clone.review("--loops", "1")
        clone.put("b.py", GOOD + "\n\ndef also(a):\n    return a\n")
        told = clone.review("--loops", "2")
        assert told["blockers"] == ["quick: not run, because --loops leaves it out"]

    def test_committing_the_reviewed_content_changes_nothing_of_its_name(self, clone):
        clone.configure({"lint": noting("lint")}, TWO[:1])
        clone.put("new.py", GOOD)
        clone.review()
        clone.commit_all("as it was reviewed")
        clone.review()
        after, before = clone.records
        assert (after.tree, after.loops[0].inputs) == (before.tree, before.loops[0].inputs)
        assert after.tree == clone.git("rev-parse", "HEAD^{tree}")

    def test_a_loop_whose_files_did_not_change_keeps_its_result(self, clone):
        loops = [{"name": "quick", "gates": ["lint"]}, {"name": "tests", "gates": ["test"], "inputs": ["**/*.py"]}]
        clone.configure({"lint": noting("lint"), "test": noting("test")}, loops)
        clone.review()
        clone.put("README.md", "other words\n")
        told = clone.review()
        assert clone.runs == ["lint", "test", "lint"]
        assert told["ship_allowed"]
        assert told["loops"][1]["why"] == "none of its files changed since it passed"
        clone.put("b.py", "")
        clone.review()
        assert clone.runs[-1] == "test"

    def test_a_part_of_the_files_is_no_review_of_all(self, clone):
        clone.configure({"lint": noting("lint")}, TWO[:1])
        told = clone.review("b.py")
        assert told["scope"] == "branch: b.py"
        assert told["blockers"][0] == "only part of what would leave was reviewed (branch: b.py)"
        assert clone.review()["ship_allowed"]
        whole, part = clone.records
        assert whole.loops[0].inputs != part.loops[0].inputs

    def test_what_commands_change_meanwhile_was_never_reviewed(self, clone):
        clone.configure({"lint": {"command": "echo more >> a.txt; echo new > b.txt"}}, TWO[:1])
        told = clone.review()
        assert told["verdict"] == "block"
        assert "quick: a.txt changed while the loop ran; review it again" in told["blockers"]

    def test_new_files_that_git_does_not_ignore_are_told(self, clone):
        clone.configure({"lint": {"command": "echo new > out.txt"}}, TWO[:1])
        said = clone.vetgate("review")
        assert said.returncode == 0
        assert "out.txt appeared while the loop ran: add what commands write to .gitignore" in said.stdout

    def test_no_secret_of_an_output_gets_into_the_record_or_the_log(self, clone):
        secret = "ghp_" + "".join(chr(ord("A") + (7 * n) % 26) + str(n % 10) for n in range(18))
        clone.configure({"lint": {"command": f"echo 'b.py:1: error: {secret}'; exit 1"}}, TWO[:1])
        said = clone.vetgate("review", "--export", str(clone.root.parent / "out"))
        kept = [*(clone.root.parent / "out").iterdir(), *clone.state.rglob("review-*.log")]
        assert len(kept) == 3
        assert secret not in said.stdout + said.stderr + "".join(path.read_text() for path in kept)
        assert secret not in str(clone.records)


class TestOrder:
    def test_checks_do_not_jump_the_queue(self, clone):
        clone.configure(
            {"lint": noting("lint"), "test": noting("test")}, [{"name": "all", "gates": ["lint", "code", "test"]}]
        )
        clone.put("b.py", BAD)
        said = clone.vetgate("review")
        assert (said.returncode, clone.runs) == (1, ["lint"])
        assert said.stdout.index("lint: passed") < said.stdout.index("code: failed")
        assert ": blocked by code\n" in said.stdout

    def test_a_nested_list_runs_at_once(self, clone):
        waits = "touch ../{0}; while [ ! -e ../{1} ]; do sleep 0.01; done"
        gates = {
            "one": {"command": waits.format("a", "b"), "timeout": 30},
            "two": {"command": waits.format("b", "a"), "timeout": 30},
        }
        clone.configure(gates, [{"name": "quick", "gates": [["one", "two"]]}])
        assert clone.vetgate("review").returncode == 0

    def test_a_failure_in_a_loop_ends_it_and_the_review(self, clone):
        gates = {name: noting(name, int(name == "build")) for name in ("types", "build", "test", "late")}
        loops = [{"name": "tier2", "gates": ["types", "build", "test"]}, {"name": "more", "gates": ["late"]}]
        clone.configure(gates, loops)
        told = clone.review()
        assert clone.runs == ["types", "build"]
        assert [(each["name"], each["status"]) for each in told["loops"]] == [("tier2", "failed"), ("more", "not run")]

    def test_one_that_does_not_block_is_told_and_stops_nothing(self, clone):
        loops = [{"name": "speed", "gates": ["lint"], "blocks": False}, {"name": "tests", "gates": ["test"]}]
        clone.configure({"lint": noting("lint", 1), "test": noting("test")}, loops)
        said = clone.vetgate("review")
        assert (said.returncode, clone.runs) == (0, ["lint", "test"])
        assert "1 speed  failed" in said.stdout
        assert "This content may ship." in said.stdout

    @pytest.mark.parametrize(
        ("words", "ran"),
        [
            (["--loops", "2"], ["test"]),
            (["--loops", "tests,quick"], ["lint", "test"]),
            (["--loops", "1", "--free"], ["lint"]),
            (["--free"], ["lint", "test"]),
            (["--skip-cr"], ["lint", "test"]),
            (["--claude"], []),
            (["--all"], ["lint", "test", "outside"]),
            ([], ["lint", "test", "outside"]),
        ],
    )
    def test_loops_and_gates_can_be_chosen(self, clone, words, ran):
        outside = {**noting("outside"), "quota": "8/hour", "on_fail": "CONTINUE"}
        loops = [*TWO, {"name": "others", "gates": ["outside"]}]
        clone.configure({"lint": noting("lint"), "test": noting("test"), "outside": outside}, loops)
        assert clone.vetgate("review", *words).returncode == 0
        assert clone.runs == ran

    def test_who_could_not_have_blocked_may_be_left_out(self, clone):
        outside = {**noting("outside"), "quota": "8/hour", "on_fail": "CONTINUE"}
        loops = [TWO[0], {"name": "others", "gates": ["outside"]}]
        clone.configure({"lint": noting("lint"), "outside": outside}, loops)
        told = clone.review("--skip-cr")
        assert (told["ship_allowed"], told["skipped"]) == (True, ["outside: --skip-cr leaves it out"])
        assert [each["status"] for each in told["loops"]] == ["passed", "skipped"]

    def test_who_could_have_blocked_may_not(self, clone):
        loops = [{"name": "all", "gates": ["lint", "outside"]}]
        clone.configure({"lint": noting("lint"), "outside": {**noting("outside"), "quota": "8/hour"}}, loops)
        told = clone.review("--skip-cr")
        assert (told["verdict"], told["ship_allowed"]) == ("allow", False)
        assert clone.review()["ship_allowed"]

    def test_a_loop_that_there_is_not_is_named(self, clone):
        clone.configure({"lint": noting("lint"), "test": noting("test")}, TWO)
        said = clone.vetgate("review", "--loops", "quik")
        assert said.returncode == 3
        assert "there is no loop 'quik'; did you mean \"quick\"?" in said.stderr
        assert "loops: 1 quick, 2 tests" in said.stderr


class TestScope:
    def test_what_is_not_committed(self, clone):
        clone.configure({"lint": {"command": "echo {files} >> ../runs"}}, TWO[:1])
        clone.put("c.py", GOOD)
        told = clone.review("--scope", "changed")
        assert (clone.runs, told["scope"], told["base"]) == (["c.py"], "changed", "HEAD")
        assert "left it" not in clone.vetgate("review", "--scope", "changed").stdout, "no branch left its own end"
        assert "where this branch left it" in clone.vetgate("review").stdout

    def test_what_is_staged(self, clone):
        clone.configure({"lint": {"command": "echo {files} >> ../runs"}}, TWO[:1])
        clone.put("c.py", GOOD)
        clone.git("add", "c.py")
        clone.put("d.py", BAD)
        told = clone.review("--scope", "staged")
        assert (clone.runs, told["verdict"]) == (["c.py"], "allow")
        assert told["blockers"][0] == "only part of what would leave was reviewed (staged)"

    def test_a_base_belongs_to_a_branch(self, clone):
        clone.configure({"lint": noting("lint")}, TWO[:1])
        said = clone.vetgate("review", "--scope", "staged", "--base", "main")
        assert said.returncode == 3
        assert "--base does not go with --scope staged" in said.stderr


class TestFailures:
    def test_a_program_that_is_missing_is_skipped_and_named(self, clone):
        clone.configure(
            {"lint": {"command": "nosuchlinter ."}, "test": noting("test")},
            [{"name": "all", "gates": ["lint", "test"]}],
        )
        said = clone.vetgate("review")
        assert (said.returncode, clone.runs) == (0, ["test"])
        assert "lint: skipped (missing: nosuchlinter was not found)" in said.stdout
        told = clone.review()
        assert told["loops"][0]["status"] == "passed"
        assert told["skipped"][0].startswith("lint: missing")

    def test_a_loop_whose_every_command_is_missing_did_not_pass(self, clone):
        clone.configure({"lint": {"command": "nosuchlinter"}, "test": noting("test")}, TWO)
        told = clone.review()
        assert [each["status"] for each in told["loops"]] == ["skipped", "passed"]
        assert told["blockers"][0].startswith("quick: none of its gates ran: lint: missing: nosuchlinter was not found")

    def test_where_nothing_ran_nothing_may_ship(self, clone):
        clone.configure({"lint": {"command": "nosuchlinter"}}, TWO[:1])
        told = clone.review()
        assert (told["verdict"], told["ship_allowed"]) == ("warn", False)
        assert told["blockers"][0].startswith("quick: none of its gates ran")

    def test_a_target_that_is_missing_is_skipped(self, clone):
        clone.put("Makefile", "test:\n\techo ran >> ../runs\n")
        clone.configure(
            {"lint": {"command": "make lint"}, "test": {"command": "make test"}},
            [{"name": "all", "gates": [["lint", "test"]]}],
        )
        told = clone.review()
        assert {each["gate"]: each["status"] for each in told["loops"][0]["gates"]} == {
            "lint": "skipped",
            "test": "passed",
        }

    def test_a_crash_has_failed(self, clone):
        clone.configure({"lint": {"command": "kill -SEGV $$"}}, TWO[:1])
        told = clone.review()
        assert told["blockers"] == ["quick: lint: `kill -SEGV $$` ended with signal 11"]

    def test_a_loop_ends_with_its_time_and_so_do_its_children(self, clone):
        stuck = {"command": "sleep 300 & echo $! > ../pid; wait", "timeout": 60}
        loops = [{"name": "quick", "gates": ["lint"], "timeout": 1}, {"name": "tests", "gates": ["test"]}]
        clone.configure({"lint": stuck, "test": noting("test")}, loops)
        told = clone.review()
        assert told["loops"][0]["status"] == "failed"
        assert told["blockers"][0] == (
            "quick: lint: the loop quick used up its 1 s; it was ended with all its children"
        )
        assert is_gone(clone.root.parent / "pid")
        assert clone.runs == []

    def test_what_comes_after_the_end_of_its_time_fails_as_well(self, clone):
        slow = {"command": "sleep 300", "timeout": 60, "on_fail": "CONTINUE"}
        clone.configure({"lint": slow, "test": noting("test")}, [{**ALL[0], "timeout": 1}])
        told = clone.review()
        assert clone.runs == []
        assert told["blockers"] == ["all: test: the loop all used up its 1 s before this gate could run"]

    def test_ctrl_c_ends_children_and_keeps_what_is_done(self, clone):
        stuck = {"command": "sleep 300 & echo $! > ../pid.new; mv ../pid.new ../pid; wait", "timeout": 60}
        loops = [*TWO[:1], {"name": "tests", "gates": [["test", "other"]]}, {"name": "late", "gates": ["late"]}]
        gates = {"lint": noting("lint"), "test": stuck, "other": noting("other"), "late": noting("late")}
        clone.configure(gates, loops)
        running = subprocess.Popen(
            [sys.executable, "-c", RUN, "review"],
            cwd=clone.root,
            env=clone.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        pid = clone.root.parent / "pid"
        wait_for(lambda: pid.exists() and "other" in clone.runs)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=SECONDS)
        assert running.returncode == 130, out + err
        assert "stopped; finished loops are on record" in err
        assert is_gone(pid)
        (found,) = clone.records
        assert [(each.name, each.status) for each in found.loops] == [("quick", "passed")]
        assert found.blockers == (
            "tests: not run, because it was stopped before it ended",
            "late: not run, because the review was stopped",
        )
        assert out.splitlines()[-1].endswith(": stopped")
        assert not found.ship_allowed
        assert "late: not run" in out
        assert "late" not in clone.runs


def is_gone(file):
    return wait_for(lambda: not Path(f"/proc/{file.read_text().strip()}").exists())


class TestReports:
    @pytest.fixture
    def mixed(self, clone):
        test = "echo 'TOTAL 20 3 82.5%'; echo '3 passed, 1 skipped in 0.10s'"
        gates = {"lint": {"command": "nosuchlinter"}, "test": {"command": test}, "e2e": noting("e2e", 3)}
        clone.configure(gates, [{"name": "unit", "gates": ["lint", "test"]}, {"name": "late", "gates": ["e2e"]}])
        return clone

    def test_the_summary_says_which_gate_blocked(self, mixed):
        last = mixed.vetgate("review").stdout.splitlines()[-1]
        assert last.startswith("no findings in 1 file (")
        assert last.endswith("): blocked by e2e (`echo e2e >> ../runs; exit 3` ended with exit status 3)")

    def test_the_summary_counts_what_commands_found(self, clone):
        found = "echo 'a.py:1:1: F401 [*] `os` imported but unused'; echo 'Found 1 error.'; exit 1"
        clone.configure({"lint": {"command": found, "parse": "ruff"}}, [{"name": "quick", "gates": ["lint"]}])
        last = clone.vetgate("review").stdout.splitlines()[-1]
        assert last.startswith("1 error in 1 file (")

    def test_text_has_a_line_for_each_loop(self, mixed):
        said = mixed.vetgate("review").stdout
        assert re.search(r"^1 unit  passed +[\d.]+ s  lint skipped \(missing: .*\), test passed", said, re.MULTILINE)
        assert "test passed (tests: 3 passed, 1 skipped; 82.5% covered)" in said
        assert re.search(r"^2 late  failed", said, re.MULTILINE)

    def test_json_keeps_its_fields_and_adds_the_loops(self, mixed):
        told = mixed.review()
        assert {"verdict", "findings", "unchecked", "elapsed_ms", "metrics", "gates"} < told.keys()
        unit = told["loops"][0]
        assert (unit["number"], unit["name"], unit["status"], unit["blocks"]) == (1, "unit", "passed", True)
        test = unit["gates"][1]
        assert (test["tests"], test["coverage"]) == ({"passed": 3, "failed": 0, "skipped": 1}, 82.5)
        rows = json.loads(mixed.vetgate("log", "--format", "json").stdout)
        assert [row["decision"] for row in rows if row["id"] == told["review"]] == ["block"]

    @pytest.mark.parametrize("form", ["markdown", "html", "sarif", "github"])
    def test_every_format_names_the_loops(self, mixed, form):
        said = mixed.vetgate("review", "--format", form)
        assert said.returncode == 1
        assert "unit" in said.stdout
        assert "late" in said.stdout

    def test_markdown_is_a_table_and_a_list_of_blockers(self, mixed):
        said = mixed.vetgate("review", "--format", "markdown").stdout
        assert "| loop | result | time | gates |" in said
        assert re.search(r"^\| 2 late \| failed \|", said, re.MULTILINE)
        assert "This content may not ship:\n\n- late: e2e" in said

    def test_sarif_has_the_review_among_its_properties(self, mixed):
        (run,) = json.loads(mixed.vetgate("review", "--format", "sarif").stdout)["runs"]
        assert [each["status"] for each in run["properties"]["loops"]] == ["passed", "failed"]

    def test_each_review_has_a_log_of_its_own(self, mixed):
        paths = [re.search(r"^log: (.+)$", mixed.vetgate("review").stdout, re.MULTILINE)[1] for _ in range(2)]
        assert len(set(paths)) == 2
        log = Path(paths[0])
        assert stat.S_IMODE(log.stat().st_mode) == 0o600
        assert log.is_relative_to(mixed.state)
        text = log.read_text()
        assert re.search(r"^\S+Z \[INFO\] review started \(branch: topic\)", text)
        assert "[INFO] unit: test passed (tests: 3 passed" in text
        assert "[WARN] late: failed" in text
        assert text.splitlines()[-1].endswith("ended with exit status 3")

    def test_both_designs_get_their_files(self, mixed):
        folder = mixed.root.parent / "out"
        mixed.review("--export", str(folder))
        state = json.loads((folder / "loop-state.json").read_text())
        assert (state["version"], state["branch"], state["head_commit"]) == (
            "1.0",
            "topic",
            mixed.git("rev-parse", "HEAD"),
        )
        assert state["loops"]["unit"]["status"] == "pass"
        assert state["loops"]["unit"]["details"]["test"] == {
            "status": "pass",
            "warnings": 0,
            "errors": 0,
            "coverage": 82.5,
        }
        assert (state["loop_1_passed"], state["loop_2_passed"]) == (True, False)
        assert not state["ship_allowed"]
        assert state["blockers"][0].startswith("late: e2e")
        assert not state["loop_details"]["loop_2"]["passed"]
        assert json.loads((folder / "claude-review-results.json").read_text()) == {"findings": []}

    def test_a_forged_export_means_nothing(self, mixed):
        folder = mixed.root.parent / "out"
        mixed.review("--export", str(folder))
        state = folder / "loop-state.json"
        state.write_text(state.read_text().replace('"ship_allowed": false', '"ship_allowed": true'))
        assert not mixed.review("--export", str(folder))["ship_allowed"]
        assert not json.loads(state.read_text())["ship_allowed"]


class TestDryRun:
    def test_it_runs_nothing_and_tells_what_would(self, clone):
        gates = {"lint": noting("lint"), "types": noting("types"), "test": noting("test")}
        loops = [{"name": "quick", "gates": [["lint", "types"]], "timeout": 30}, {"name": "tests", "gates": ["test"]}]
        clone.configure(gates, loops)
        said = clone.vetgate("review", "--dry-run", "--loops", "1")
        assert (said.returncode, clone.runs, clone.records) == (0, [], [])
        assert said.stdout.startswith("1 loop over 1 file (branch) since main (")
        assert "\n  b.py\n" in said.stdout
        assert "loop 1 quick, at most 30 s" in said.stdout
        assert "at once: lint: echo lint" in said.stdout
        assert "loop 2 tests: not run, --loops leaves it out" in said.stdout
        assert said.stdout.endswith("\ntime unknown, no past runs: lint, types; at most 30 s in all\n")

    def test_time_is_what_past_runs_took(self, clone):
        clone.configure({"lint": {"command": "sleep 1.2"}}, TWO[:1])
        assert json.loads(clone.vetgate("review", "--dry-run", "--format", "json").stdout)["unknown"] == ["lint"]
        clone.vetgate("review")
        planned = json.loads(clone.vetgate("review", "--dry-run", "--format", "json").stdout)
        assert planned["unknown"] == []
        assert planned["seconds"] >= 1.2
        assert planned["loops"][0]["steps"][0][0]["seconds"] == planned["seconds"]

    def test_what_would_be_skipped_and_what_is_kept_is_said(self, clone):
        clone.hook(clone.bin / "coderabbit", "#!/bin/sh\necho 'Review completed: No findings'\n")
        gates = {
            "gone": {"command": "nosuchlinter ."},
            "model": {"judge": "reviewer"},
            "test": noting("test"),
            "rabbit": {"command": "coderabbit review --plain", "parse": "coderabbit", "quota": "8/hour"},
        }
        loops = [
            {"name": "quick", "gates": ["gone", "test"], "inputs": ["*.txt"]},
            {"name": "model", "gates": ["model", "rabbit"]},
        ]
        clone.configure(gates, loops)
        clone.vetgate("review")
        said = clone.vetgate("review", "--dry-run").stdout
        assert "loop 1 quick: none of its files changed since it passed" in said
        clone.put("new.txt", "x\n")
        said = clone.vetgate("review", "--dry-run").stdout
        assert "gone: nosuchlinter ., would be skipped: nosuchlinter was not found" in said
        assert "model: judge reviewer by opus, would be skipped: no model is configured" in said
        assert "rabbit: coderabbit review --plain, about 0 s, 1 of 8 runs used in the last hour" in said.replace(
            "less than 1 s", "about 0 s"
        )

    def test_cost_is_of_the_files_under_review_untracked_ones_included(self, clone):
        price = {"input": 1000, "output": 1000}
        model = {"api": "anthropic", "model": "m", "key": "$MODEL_KEY", "price": price}
        gates = {"model": {"judge": "reviewer", "models": ["opus"]}}
        loops = [{"name": "model", "gates": ["model"]}]
        clone.configure(gates, loops, models={"opus": model})
        clone.git("reset", "-q", "--hard", "main")

        def cost(*words):
            planned = clone.vetgate("review", "--dry-run", "--format", "json", *words, MODEL_KEY="k")
            return json.loads(planned.stdout)["loops"][0]["steps"][0][0]["usd"]

        clone.put("new.py", GOOD)
        clone.put("other.py", GOOD * 200)
        assert cost() > cost("new.py") > 0


class TestProgress:
    def test_a_pipeline_gets_plain_lines_beside_the_report(self, clone):
        clone.configure({"lint": noting("lint"), "test": noting("test")}, TWO)
        said = clone.vetgate("review", "--format", "json", CI="true")
        json.loads(said.stdout)
        assert re.search(
            r"^loop 1 quick\nlint: passed in [\d.]+ s\nloop 2 tests\ntest: passed", said.stderr, re.MULTILINE
        )
        assert "\x1b" not in said.stderr
        assert clone.vetgate("review", "--format", "json").stderr == ""

    def test_on_a_terminal_what_runs_is_seen_with_its_time(self, clone):
        clone.configure({"lint": {"command": "while [ ! -e ../go ]; do sleep 0.01; done", "timeout": 60}}, TWO[:1])
        ours, theirs = pty.openpty()
        with closing_both(ours, theirs):
            running = subprocess.Popen(
                [sys.executable, "-c", RUN, "review"],
                cwd=clone.root,
                env=clone.env | {"TERM": "xterm", "PYTHONUTF8": "1"},
                stdin=subprocess.DEVNULL,
                stdout=theirs,
                stderr=theirs,
            )
            seen = b""
            while b" lint  0 s" not in seen:
                seen += os.read(ours, 4096)
            (clone.root.parent / "go").touch()
            while b"may ship" not in seen:
                seen += os.read(ours, 4096)
            assert running.wait(SECONDS) == 0
        text = seen.decode()
        assert "\x1b[A\x1b[2K" in text
        assert re.search(r"[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] lint  \d+ s", text)
        assert "lint: passed in" in text


@contextlib.contextmanager
def closing_both(*descriptors):
    try:
        yield
    finally:
        for each in descriptors:
            os.close(each)


class TestShip:
    """What was reviewed may leave, and nothing else."""

    def test_exactly_what_was_reviewed_may_leave(self, clone):
        gates = {"lint": noting("lint"), "test": noting("test"), "reviewed": {"ship": True}}
        clone.configure(gates, TWO, on={"ship": ["reviewed"]})
        assert self.asked(clone) == (1, "Ship gate: BLOCKED")
        clone.review("--loops", "1")
        assert self.asked(clone) == (1, "Ship gate: BLOCKED")
        clone.review("--loops", "2")
        assert self.asked(clone) == (0, "Ship gate: APPROVED")
        clone.put("b.py", "")
        clone.commit_all("nobody reviewed this")
        said = clone.vetgate("ship")
        assert said.returncode == 1
        assert "b.py changed since the review" in said.stdout

    def test_the_record_and_the_gate_say_the_same_of_what_could_not_run(self, clone):
        gates = {"lint": {"command": "nosuchlinter"}, "test": noting("test"), "reviewed": {"ship": True}}
        clone.configure(gates, TWO, on={"ship": ["reviewed"]})
        assert not clone.review()["ship_allowed"]
        assert self.asked(clone) == (1, "Ship gate: BLOCKED")

    @staticmethod
    def asked(clone):
        said = clone.vetgate("ship")
        return said.returncode, said.stdout.splitlines()[0]
