"""What holds of the service layer: any surface can ask it, and each configuration file is read once per command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest

from vetgate import fallback
from vetgate.config import load

COMMITTED = "version: 1\n"
WRITTEN = "version: 1\non: {review: [code]}\n# as it stands on disk\n"
TANGLED = "def f(a):\n" + "".join(f"    if a == {number}:\n        return {number}\n" for number in range(12))
BASELINE = '{"version": 1, "files": {}}'


@pytest.fixture
def reads(tree, call, monkeypatch):
    """How often the file on disk was read, in a project with another one committed."""
    tree.put("vetgate.yaml", COMMITTED)
    tree.put("a.py", "def f(a):\n    return a\n")
    tree.put(".vetgate/baseline.json", BASELINE)
    tree.commit()
    tree.git("branch", "-M", "main")
    tree.git("switch", "-q", "-c", "topic")
    tree.put("vetgate.yaml", WRITTEN)
    tree.put("a.py", "def f(a):\n    return a + 1\n")
    monkeypatch.setattr("vetgate.service.acceptance.require_person", lambda *_, **__: None)
    assert call("trust", "--digest", sha256(WRITTEN.encode()).hexdigest()).status == 0
    found = []
    layers = load.layers

    def counted(data, *rest):
        found.extend([data] if data == WRITTEN.encode() else [])
        return layers(data, *rest)

    monkeypatch.setattr(load, "layers", counted)
    return found


@pytest.mark.parametrize(
    "words",
    [
        "check",
        "check --format json",
        "check --staged",
        "check --diff main",
        "check --config vetgate.yaml",
        "review",
        "metrics",
        "baseline",
        "replay --git HEAD",
        "explain",
        "explain no-rule-of-ours",
        "test",
        "index",
        "index --build",
        "index --rebuild",
        "config show",
        "trust --digest 0000",
        "init --dry-run",
        "doctor",
        "hook --agent git pre-commit",
    ],
)
def test_a_command_reads_the_configuration_once(reads, call, words):
    said = call(*words.split())
    assert said.status in {0, 3}, said
    assert len(reads) == 1 + ("--config" in words), said


@pytest.fixture
def answers(tree, home):
    """What every service says of a project with one bad function on a branch, asked from another folder."""
    tree.put("vetgate.yaml", WRITTEN)
    tree.put("a.py", "def f(a):\n    return a\n")
    tree.commit()
    tree.git("branch", "-M", "main")
    tree.git("switch", "-q", "-c", "topic")
    tree.put("a.py", TANGLED)
    tree.commit()
    program = Path(__file__).with_name("service_calls.py")
    words = [sys.executable, str(program), str(tree.root), str(home / "state")]
    asked = subprocess.run(words, cwd=os.sep, capture_output=True, check=False, timeout=120)
    assert asked.returncode == 0, asked.stderr.decode()
    return json.loads(asked.stdout)


def test_every_service_answers_plain_values_without_the_command_line(answers):
    said = answers
    assert said["surfaces"] == []
    assert said["trust"] is True
    assert (said["check"]["verdict"], [each["rule"] for each in said["check"]["findings"]]) == ("block", ["cyclomatic"])
    assert [each["ruleId"] for each in said["sarif"]["runs"][0]["results"]] == ["complexity/cyclomatic"]
    assert (said["review"]["verdict"], said["review"]["findings"][0]["path"]) == ("block", "a.py")
    assert [(each["event"], each["id"]) for each in said["decisions"]] == [("review", said["decision"])]
    assert said["verified"] == ""
    assert [(each["rule"], each["blocked"]) for each in said["statistics"]["rules"]] == [("complexity/cyclomatic", 1)]
    assert said["explain"].startswith("# complexity/cyclomatic")
    assert (said["replay"]["edits"], said["replay"]["blocked"]) == (3, 1)
    assert said["metrics"] == ["f"]
    assert said["index"] == [1, True]
    assert said["doctor"]["healthy"] is False
    assert (said["waivers"], said["waived"]) == (["complexity/cyclomatic"], "allow")
    assert {"checking", "replaying", "measuring", "indexing"} <= set(said["progress"])


@pytest.mark.parametrize("program", [fallback.ANSWER, fallback.DAEMON, fallback.INDEX])
def test_a_program_that_is_started_by_its_name_is_there(program):
    assert callable(import_module(f"vetgate.{program}").main)
