"""The doctor reads what the client itself wrote down about our hooks."""

from __future__ import annotations

import contextlib
import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .gate import Daemon
from .model_server import Model, Say, Use
from .samples import PLAIN
from .session import CLIENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .conftest import GateMaker
    from .gate import Gate

PROMPT = "Please write the routing."


def write_in_session(gate: Gate) -> None:
    write = Use("Write", {"file_path": str(gate.project / "routing.py"), "content": PLAIN})
    gate.session(Model({PROMPT: [write, Say("Done.")]}))


def doctor(gate: Gate) -> tuple[int, dict[str, dict[str, Any]]]:
    """Exit status and findings, of a person who has the client on the PATH."""
    told = gate.vetgate("doctor", "--format", "json", through=("env", f"PATH={CLIENT.parent}:/usr/bin:/bin"))
    return told.returncode, {finding["id"]: finding for finding in json.loads(told.stdout)["findings"]}


@contextlib.contextmanager
def broken(launcher: Path) -> Iterator[None]:
    """A hook that fails, and is found repaired, by the same file, when the doctor comes."""
    aside = launcher.with_suffix(".aside")
    launcher.rename(aside)
    launcher.write_text("#!/bin/sh\ncat >/dev/null\necho planted >&2\nexit 1\n")
    launcher.chmod(0o755)
    yield
    aside.rename(launcher)


def test_the_doctor_finds_nothing_wrong_after_a_good_session(gate: Gate) -> None:
    write_in_session(gate)
    status, findings = doctor(gate)
    assert [finding for finding in findings.values() if finding["status"] == "bad"] == []
    assert status == 0
    assert findings["client"]["status"] == "good"
    assert findings["sessions"]["status"] == "good"


def test_the_doctor_sees_a_hook_failure_in_a_real_transcript(gate_in: GateMaker) -> None:
    gate = gate_in(Daemon.NONE)  # a daemon would put the launcher back at once
    with broken(Path(shlex.split(gate.registered("PreToolUse"))[0])):
        write_in_session(gate)
    assert gate.home.transcripts()
    status, findings = doctor(gate)
    assert status == 3, findings["sessions"]
    assert findings["sessions"]["status"] == "bad"
    assert "planted" in findings["sessions"]["what"]
