"""Fixtures of all tests: a HOME of their own, a repository, a session, a clone, a call of the command line."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from fixtures import GITCONFIG, Clone, Said, Session, WorkTree
from privileges import as_ordinary_owner
from vetgate.agents.installation import Installation
from vetgate.cli.main import vetgate
from vetgate.cli.surface import guarded
from vetgate.config import person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# No test asserts a time, also not that examples are made quickly: the machine may have other things to do.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def _home_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whatever a test does not set up itself, it finds in a home with a name for commits, never in the real one."""
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("nobody")
        (home / ".gitconfig").write_text(GITCONFIG)
        patch.setenv("HOME", str(home))
        for name in ("CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_ENTRYPOINT", "CI"):
            patch.delenv(name, raising=False)  # whoever runs the tests may do so from a session, or in a pipeline
        patch.setattr(person, "SCRIPTED", frozenset())  # or from something that was detached from what started it
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A HOME with nothing in it but a name for commits; nothing of the real one is read or written."""
    for name in [name for name in os.environ if name.startswith(("GIT_", "VETGATE_"))]:
        monkeypatch.delenv(name)
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / ".gitconfig").write_text(f"{GITCONFIG}[init]\ndefaultBranch = main\n")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    monkeypatch.setenv("VETGATE_STATE_DIR", str(folder / "state"))
    return folder


@pytest.fixture
def tree(tmp_path: Path, home: Path) -> WorkTree:
    return WorkTree(tmp_path / "project")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installation:
    """A home and a project; no program of any agent, and of us the hooks alone."""
    home, root = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    (root / ".git").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    for name in ("CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME", "OPENCODE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    return Installation(root, home / "state", None, commands=False, mcp=False)


@pytest.fixture
def unprivileged(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder, and nobody in particular to look at it: root may read everything."""
    top = Path(tempfile.mkdtemp(prefix="vg"))
    shutil.copy(home / ".gitconfig", top)
    folder = top / "folder"
    folder.mkdir()
    for name in ("HOME", "XDG_CONFIG_HOME", "VETGATE_STATE_DIR"):
        monkeypatch.setenv(name, str(top))
    try:
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(as_ordinary_owner())
            except OSError as error:
                pytest.skip(f"root cannot give up reading everything here: {error}")
            yield folder
    finally:
        subprocess.run(["chmod", "-R", "u+rwx", str(top)], check=False)
        shutil.rmtree(top)


@pytest.fixture
def call(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., Said]:
    """`vetgate ...` in this process, in the project's folder or another one."""

    def run(*args: str, cwd: str = "project") -> Said:
        monkeypatch.chdir(tmp_path / cwd)
        monkeypatch.setattr(sys, "argv", ["vetgate", *args])
        capsysbinary.readouterr()
        status = guarded(vetgate)
        said = capsysbinary.readouterr()
        return Said(status, said.out.decode(), said.err.decode())

    return run
