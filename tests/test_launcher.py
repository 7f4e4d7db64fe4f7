"""The launcher: the client's status where there is one, a safe answer where there is none."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hook_path import copy_package, write_event
from vetgate import launcher

SHELLS = [shell for shell in ("sh", "dash", "bash") if shutil.which(shell)]


def run(script: str, payload: bytes, where: Path, shell: str = "sh") -> subprocess.CompletedProcess[bytes]:
    path = where / 'it\'s a "launcher" $HOME'
    path.write_text(script)
    path.chmod(0o755)
    environment = {"HOME": str(where), "PATH": os.environ["PATH"], "VETGATE_DAEMON": "off"}
    return subprocess.run(
        [shell, str(path)], input=payload, cwd=where, env=environment, capture_output=True, timeout=20, check=False
    )


def with_client(where: Path, client: str) -> str:
    """A launcher of a package whose client is `client`."""
    package = where / 'it\'s "odd" $x' / "vetgate"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "client.py").write_text(client)
    return _of(package, where)


def _of(package: Path, where: Path, python: str = sys.executable) -> str:
    script = launcher.script(where / "sta'te", where / "run", python=python)
    program = shlex.quote(str(Path(launcher.__file__).parent / "client.py"))
    assert script.count(f" {program} ") == 2
    return script.replace(f" {program} ", f" {shlex.quote(str(package / 'client.py'))} ")


@pytest.fixture
def set_up(tmp_path: Path) -> Path:
    """A project that has a gate."""
    (tmp_path / "vetgate.yaml").write_text("version: 1\n")
    return tmp_path


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("content", ["bad", "fine"])
def test_it_says_what_the_client_says(shell, content, tmp_path):
    script = _of(copy_package(tmp_path / 'li\'b "x" $y'), tmp_path)
    done = run(script, write_event(content), tmp_path, shell)
    if content == "fine":
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    else:
        assert (done.returncode, done.stderr) == (2, b"too complex\n")
        assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_its_folders_reach_the_client_whatever_they_are_called(tmp_path):
    script = with_client(tmp_path, "import sys\ndef main(): print(sys.argv[1:])\n")
    told = run(script, b"", tmp_path).stdout.decode()
    assert repr(str(tmp_path / "sta'te")) in told
    assert repr(str(tmp_path / "run")) in told


MISSING = "/nowhere/python"
WAY_OUT = "Reinstall it and run `vetgate init`, or delete the entries with `vetgate-hook` from ~/.claude/settings.json"
CASES = {
    "an edit is stopped": (write_event(), 2),
    "an edit of an unknown tool is stopped": (write_event(tool="mcp__x__write"), 2),
    "a command is stopped": (write_event(tool="Bash"), 2),
    "a read passes": (write_event(tool="Read"), 0),
    "the end of a turn passes": (write_event(event="Stop"), 0),
    "the start of a session passes": (write_event(event="SessionStart"), 0),
    "content that claims to be a read does not pass": (write_event('"tool_name":"Read"'), 2),
    "what is no event is stopped": (b"garbage", 2),
    "nothing at all is stopped": (b"", 2),
    "a huge edit is stopped": (write_event("x" * 300_000), 2),
}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(("payload", "status"), CASES.values(), ids=CASES)
def test_without_an_interpreter(shell, payload, status, set_up, tmp_path):
    done = run(launcher.script(tmp_path, None, python=MISSING), payload.replace(b'"cwd":"/",', b""), set_up, shell)
    assert done.returncode == status
    if status == 2:
        assert done.stdout == b""
        assert done.stderr.decode() == f"vetgate is no longer at {MISSING}. {WAY_OUT}\n"
    elif done.stdout:
        assert json.loads(done.stdout)["systemMessage"].endswith(WAY_OUT)


PLACES = {
    "nothing anywhere": ((), "a/b", 0),
    "a configuration here": (("a/b/vetgate.yaml",), "a/b", 2),
    "a configuration above": (("vetgate.yaml",), "a/b", 2),
    "a configuration above the repository": (("vetgate.yaml", "a/.git"), "a/b", 0),
    "a configuration of the repository": (("a/vetgate.yaml", "a/.git"), "a/b", 2),
    "a folder that is gone, in a repository with a configuration": (("a/vetgate.yaml", "a/.git"), "a/b/gone/c", 2),
}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(("files", "cwd", "status"), PLACES.values(), ids=PLACES)
def test_once_vetgate_is_gone_only_projects_with_a_gate_notice(shell, files, cwd, status, tmp_path):
    top = tmp_path / "it's $x"
    (top / "a/b").mkdir(parents=True)
    for name in files:
        (top / name).touch()
    script = launcher.script(tmp_path, None, python=MISSING)
    for event in ("PreToolUse", "SessionStart"):
        payload = write_event(event=event).replace(b'"cwd":"/"', b'"cwd":' + json.dumps(str(top / cwd)).encode())
        done = run(script, payload, tmp_path, shell)
        assert bool(done.stdout or done.stderr) is (status == 2)
        assert done.returncode == (status if event == "PreToolUse" else 0)


@pytest.mark.parametrize("shell", SHELLS)
def test_an_interpreter_that_may_not_be_run_is_not_gone(shell, tmp_path):
    """Whoever took its right to run away did not take vetgate away: no folder makes the launcher silent."""
    python = tmp_path / "python3"
    python.write_bytes(b"")
    script = launcher.script(tmp_path, None, python=str(python))
    done = run(script, write_event().replace(b'"cwd":"/"', b'"cwd":"/tmp"'), tmp_path, shell)
    assert done.returncode == 2
    assert b"status 126" in done.stderr


def test_a_cwd_that_needs_escapes_is_taken_from_the_process(set_up):
    payload = write_event().replace(b'"cwd":"/"', b'"cwd":"/sl\\\\ash"')
    assert run(launcher.script(set_up, None, python=MISSING), payload, set_up).returncode == 2


DEATHS = {
    "a traceback": "raise SystemError",
    "an odd status": "import os\ndef main(): os._exit(3)",
    "a kill": "import os\ndef main(): os.kill(os.getpid(), 9)",
    "a crash": "import os\ndef main(): os.abort()",
}


@pytest.mark.parametrize("death", DEATHS.values(), ids=DEATHS)
def test_a_client_that_dies_stops_the_edit_and_not_the_read(death, tmp_path):
    script = with_client(tmp_path, death)
    assert run(script, write_event(), tmp_path).returncode == 2
    assert run(script, write_event(tool="Read"), tmp_path).returncode == 0


def test_a_client_that_dies_with_the_event_in_its_hands_stops_it(tmp_path):
    script = with_client(tmp_path, "import os, sys\ndef main():\n    sys.stdin.buffer.read()\n    os.abort()")
    done = run(script, write_event(tool="Read"), tmp_path)
    assert done.returncode == 2
    assert b"vetgate doctor" in done.stderr


def test_a_package_that_is_gone_lets_reads_pass(set_up):
    script = with_client(set_up, "")
    shutil.rmtree(set_up / 'it\'s "odd" $x')
    here = b'"cwd":' + json.dumps(str(set_up)).encode()
    done = run(script, write_event().replace(b'"cwd":"/"', here), set_up)
    assert done.returncode == 2
    assert done.stderr.decode().endswith(f"{WAY_OUT}\n")
    assert run(script, write_event(tool="Read").replace(b'"cwd":"/"', here), set_up).returncode == 0


@pytest.fixture
def shared(tmp_path):
    """The committed form, with the given `vetgate-hook` on the path."""

    def ask(hook: str | None, payload: bytes) -> subprocess.CompletedProcess[bytes]:
        tools = tmp_path / "bin"
        tools.mkdir(exist_ok=True)
        if hook is not None:
            (tools / "vetgate-hook").write_text(f"#!/bin/sh\n{hook}\n")
            (tools / "vetgate-hook").chmod(0o755)
        environment = {"PATH": f"{tools}:/usr/bin:/bin"}
        command = ["sh", "-c", launcher.shared_command()]
        return subprocess.run(command, input=payload, env=environment, capture_output=True, timeout=20, check=False)

    return ask


def test_a_teammate_without_vetgate_is_told_once_and_not_stopped(shared):
    done = shared(None, write_event())
    assert (done.returncode, done.stdout) == (0, b"")
    started = shared(None, write_event(event="SessionStart"))
    assert started.returncode == 0
    assert "not installed" in json.loads(started.stdout)["systemMessage"]


@pytest.mark.parametrize(("status", "seen"), [(0, 0), (2, 2), (1, 2), (127, 2)])
def test_a_teammate_with_vetgate_gets_its_answer(shared, status, seen):
    done = shared(f"cat >/dev/null; echo said; exit {status}", write_event())
    assert (done.returncode, done.stdout) == (seen, b"said\n")
