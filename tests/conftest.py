"""Fixtures of the command line's tests: a HOME of their own, a repository, a call."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from command_line import Said, Tree
from vetgate.cli.main import vetgate
from vetgate.cli.surface import guarded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A HOME with nothing in it but a name for commits; nothing of the real one is read or written."""
    for name in [name for name in os.environ if name.startswith(("GIT_", "VETGATE_"))]:
        monkeypatch.delenv(name)
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / ".gitconfig").write_text("[user]\nname = A\nemail = a@example.org\n[init]\ndefaultBranch = main\n")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    monkeypatch.setenv("VETGATE_STATE_DIR", str(folder / "state"))
    return folder


@pytest.fixture
def tree(tmp_path: Path, home: Path) -> Tree:
    top = tmp_path / "project"
    top.mkdir()
    made = Tree(top)
    made.git("init", "-q")
    return made


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
