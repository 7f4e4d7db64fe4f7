"""Events that a script sends through the launcher, and how the client's own are told from them."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from contextlib import closing

import pytest

from route_runner import Machine, Route, in_process
from vetgate.config.person import is_client
from vetgate.source.root import store_key
from vetgate.store import open_project_store

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who started a hook")

# Stands for the hook's own process: it says its number and waits.
HOOK = [sys.executable, "-c", "import os; print(os.getpid(), flush=True); input()"]


@pytest.fixture
def launcher(tmp_path):
    path = tmp_path / "vetgate-hook"
    path.write_text(f"#!/bin/sh\n{shlex.join(HOOK)}\nexit $?\n")
    path.chmod(0o755)
    return str(path)


def started(words, executable=None):
    process = subprocess.Popen(words, executable=executable, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return process, int(process.stdout.readline())


CLIENTS = {
    "by name": (["claude", "-c", "sh -c {hook}; exit $?"], "/bin/sh"),
    "without a shell between": (["claude", "-c", "{hook}; exit $?"], "/bin/sh"),
}
IMITATIONS = {
    "a script": ["sh", "-c", "{hook}; exit $?"],
    "a script below a client": ["bash", "-c", "exec -a claude bash -c 'timeout --foreground 20 {hook}; exit $?'"],
    "a shell that does more": ["sh", "-c", "true; {hook}; exit $?"],
    "another interpreter": [sys.executable, "-c", "import subprocess; subprocess.run(['{hook}'])"],
    "detached": ["setsid", "--fork", "sh", "-c", "{hook}; exit $?"],
}


@pytest.mark.parametrize("how", CLIENTS)
def test_a_client_is_known(how, launcher):
    words, executable = CLIENTS[how]
    process, pid = started([word.format(hook=launcher) for word in words], executable)
    try:
        assert is_client(pid)
    finally:
        process.communicate("\n", timeout=20)


@pytest.mark.parametrize("how", IMITATIONS)
def test_an_imitation_is_none(how, launcher):
    words = [word.format(hook=launcher) for word in IMITATIONS[how]]
    process, pid = started(words)
    try:
        assert not is_client(pid)
    finally:
        process.communicate("\n", timeout=20)


def test_a_process_that_is_gone_is_none():
    process = subprocess.Popen(["true"])
    process.wait()
    assert not is_client(process.pid)
    assert not is_client(-1)


def test_what_a_person_said_yes_to_is_not_held_against_anybody(tmp_path):
    """The look-alike: the same events from the client, after the same refusals."""
    machine = Machine(tmp_path / "machine")
    ask, flush = in_process(machine)
    bad = "def tangled(a):\n" + "".join(f"    if a == {n}:\n        return {n}\n" for n in range(12))
    route = Route(machine, {"steps": [], "expect": "passes"}, ask, flush)
    route._event("SessionStart", {"source": "startup"}, machine.root)
    given = {"file_path": str(machine.root / "bad.py"), "content": bad}
    for number in range(4):
        call = {"tool_name": "Write", "tool_input": given, "tool_use_id": f"t{number}"}
        said = route._event("PreToolUse", call, machine.root)
        assert said.refused
    with closing(open_project_store(machine.state, store_key(machine.root))) as store:
        (pending,) = store.pending_grants()
        assert pending.code in said.text
        store.grant(pending.code, time.time() + 600)
    assert not route._event("PreToolUse", call, machine.root).refused
    (machine.root / "bad.py").write_text(bad)
    route._event("PostToolUse", call | {"tool_response": {}}, machine.root)
    assert not route._stop().refused
