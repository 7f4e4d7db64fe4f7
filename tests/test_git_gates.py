"""The project's own commands at a commit: real git, real hooks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from fixtures import ALSO_BAD, BAD, GOOD, Clone
from secret_samples import chance

COUNT = "echo ran >> ../runs"
PROJECT_TEST = f"{COUNT}; if grep -n bad a.txt; then echo a.txt is bad; exit 1; fi"


@pytest.fixture
def clone(tmp_path):
    made = Clone(tmp_path).gated()
    made.put("a.txt", "fine\n")
    return made


def accepted(clone, gates, commit="[code, test]"):
    text = f"version: 1\ngates: {{{gates}}}\non: {{commit: {commit}}}\n"
    clone.put("vetgate.yaml", text)
    said = clone.vetgate("trust", "--digest", sha256(text.encode()).hexdigest())
    assert said.returncode == 0, said.stdout + said.stderr
    clone.git("add", "-A")
    clone.git("commit", "-q", "--no-verify", "-m", "begin")


def staged(clone, text, path="a.txt"):
    clone.put(path, text)
    clone.git("add", path)


def runs(clone):
    file = clone.root.parent / "runs"
    return len(file.read_text().split()) if file.exists() else 0


def test_a_failing_gate_holds_the_commit_back_with_its_output(clone):
    accepted(clone, f'test: {{command: "{PROJECT_TEST}"}}')
    staged(clone, "bad\n")
    said = clone.stopped("commit", "-m", "x")
    assert "Gate 'test' failed with exit status 1" in said
    assert "a.txt is bad" in said
    assert "more than this commit" not in said
    staged(clone, "good\n")
    done = clone.run("commit", "-q", "-m", "x")
    assert (done.returncode, done.stderr) == (0, "")
    assert runs(clone) == 2


def test_one_that_continues_only_tells(clone):
    accepted(clone, f'test: {{command: "{PROJECT_TEST}", on_fail: CONTINUE}}')
    staged(clone, "bad\n")
    done = clone.run("commit", "-q", "-m", "x")
    assert done.returncode == 0
    assert "a.txt is bad" in done.stderr


@pytest.mark.parametrize(("listed", "ran"), [("[code, test]", 0), ("[test, code]", 1)])
def test_the_gates_of_a_commit_run_as_written_until_one_holds(clone, listed, ran):
    accepted(clone, f'test: {{command: "{COUNT}"}}', listed)
    staged(clone, BAD, "b.py")
    assert "complexity" in clone.stopped("commit", "-m", "x")
    assert runs(clone) == ran


def test_at_a_commit_checks_call_commands_and_commands_call_checks(clone):
    gates = f'shape: {{checks: [complexity], on_fail: test}}, test: {{command: "{COUNT}; exit 1", on_fail: keys}}'
    accepted(clone, f"{gates}, keys: {{checks: [secrets]}}", "[shape]")
    staged(clone, BAD, "b.py")
    assert clone.run("commit", "-q", "-m", "x").returncode == 0
    assert runs(clone) == 1
    staged(clone, f'{ALSO_BAD}password = "{chance(24)}"\n', "c.py")
    said = clone.stopped("commit", "-m", "x")
    assert "Gate 'keys' failed: secrets." in said
    assert runs(clone) == 2


def test_a_message_is_held_by_the_checks_alone(clone):
    accepted(clone, f'keys: {{checks: [secrets], on_fail: test}}, test: {{command: "{COUNT}"}}', "[keys]")
    staged(clone, GOOD, "b.py")
    assert "secrets/" in clone.stopped("commit", "-m", f'password = "{chance(24)}"')


def test_what_a_push_sends_is_searched_also_by_a_gate_that_another_calls(clone):
    clone.git("init", "-q", "--bare", str(clone.root.parent / "bare.git"))
    clone.git("remote", "add", "origin", str(clone.root.parent / "bare.git"))
    accepted(clone, "shape: {checks: [complexity], on_pass: keys}, keys: {checks: [secrets]}", "[], push: [shape]")
    clone.git("push", "-q", "origin", "HEAD")
    for text in (f'password = "{chance(24)}"\n', "\n"):
        staged(clone, text, "k.py")
        clone.git("commit", "-q", "--no-verify", "-m", "x")
    assert "k.py (commit " in clone.stopped("push", "-q", "origin", "HEAD")


def test_the_same_content_is_not_run_twice(clone):
    accepted(clone, f'test: {{command: "{COUNT}"}}')
    staged(clone, GOOD, "b.py")
    clone.git("commit", "-q", "-m", "x")
    clone.git("commit", "-q", "--amend", "-m", "other words")
    assert runs(clone) == 1


def test_the_files_of_the_commit_are_given_and_a_work_tree_that_holds_more_is_told(clone):
    accepted(clone, 'test: {command: "echo seen {files}; exit 1"}', "[test]")
    staged(clone, "x\n", "c d.txt")
    clone.put("a.txt", "not in the commit\n")
    said = clone.stopped("commit", "-m", "x")
    assert "seen c d.txt\n" in said
    assert "more than this commit" in said


def test_it_is_on_record(clone):
    accepted(clone, 'test: {command: "true"}')
    staged(clone, "x\n")
    clone.git("commit", "-q", "-m", "x")
    last = clone.vetgate("log", "--last", "1", "--format", "json").stdout
    assert '"gate": "test"' in last
    assert '"status": "passed"' in last


def test_whoever_interrupts_the_commit_ends_the_command(clone):
    accepted(clone, 'test: {command: "echo $$ > ../pid; sleep 600"}', "[test]")
    staged(clone, "x\n")
    words = ["git", "commit", "-m", "x"]
    pid = clone.root.parent / "pid"
    with subprocess.Popen(
        words, cwd=clone.root, env=clone.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        while not (pid.exists() and pid.read_text().strip()):
            assert process.poll() is None, process.stderr.read()
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode != 0
    command = int(pid.read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(command, 0)


def test_the_example_of_the_guide_does_what_the_guide_says(tmp_path):
    guide = (Path(__file__).parents[1] / "docs" / "gates.md").read_text()
    script, shown = guide.split("## Try it")[1].split("```sh\n")[1].split("```\n", 1)
    commands = script.split("vetgate init --yes")[0]
    clone = Clone(tmp_path)
    python = clone.bin / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    subprocess.run(["/bin/sh", "-e", "-c", commands], cwd=clone.root, env=clone.env, check=True)
    clone.gated()
    digest = sha256((clone.root / "vetgate.yaml").read_bytes()).hexdigest()
    assert clone.vetgate("trust", "--digest", digest).returncode == 0
    clone.put(".gitignore", "__pycache__/\n.pytest_cache/\n")
    clone.git("add", ".")
    clone.git("commit", "-qm", "Count")
    clone.put("counting.py", (clone.root / "counting.py").read_text().replace("a + b", "a - b"))
    said = clone.stopped("commit", "-qam", "Count otherwise")
    assert shown.split("```\n")[1].split("...")[0] in said
