"""A launcher that somebody overwrote is put back by the daemon, and the session hears of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from fixtures import Clone, wait_for
from two_users import open_ground
from vetgate.daemon.launcher_watch import GONE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no daemon there")
SILENT = "#!/bin/sh\nexit 0\n"


@pytest.fixture
def clone():
    """Below a short path, as sockets need one; a session has begun, and its daemon is there."""
    with open_ground() as ground:
        made = Clone(ground)
        made.env |= {"VETGATE_DAEMON": "auto"}
        made.install_client("echo 2.1.325")
        said = made.init("--yes", "--settings", "user")
        assert said.returncode == 0, said.stderr
        made.git("add", "-A")
        made.git("commit", "-q", "-m", "start")
        event(made, "SessionStart", source="startup")
        command(made)
        wait_for(lambda: knows_the_session(made))
        yield made
        made.vetgate("daemon", "stop")


def event(clone, name, **more):
    said = {"session_id": "s", "cwd": str(clone.root), "hook_event_name": name, **more}
    done = subprocess.run(
        [clone.launcher],
        input=json.dumps(said),
        text=True,
        capture_output=True,
        cwd=clone.root,
        env=clone.env | {"CLAUDE_PROJECT_DIR": str(clone.root)},
        check=False,
    )
    return done.stdout + done.stderr


def command(clone, name="PreToolUse", text="ls"):
    return event(clone, name, tool_name="Bash", tool_input={"command": text}, tool_use_id="t1", tool_response={})


def knows_the_session(clone):
    """Whether the daemon has answered: one that has only just started may leave a call to a process of its own."""
    command(clone)
    return ", 1 session," in clone.vetgate("daemon", "status").stdout


def overwrite(clone):
    clone.launcher.write_text(SILENT)


def replace(clone):
    new = clone.launcher.with_name("new")
    clone.hook(new, SILENT).replace(clone.launcher)


def link(clone):
    target = clone.hook(clone.home / "other", SILENT)
    clone.launcher.unlink()
    clone.launcher.symlink_to(target)


def take_rights(clone):
    clone.launcher.chmod(0o600)


def delete(clone):
    clone.launcher.unlink()


@pytest.mark.parametrize("attack", [overwrite, replace, link, take_rights, delete])
def test_it_is_put_back_and_the_session_hears_of_it(clone, attack):
    written = clone.launcher.read_bytes()
    attack(clone)
    wait_for(lambda: _is_as(clone, written))
    assert "put it back" in command(clone, "PostToolUse")
    assert json.loads(event(clone, "Stop", stop_hook_active=False))["decision"] == "block"


def _is_as(clone, written):
    path = clone.launcher
    return path.exists() and not path.is_symlink() and os.access(path, os.X_OK) and path.read_bytes() == written


def test_what_vetgate_writes_itself_stays(clone):
    written = clone.launcher.read_bytes()
    said = clone.init("--yes", "--settings", "user", VETGATE_RUNTIME_DIR=str(clone.home / "elsewhere"))
    assert said.returncode == 0, said.stderr
    anew = clone.launcher.read_bytes()
    assert anew != written
    time.sleep(GONE)
    assert clone.launcher.read_bytes() == anew
    assert "put it back" not in command(clone, "PostToolUse")


def test_what_a_person_takes_away_stays_away(clone):
    said = clone.init("--yes", "--remove", "--agent", "claude-code")
    assert said.returncode == 0, said.stderr
    time.sleep(GONE + 1)
    assert not clone.launcher.exists()
