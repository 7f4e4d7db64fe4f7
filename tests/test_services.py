"""What holds of every command: each configuration file is read once."""

from __future__ import annotations

from hashlib import sha256

import pytest

from vetgate.config import load

COMMITTED = "version: 1\n"
WRITTEN = "version: 1\non: {review: [code]}\n# as it stands on disk\n"
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
