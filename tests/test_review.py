"""`vetgate review`: real git, real commands, what a branch changes."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from hashlib import sha256

import pytest

from fixtures import BAD, GOOD, Clone, wait_for_tick

COUNT = "echo ran >> ../runs"
FAILS = "echo 'a.txt:1: error: not so'; exit 1"


@pytest.fixture
def clone(tmp_path):
    """On a branch of its own that left main."""
    made = Clone(tmp_path).gated()
    made.put("a.txt", "fine\n")
    return made


def branched(clone, gates="test: {command: 'true'}", review="[code, test]"):
    text = f"version: 1\ngates: {{{gates}}}\non: {{review: {review}}}\n"
    clone.put("vetgate.yaml", text)
    said = clone.vetgate("trust", "--digest", sha256(text.encode()).hexdigest())
    assert said.returncode == 0, said.stdout + said.stderr
    clone.git("add", "-A")
    clone.git("commit", "-q", "--no-verify", "-m", "begin")
    clone.git("branch", "-M", "main")
    clone.git("switch", "-q", "-c", "topic")


def commit(clone, path, text):
    clone.put(path, text)
    clone.git("add", path)
    clone.git("commit", "-q", "--no-verify", "-m", path)


def runs(clone):
    file = clone.root.parent / "runs"
    return len(file.read_text().split()) if file.exists() else 0


def test_what_the_branch_brought_blocks_before_any_command_runs(clone):
    branched(clone, f"test: {{command: '{COUNT}'}}")
    commit(clone, "b.py", BAD)
    said = clone.vetgate("review")
    assert said.returncode == 1
    assert "b.py" in said.stdout
    assert "blocked" in said.stdout
    assert runs(clone) == 0


def test_a_review_asks_git_nothing_twice_but_what_lies_there_at_the_end(clone):
    """By several questions at once, and none about what it knows: the files, and what HEAD and the trunk name."""
    branched(clone, review="[code]")
    commit(clone, "b.py", GOOD)
    clone.put("new.py", GOOD)
    wait_for_tick(2)
    asked = clone.home / "asked"
    clone.hook(clone.bin / "git", f'#!/bin/sh\necho "$*" >> {asked}\nexec {shutil.which("git")} "$@"\n')
    said = clone.vetgate("review")
    assert said.returncode == 0, said.stdout + said.stderr
    times = Counter(line for line in asked.read_text().splitlines() if "cat-file" not in line)
    assert {line: count for line, count in times.items() if count > 1} == {
        "--no-pager ls-files -t -z --modified --deleted --others --exclude-standard": 2
    }
    names = Counter(line for line in asked.read_text().splitlines() if line.endswith("%(objectname)"))
    assert names.total() == 1


def test_what_is_not_committed_counts_as_well(clone):
    branched(clone)
    clone.put("new.py", BAD)
    assert "new.py" in clone.vetgate("review").stdout


def test_what_stood_on_main_is_not_held_against_the_branch(clone):
    clone.put("old.py", BAD)
    branched(clone)
    commit(clone, "b.py", GOOD)
    said = clone.vetgate("review")
    assert (said.returncode, said.stderr) == (0, "")
    assert "old.py" not in said.stdout


def test_a_base_may_be_named(clone):
    branched(clone)
    commit(clone, "b.py", BAD)
    clone.git("branch", "later")
    commit(clone, "c.py", GOOD)
    assert clone.vetgate("review", "--base", "later").returncode == 0
    unknown = clone.vetgate("review", "--base", "nowhere")
    assert unknown.returncode == 3
    assert "nowhere" in unknown.stderr


def test_a_failing_command_blocks_with_its_output(clone):
    branched(
        clone, f'lint: {{command: "{FAILS}", pattern: "(?P<path>[^:]+):(?P<line>[0-9]+): (?P<message>.*)"}}', "[lint]"
    )
    commit(clone, "b.py", GOOD)
    said = clone.vetgate("review")
    assert said.returncode == 1
    assert "Gate 'lint' failed with exit status 1" in said.stdout
    assert "a.txt:1" in said.stdout
    told = json.loads(clone.vetgate("review", "--format", "json").stdout)
    assert told["verdict"] == "block"
    assert [(each["path"], each["line"]) for each in told["findings"]] == [("a.txt", 1)]


@pytest.mark.parametrize("form", ["sarif", "html", "github"])
def test_every_report_takes_what_commands_find(clone, form):
    branched(
        clone, f'lint: {{command: "{FAILS}", pattern: "(?P<path>[^:]+):(?P<line>[0-9]+): (?P<message>.*)"}}', "[lint]"
    )
    said = clone.vetgate("review", "--format", form)
    assert said.returncode == 1
    assert "error: not so" in said.stdout


@pytest.mark.parametrize("form", ["json", "sarif", "html", "github"])
def test_a_command_that_fails_without_saying_where_is_in_every_report(clone, form):
    branched(clone, "lint: {command: 'exit 3'}", "[lint]")
    said = clone.vetgate("review", "--format", form)
    assert said.returncode == 1
    assert "The gate `lint` failed" in said.stdout


def test_the_steps_run_in_order_and_a_failure_that_continues_only_tells(clone):
    others = ", ".join(f"{name}: {{command: '{COUNT}'}}" for name in ("two", "three"))
    gates = f"one: {{command: '{COUNT}; exit 1', on_fail: CONTINUE}}, {others}"
    branched(clone, gates, "[one, [two, three]]")
    said = clone.vetgate("review")
    assert said.returncode == 0
    assert "Gate 'one' failed" in said.stdout
    assert runs(clone) == 3


def test_the_same_content_is_not_run_twice(clone):
    branched(clone, f"test: {{command: '{COUNT}'}}")
    commit(clone, "b.py", GOOD)
    assert [clone.vetgate("review").returncode for _ in range(2)] == [0, 0]
    assert runs(clone) == 1


def test_commands_that_nobody_accepted_are_not_run(clone):
    branched(clone)
    clone.put("vetgate.yaml", f"version: 1\ngates: {{test: {{command: '{COUNT}'}}}}\non: {{review: [test]}}\n")
    said = clone.vetgate("review")
    assert (said.returncode, runs(clone)) == (3, 0)
    assert "nobody accepted: test" in said.stderr
    assert "vetgate trust" in said.stderr


def test_it_says_what_it_compared_with_and_names_files_from_where_one_stands(clone):
    branched(clone)
    commit(clone, "src/deep/b.py", BAD)
    said = clone.vetgate("review", cwd=clone.root / "src" / "deep")
    assert said.stdout.startswith("since main (")
    assert "\nb.py:1" in said.stdout


def test_a_broken_configuration_leaves_the_last_good_one_in_force(clone):
    branched(clone)
    commit(clone, "b.py", BAD)
    clone.put("vetgate.yaml", "version: [\n")
    said = clone.vetgate("review")
    assert said.returncode == 1
    assert "b.py" in said.stdout
    assert "last good version is in force" in said.stderr


def test_without_a_commit_it_says_so(clone):
    said = clone.vetgate("review")
    assert said.returncode == 3
    assert "there is no commit yet" in said.stderr


def test_the_configured_format_brings_its_figures(clone):
    text = "version: 1\noutput: {format: json}\n"
    clone.put("vetgate.yaml", text)
    clone.vetgate("trust", "--digest", sha256(text.encode()).hexdigest())
    commit(clone, "a.py", GOOD)
    clone.git("switch", "-q", "-c", "topic")
    commit(clone, "b.py", GOOD)
    told = json.loads(clone.vetgate("review").stdout)
    assert told["metrics"]["complexity"]["cyclomaticComplexity"] == 1


def test_without_gates_it_says_what_to_write(clone):
    branched(clone, review="[]")
    said = clone.vetgate("review")
    assert said.returncode == 3
    assert "`on.review` lists no gates" in said.stderr
    assert "vetgate.yaml" in said.stderr


def test_a_project_that_lists_none_has_its_code_looked_at(clone):
    commit(clone, "a.py", GOOD)
    clone.git("switch", "-q", "-c", "topic")
    commit(clone, "b.py", BAD)
    assert "b.py" in clone.vetgate("review").stdout


def test_it_is_on_record(clone):
    branched(clone)
    commit(clone, "b.py", BAD)
    clone.vetgate("review")
    rows = [json.loads(line) for line in clone.vetgate("log", "--format", "jsonl").stdout.splitlines()]
    assert [(row["event"], row["decision"]) for row in rows if row["event"] == "review"] == [("review", "block")]


def test_who_asked_is_on_record(clone):
    branched(clone)
    commit(clone, "b.py", GOOD)
    clone.vetgate("review", CLAUDE_CODE_SESSION_ID="s")
    clone.vetgate("review")
    rows = [json.loads(line) for line in clone.vetgate("log", "--format", "jsonl").stdout.splitlines()]
    assert {row["agent"] for row in rows if row["event"] == "review"} == {"claude-code", "person"}
