"""Gates that take longer than anybody can wait: they go on, show that they run, and what they come to is told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from hook_path import wait_for, write_event
from test_daemon import gone, machine  # noqa: F401 - a fixture
from test_gates_respond import COUNT, Desk, context
from vetgate.gates.command import CommandRunner
from vetgate.gates.jobs import RUNS
from vetgate.gates.locks import hold_run, running_gates
from vetgate.gates.process import end_all, run
from vetgate.model import Status

# Until somebody lets it end; then it fails.
LONG = f"{COUNT}; while [ ! -e ../go ]; do sleep 0.02; done; echo it is bad; exit 1"


def until(true):
    given_up = time.monotonic() + 60
    while not true():
        assert time.monotonic() < given_up, "it did not happen"


def test_a_run_of_another_process_that_fails_is_not_run_again(tmp_path, monkeypatch):
    """By the lock alone: as if each of them had a process of its own."""
    desk = Desk(tmp_path)
    desk.trust(gates={"test": {"command": LONG}}, on={"stop": ["test"]})
    project = desk.app.project(desk.root)
    gate = project.effective().config.gates["test"]

    waiting, between = set(), 0.0123  # by this it is told from what else sleeps

    def waits(seconds):
        waiting.update({threading.get_ident()} if seconds == between else ())
        if len(waiting) == 3:
            (tmp_path / "go").touch()
        threading.Event().wait(seconds)

    monkeypatch.setattr("vetgate.gates.locks._LOOK_AGAIN", between)
    monkeypatch.setattr("vetgate.gates.locks.time.sleep", waits)
    with ThreadPoolExecutor(4) as all_of_them:
        runners = [CommandRunner(project, os.environ, 60.0) for _ in range(4)]
        ended = [
            each.result() for each in [all_of_them.submit(runner._alone, gate, None, ("same",)) for runner in runners]
        ]
    assert [run.status for run in ended] == [Status.FAILED] * 4
    assert ["it is bad" in run.output for run in ended] == [True] * 4
    assert desk.count == 1


@pytest.fixture
def desk(tmp_path):
    made = Desk(tmp_path)
    made.app.stays = True
    made.trust(gates={"test": {"command": LONG}}, on={"stop": ["test"]})
    made.start()
    made.put("a.txt", "x\n")
    yield made
    (tmp_path / "go").touch()
    until(lambda: not RUNS.is_busy)


def hurried(desk, event, seconds=2.5, **fields):
    """With a hook's time that is nearly over when the command begins."""
    payload = {"session_id": desk.id, "cwd": str(desk.root), "hook_event_name": event, **fields}
    reply = desk.app.answer("claude-code", json.dumps(payload).encode(), str(desk.root), seconds=seconds)
    desk.app.flush()
    return json.loads(reply.stdout) if reply.stdout else {}


def let_go(desk):
    (desk.root.parent / "go").touch()
    until(lambda: not RUNS.is_busy)


def test_the_same_content_gets_what_the_long_run_came_to(desk):
    said = hurried(desk, "Stop")
    assert "decision" not in said
    assert "test could not run" in said["systemMessage"]
    folder = desk.app.project(desk.root).store.file.parent
    until(lambda: any(file.stat().st_size for file in folder.glob("gate-*")))  # to look itself takes the lock
    assert [(each.gate, each.root) for each in running_gates(folder)] == [("test", str(desk.root))]
    let_go(desk)
    said = desk.stop()
    assert said["decision"] == "block"
    assert "it is bad" in said["reason"]
    assert desk.count == 1


def test_the_next_event_tells_what_the_long_run_came_to(desk):
    hurried(desk, "Stop")
    let_go(desk)
    assert "it is bad" in context(desk.send("UserPromptSubmit", prompt="go on"))
    assert context(desk.send("UserPromptSubmit", prompt="go on")) == "", "once"


def test_nothing_is_left_of_a_run_that_is_over(desk):
    hurried(desk, "Stop")
    folder = desk.app.project(desk.root).store.file.parent
    until(lambda: list(folder.glob("gate-*")))  # the hook may have ended before the run began
    let_go(desk)
    assert not list(folder.glob("gate-*"))


def test_whoever_leaves_ends_what_it_started(tmp_path):
    ended = []

    def act():
        words = ["/bin/sh", "-c", "touch began; sleep 600"]
        ended.append(run(words, cwd=tmp_path, env={"PATH": "/usr/bin:/bin"}, seconds=600))

    thread = threading.Thread(target=act)
    thread.start()
    until((tmp_path / "began").exists)
    end_all()
    thread.join(60)
    assert ended[0].status != 0


def test_what_passed_is_on_record_with_the_reason_why_it_was_not_run(tmp_path):
    desk = Desk(tmp_path)
    desk.trust(gates={"test": {"command": "true"}}, on={"stop": ["test"]})
    desk.start()
    desk.put("a.txt", "x\n")
    desk.stop()
    desk.stop()
    second, first = (row.body for row in desk.app.project(desk.root).store.decisions() if row.event == "stop")
    assert [first["decision"], first["gates"][0]["gate"], first["gates"][0]["status"]] == ["allow", "test", "passed"]
    assert first["notes"] == []
    assert "gate test ran it" in second["notes"][0]


def test_the_log_shows_gates_that_run(tmp_path):
    desk = Desk(tmp_path)
    desk.trust()
    store = desk.app.project(desk.root).store
    store.set_trusted("0" * 64, "version: 1\n")
    words = [sys.executable, "-m", "vetgate", "log", "--follow"]
    environment = {**os.environ, "VETGATE_STATE_DIR": str(tmp_path / "state")}
    with subprocess.Popen(words, cwd=desk.root, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            lines = (line for line in process.stdout if "accepted" not in line)
            with hold_run(store.file.parent, [str(desk.root), "x"], time.monotonic(), "test"):
                assert f"gate test runs in {desk.root}" in next(lines)
            assert "gate test ended after" in next(lines)
        finally:
            process.terminate()


BEGINS = """
if "begin" in text:
    import threading
    from pathlib import Path
    from vetgate.gates.process import run
    words = ["/bin/sh", "-c", "echo $$ > ../pid; sleep 600"]
    given = {"cwd": Path(cwd), "env": {"PATH": "/usr/bin:/bin"}, "seconds": 600}
    threading.Thread(target=run, args=(words,), kwargs=given, daemon=True).start()
"""


def test_a_daemon_that_leaves_takes_its_commands_along(machine):  # noqa: F811 - the fixture
    hook = machine(BEGINS)
    daemon = hook.warm()
    hook.ask(write_event("begin"))
    file = hook.home / "pid"
    command = int(wait_for(lambda: file.exists() and file.read_text().strip()))
    assert not gone(command)
    os.kill(daemon, signal.SIGTERM)
    wait_for(lambda: gone(daemon))
    assert gone(command)
