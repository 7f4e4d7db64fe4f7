"""A check is two files: those of CONTRIBUTING.md, put into a copy of the package, hold up an edit there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_FILES = re.compile(
    r"^`(?P<path>src/[\w/.]+)`.*?^(?P<fence>````?)\w+\n(?P<text>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL
)
LONG = f"draw({', '.join(map(str, range(12)))})\n"
# The app answers one call of an agent, and prints what it says.
ASK = """
import sys
from pathlib import Path
from vetgate.app import App
print(App(Path(sys.argv[1])).answer("claude-code", sys.stdin.buffer.read(), sys.argv[2]).stdout.decode())
"""

# What of a new vetgate.yaml would loosen the one that is there, and what is in force then.
LOADS = """
import sys
from pathlib import Path
from vetgate.config.load import load, loaded
from vetgate.config.stricter import tighten
merged = tighten(load(Path(sys.argv[2]) / "vetgate.yaml"), loaded(sys.argv[1].encode(), None, None).config)
print(merged.ignored, merged.config.options["long-call.arguments"])
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The repository with the check of the page, after its generator ran; the package there is the one imported."""
    there = tmp_path_factory.mktemp("copy")
    for name in ("src", "scripts", "docs", "bench"):
        shutil.copytree(ROOT / name, there / name, ignore=shutil.ignore_patterns("__pycache__"), symlinks=True)
    for path in ROOT.glob("*.md"):
        shutil.copy(path, there)
    files = {found["path"]: found["text"] for found in _FILES.finditer((there / "CONTRIBUTING.md").read_text("utf-8"))}
    assert list(files) == ["src/vetgate/checks/long_call.py", "src/vetgate/checks/long_call.md"]
    for path, text in files.items():
        (there / path).write_text(text, "utf-8")
    drifted = run(there, "scripts/docs.py", "--check")
    assert drifted.returncode == 1, "a check that nobody runs is noticed"
    written = run(there, "scripts/docs.py")
    assert written.returncode == 0, written.stderr
    return there


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    (root / "a.py").write_text(LONG)
    return root


def run(copy, *words, cwd=None, text=""):
    environment = os.environ | {"PYTHONPATH": str(copy / "src")}
    command = [sys.executable, *map(str, words)]
    return subprocess.run(
        command, cwd=cwd or copy, env=environment, input=text, capture_output=True, text=True, check=False
    )


def test_its_page_holds(copy):
    pages = run(
        copy, "-m", "pytest", "-c", os.devnull, "--rootdir", copy, ROOT / "tests/test_pages.py", "-k", "long_call"
    )
    assert pages.returncode == 0, pages.stdout
    assert " 4 passed" in pages.stdout


def test_its_option_is_tried_on_its_page_alone(copy):
    tried = run(copy, "-m", "pytest", "-c", os.devnull, ROOT / "tests/test_config_load.py", "-k", "documented_key")
    assert tried.returncode == 0, tried.stdout
    assert " 1 passed" in tried.stdout


def test_it_stops_an_edit(copy, project, tmp_path):
    call = {"file_path": str(project / "b.py"), "content": LONG}
    event = {"session_id": "s", "cwd": str(project), "hook_event_name": "PreToolUse", "tool_use_id": "t"}
    asked = run(
        copy,
        "-c",
        ASK,
        tmp_path / "state",
        project,
        text=json.dumps(event | {"tool_name": "Write", "tool_input": call}),
    )
    said = json.loads(asked.stdout)["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    assert "long-call/arguments" in said["permissionDecisionReason"]


def test_it_fails_vetgate_check(copy, project):
    checked = run(copy, "-m", "vetgate", "check", "a.py", cwd=project)
    assert checked.returncode == 1
    assert "long-call/arguments" in checked.stdout


def test_it_is_in_every_list(copy):
    assert "[long-call](docs/checks/long-call.md)" in (copy / "README.md").read_text("utf-8")
    assert "long-call/arguments" in (copy / "docs/checks/README.md").read_text("utf-8")
    tables = "from vetgate import failure; from vetgate.config.load import defaults; "
    listed = run(copy, "-c", tables + "print(failure.FAILS['long-call'], defaults().gates['code'].checks[-1])")
    assert listed.stdout == "open long-call\n"
    assert "A call with more than ten arguments." in run(copy, "-m", "vetgate", "explain", "long-call").stdout


def test_its_option_is_read_and_shown(copy, project):
    (project / "vetgate.yaml").write_text("version: 1\nlong-call: {arguments: 12}\n")
    assert run(copy, "-m", "vetgate", "check", "a.py", cwd=project).returncode == 0
    (project / "vetgate.yaml").write_text("version: 1\nlong-call: {arguments: 8}\n")
    shown = run(copy, "-m", "vetgate", "config", "show", cwd=project).stdout
    assert re.search(r"^long-call:\n  arguments: 8 +# vetgate.yaml:2$", shown, re.MULTILINE)
    schema = json.loads(run(copy, "-m", "vetgate", "config", "schema").stdout)
    assert schema["properties"]["long-call"]["properties"]["arguments"]["maximum"] == 1_000
    assert "| `long-call.arguments` | a whole number from 1 to 1000 | `10` | Most arguments of a call. |" in (
        copy / "docs/configuration.md"
    ).read_text("utf-8")


def test_its_option_is_not_loosened_by_an_agent(copy, project, tmp_path):
    (project / "vetgate.yaml").write_text("version: 1\nlong-call: {arguments: 8}\n")
    assert (
        "must be a whole number"
        in run(copy, "-c", LOADS, "version: 1\nlong-call: {arguments: many}\n", project, tmp_path).stderr
    )
    looser = run(copy, "-c", LOADS, "version: 1\nlong-call: {arguments: 12}\n", project, tmp_path)
    assert looser.stdout == "('long-call.arguments 12 is looser than 8',) 8\n"


def test_it_is_written_as_the_rest_is(copy):
    linted = subprocess.run(
        [
            Path(sys.executable).parent / "ruff",
            "check",
            "--config",
            ROOT / "pyproject.toml",
            "src/vetgate/checks/long_call.py",
        ],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert linted.returncode == 0, linted.stdout
    typed = run(
        copy,
        "-m",
        "mypy",
        "--config-file",
        ROOT / "pyproject.toml",
        "--follow-imports=silent",
        "--cache-dir=.mypy",
        "src/vetgate/checks/long_call.py",
    )
    assert typed.returncode == 0, typed.stdout
