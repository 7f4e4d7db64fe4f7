"""What the command line says when it cannot go on."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from hook_path import write_event
from vetgate.agents import agent
from vetgate.answer import Request, answer, write_report
from vetgate.cli.surface import BUG, guarded
from vetgate.model import Reply, UserError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fixtures import Said, WorkTree

    Call = Callable[..., Said]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("version", "Did you mean `vetgate --version`?"),
        ("chek", "Did you mean `vetgate check`?"),
        ("zzz", "lists them all"),
    ],
)
def test_a_command_that_is_none_gets_the_one_that_was_meant(tree: WorkTree, call: Call, typed: str, meant: str) -> None:
    said = call(typed)
    assert said.status == 2
    assert f"No such command '{typed}'. " in said.err
    assert meant in said.err


def test_a_report_is_named_only_where_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(**_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setenv("VETGATE_STATE_DIR", str(tmp_path))
    assert guarded(broken) == BUG
    (report,) = (tmp_path / "reports").iterdir()
    assert f"details: {report}\n" in capsys.readouterr().err
    (tmp_path / "file").touch()
    monkeypatch.setenv("VETGATE_STATE_DIR", str(tmp_path / "file"))
    assert guarded(broken) == BUG
    assert capsys.readouterr().err.endswith("this is a bug in vetgate, not in your code\n")
    assert write_report(ZeroDivisionError(), tmp_path / "file") is None


def test_a_reader_that_went_away_is_no_complaint() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "vetgate", "explain"], stdout=closed, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_agent_that_nobody_knows_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="vetgate does not know an agent called 'nobody'"):
        agent("nobody")
    # How it would understand an answer nobody knows either; what passes is noted, and looked at later.
    request = Request("nobody", "/", "/", str(tmp_path), "all", 3.0, {}, write_event())
    assert answer(request) == Reply(0, b"", b"")
    assert len(list((tmp_path / "unverified").iterdir())) == 1
