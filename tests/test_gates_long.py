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

from fixtures import wait_for
from hook_path import write_event
from test_daemon import gone, machine  # noqa: F401 - a fixture
from test_gates_respond import COUNT, context, with_a_file
from vetgate.gates.command import CommandRunner
from vetgate.gates.jobs import RUNS
from vetgate.gates.locks import hold_run, running_gates
from vetgate.gates.process import end_all, run
from vetgate.model import Status

# Until somebody lets it end; then it fails.
LONG = f"{COUNT}; while [ ! -e ../go ]; do sleep 0.02; done; echo it is bad; exit 1"


def test_a_run_of_another_process_that_fails_is_not_run_again(tmp_path, monkeypatch):
    """By the lock alone: as if each of them had a process of its own."""
    session = with_a_file(tmp_path)
    session.configure(gates={"test": {"command": LONG}}, on={"stop": ["test"]})
    project = session.app.project(session.root)
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
            each.result()
            for each in [all_of_them.submit(runner._run_locked, gate, None, ("same",)) for runner in runners]
        ]
    assert [run.status for run in ended] == [Status.FAILED] * 4
    assert ["it is bad" in run.output for run in ended] == [True] * 4
    assert session.count == 1


@pytest.fixture
def session(tmp_path):
    made = with_a_file(tmp_path)
    made.app.stays = True
    made.configure(gates={"test": {"command": LONG}}, on={"stop": ["test"]})
    made.start()
    made.put("a.txt", "x\n")
    yield made
    (tmp_path / "go").touch()
    wait_for(lambda: not RUNS.is_busy)


def hurried(session, event, seconds=2.5, **fields):
    """With a hook's time that is nearly over when the command begins."""
    payload = {"session_id": session.id, "cwd": str(session.root), "hook_event_name": event, **fields}
    reply = session.app.answer("claude-code", json.dumps(payload).encode(), str(session.root), seconds=seconds)
    session.app.flush()
    return json.loads(reply.stdout) if reply.stdout else {}


def let_go(session):
    (session.root.parent / "go").touch()
    wait_for(lambda: not RUNS.is_busy)


def test_the_same_content_gets_what_the_long_run_came_to(session):
    said = hurried(session, "Stop")
    assert "decision" not in said
    assert "test could not run" in said["systemMessage"]
    folder = session.app.project(session.root).store.file.parent
    wait_for(lambda: any(file.stat().st_size for file in folder.glob("gate-*")))  # to look itself takes the lock
    assert [(each.gate, each.root) for each in running_gates(folder)] == [("test", str(session.root))]
    let_go(session)
    said = session.stop()
    assert said["decision"] == "block"
    assert "it is bad" in said["reason"]
    assert session.count == 1


def test_the_next_event_tells_what_the_long_run_came_to(session):
    hurried(session, "Stop")
    let_go(session)
    assert "it is bad" in context(session.said("UserPromptSubmit", prompt="go on"))
    assert context(session.said("UserPromptSubmit", prompt="go on")) == "", "once"


def test_nothing_is_left_of_a_run_that_is_over(session):
    hurried(session, "Stop")
    folder = session.app.project(session.root).store.file.parent
    wait_for(lambda: list(folder.glob("gate-*")))  # the hook may have ended before the run began
    let_go(session)
    assert not list(folder.glob("gate-*"))


def test_whoever_leaves_ends_what_it_started(tmp_path):
    ended = []

    def act():
        words = ["/bin/sh", "-c", "touch began; sleep 600"]
        ended.append(run(words, cwd=tmp_path, env={"PATH": "/usr/bin:/bin"}, seconds=600))

    thread = threading.Thread(target=act)
    thread.start()
    wait_for((tmp_path / "began").exists)
    end_all()
    thread.join(60)
    assert ended[0].status != 0


def test_what_passed_is_on_record_with_the_reason_why_it_was_not_run(tmp_path):
    session = with_a_file(tmp_path)
    session.configure(gates={"test": {"command": "true"}}, on={"stop": ["test"]})
    session.start()
    session.put("a.txt", "x\n")
    session.stop()
    session.stop()
    second, first = (row.stored for row in session.app.project(session.root).store.decisions() if row.event == "stop")
    assert [first["decision"], first["gates"][0]["gate"], first["gates"][0]["status"]] == ["allow", "test", "passed"]
    assert first["notes"] == []
    assert "gate test ran it" in second["notes"][0]


def test_the_log_shows_gates_that_run(tmp_path):
    session = with_a_file(tmp_path)
    session.configure()
    store = session.app.project(session.root).store
    store.set_trusted("0" * 64, "version: 1\n")
    words = [sys.executable, "-m", "vetgate", "log", "--follow"]
    environment = {**os.environ, "VETGATE_STATE_DIR": str(tmp_path / "state")}
    with subprocess.Popen(words, cwd=session.root, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            lines = (line for line in process.stdout if "accepted" not in line)
            with hold_run(store.file.parent, [str(session.root), "x"], time.monotonic(), "test"):
                assert f"gate test runs in {session.root}" in next(lines)
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
