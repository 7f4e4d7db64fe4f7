"""The daemon: exactly one, never in the way, gone when it should be."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fixtures import wait_for
from hook_path import Hook, copy_package, write_event
from vetgate import client, runtime
from vetgate.agents.claude_code import wire
from vetgate.daemon.health import AFTER_LAST_SESSION, AT_LAST, DOZES_AFTER, IDLE, RESTS_AFTER, SUDDEN, ProcessHealth
from vetgate.daemon.lane import REMEMBERED, Poison
from vetgate.daemon.life import LONG_WORKERS, WORKERS
from vetgate.fallback import SLOT

if TYPE_CHECKING:
    from collections.abc import Iterator

IN_DAEMON = "'--lock' in sys.argv"


@pytest.fixture
def machine():
    home = Path(tempfile.mkdtemp(prefix="vg"))
    hooks = []

    def make(body: str = "") -> Hook:
        hook = Hook(home, copy_package(home / "lib", body))
        hook.project.mkdir()
        hooks.append(hook)
        return hook

    yield make
    for hook in hooks:
        hook.end()
    shutil.rmtree(home, ignore_errors=True)


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def _no_socket(hook: Hook) -> None:
    assert not hook.runtime.exists()


def _stale_socket(hook: Hook) -> None:
    pid = hook.warm()
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: gone(pid))
    lock = next(hook.runtime.glob("*.lock"))
    os.utime(lock, (0, 0))  # as if it had died long ago


@pytest.mark.parametrize("begin", [_no_socket, _stale_socket])
def test_twenty_clients_at_once_get_their_answers_and_one_daemon(begin, machine):
    hook = machine()
    begin(hook)
    contents = ["bad" if number % 2 else "fine" for number in range(20)]
    clients = [hook.start("--deadline", "15") for _ in contents]
    for process, content in zip(clients, contents, strict=True):
        process.stdin.write(write_event(content))
        process.stdin.close()
    for process, content in zip(clients, contents, strict=True):
        with process:
            assert process.wait(timeout=60) == (2 if content == "bad" else 0), process.stderr.read()
            assert bool(process.stdout.read()) == (content == "bad")
    pid = int(wait_for(hook.status)["pid"])
    wait_for(lambda: hook.daemons() == [pid])


def test_what_judges_commands_is_loaded_before_the_first_one(tmp_path):
    judge = "vetgate.checks.unsafe_command.judge"
    code = f"import sys; from vetgate.answer import warm; warm(*sys.argv[1:]); print({judge!r} in sys.modules)"
    words = (sys.executable, "-c", code, tmp_path / "state", tmp_path)
    done = subprocess.run(words, check=True, capture_output=True, text=True, env={**os.environ, "HOME": str(tmp_path)})
    assert done.stdout == "True\n"


def test_a_second_daemon_of_the_same_name_ends_at_once(machine):
    hook = machine()
    pid = hook.warm()
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:-1]
    without_lock = [os.fsdecode(word) for word in words[: words.index(b"--lock")]]
    assert subprocess.run(without_lock, env=hook.environment, timeout=20, check=False).returncode == 0
    assert hook.daemons() == [pid]
    assert int(hook.status()["pid"]) == pid


def test_a_request_that_kills_the_daemon_is_answered_and_does_not_kill_the_next(machine):
    hook = machine(f"if 'kill' in text and {IN_DAEMON}: os.kill(os.getpid(), 9)")
    first = hook.warm()
    assert hook.ask(write_event("bad kill"))[0] == 2
    assert wait_for(lambda: gone(first))
    os.utime(next(hook.runtime.glob("*.lock")), (0, 0))
    second = hook.warm()
    assert second != first
    assert hook.ask(write_event("bad kill"))[0] == 2
    assert hook.ask(write_event("bad"))[0] == 2
    assert int(hook.status()["pid"]) == second


def test_one_that_dies_at_once_is_not_started_on_every_call(machine):
    hook = machine()
    pid = hook.warm()
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: gone(pid))
    assert hook.ask(write_event())[0] == 2
    assert hook.daemons() == []


WHOLE = client.pack(client.STATUS, {})
GARBAGE = {
    "nothing": b"",
    "text": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "another version": b"VG\x07Q" + bytes(8),
    "an endless header": client.MAGIC + b"Q" + b"\xff" * 8,
    "half a head": WHOLE[:5],
    "half a frame": client.pack(client.REQUEST, {"agent": "x"}, b"y" * 100)[:-50],
    "no fields": client.pack(client.REQUEST, {}, b"{}"),
    "fields that are none": client.pack(client.REQUEST, {"left": "soon", "agent": "a"}, b"{}"),
    "an unknown kind": client.pack(b"?", {}),
    "two frames in one": WHOLE + WHOLE,
    "a pickle": client.pack(client.REQUEST, {}, b"\x80\x04\x95cos\nsystem\n(S'true'\ntR."),
}


@pytest.mark.parametrize("shut", [True, False], ids=["and hangs up", "and stays"])
def test_garbage_does_not_hurt_it(shut, machine):
    hook = machine()
    pid = hook.warm()
    address = hook.address()
    left = []
    for garbage in GARBAGE.values():
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(address)
        connection.sendall(garbage)
        if shut:
            connection.close()
        else:
            left.append(connection)
    before = int(hook.status()["requests"])
    assert hook.ask(write_event())[0] == 2
    told = hook.status()
    assert (int(told["pid"]), int(told["requests"])) == (pid, before + 1), "it answered itself"
    for connection in left:
        connection.close()


def test_connections_that_never_speak_do_not_hold_it_up(machine):
    hook = machine()
    hook.warm()
    address = hook.address()
    silent = []
    for _ in range(40):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(address)
        connection.sendall(WHOLE[:3])
        silent.append(connection)
    assert hook.ask(write_event())[0] == 2
    assert hook.status()["requests"] == "1"
    for connection in silent:
        connection.settimeout(20)
        assert connection.recv(1) == b"", "it lost patience"
        connection.close()


def ask_all(hook: Hook, payloads: list[bytes], *more: str) -> list[tuple[int, bytes]]:
    """All of them at once; status and stderr of each."""
    asked = [hook.start(*more) for _ in payloads]
    for process, payload in zip(asked, payloads, strict=True):
        process.stdin.write(payload)
        process.stdin.close()
    answers = []
    for process in asked:
        with process:
            answers.append((process.wait(timeout=120), process.stderr.read()))
    return answers


WHO = f"if 'who' in text: return Reply(2, b'', b'daemon' if {IN_DAEMON} else b'child')"


def test_a_daemon_that_is_busy_is_waited_for(machine):
    hook = machine(f"if 'slow' in text and {IN_DAEMON}: time.sleep(0.25)\n{WHO}")
    hook.warm()
    answers = ask_all(hook, [write_event(f"slow who {number}") for number in range(24)])
    assert answers == [(2, b"daemon")] * 24


def test_two_hundred_at_once_are_all_answered(machine):
    hook = machine(f"time.sleep(0.002)\n{WHO}")
    hook.warm()
    address = hook.address()
    fields = {"agent": "claude-code", "cwd": "/", "projects": "all", "left": "60"}
    fields |= {"project": str(hook.project), "state": str(hook.state)}
    frames = [client.pack(client.REQUEST, fields, write_event(f"who {number}")) for number in range(200)]
    with ThreadPoolExecutor(200) as pool:
        replies = list(pool.map(lambda frame: client.answer_in(client.ask_daemon(address, frame, 60)), frames))
    assert replies == [(2, b"", b"daemon")] * 200


def test_what_waits_behind_workers_that_finish_nothing_goes_its_own_way(machine):
    hook = machine(f"while 'wait' in text and {IN_DAEMON}: time.sleep(0.05)\n{WHO}")
    hook.warm()
    waiting = [hook.start("--deadline", "25") for _ in range(8)]
    for number, process in enumerate(waiting):
        process.stdin.write(write_event(f"wait bad {number}"))
        process.stdin.close()
    wait_for(lambda: int(hook.status()["busy"]) >= WORKERS)
    assert hook.ask(write_event("who"), "--deadline", "25") == (2, b"", b"child")
    for process in waiting:
        with process:
            assert process.wait(timeout=60) == 2


def test_an_edit_does_not_wait_behind_the_commands_of_a_project(machine):
    hook = machine(
        f"while 'wait' in text and {IN_DAEMON} and not os.path.exists(text.split()[1]): time.sleep(0.02)\n{WHO}"
    )
    hook.warm()
    go = hook.home / "go"
    ending = [hook.start() for _ in range(LONG_WORKERS + 2)]
    for number, process in enumerate(ending):
        process.stdin.write(write_event(f"wait {go} {number}", event="Stop"))
        process.stdin.close()
    wait_for(lambda: int(hook.status()["busy"]) >= LONG_WORKERS)
    assert hook.ask(write_event("who")) == (2, b"", b"daemon")
    go.touch()
    for process in ending:
        with process:
            assert process.wait(timeout=60) == 0


# Waits for a judge, as the agent's settings would allow.
JUDGED = """
if 'judge' in text and long_wait is not None:
    with long_wait(20.0):
        until = time.monotonic() + 15
        while not os.path.exists(text.split()[1]) and time.monotonic() < until: time.sleep(0.02)
"""


def test_who_waits_for_a_judge_is_waited_for_beyond_their_time_and_holds_nobody_up(machine):
    hook = machine(f"{JUDGED}\n{WHO}")
    hook.warm()
    go = hook.home / "go"
    waiting = [hook.start() for _ in range(WORKERS + 2)]
    for number, process in enumerate(waiting):
        process.stdin.write(write_event(f"judge {go} who {number}"))
        process.stdin.close()
    wait_for(lambda: int(hook.status()["busy"]) >= WORKERS + 2)
    began = time.monotonic()
    assert hook.ask(write_event("who")) == (2, b"", b"daemon"), "others are answered meanwhile"
    wait_for(lambda: time.monotonic() - began > client.PATIENCE + 1, 30)
    go.touch()
    for process in waiting:
        with process:
            assert process.stderr.read() == b"daemon"
            assert process.wait(timeout=60) == 2


HANGS = {
    # The signal reaches this thread when it next enters the kernel, which the sleep sees to.
    "it was stopped while it was at work": "os.kill(os.getpid(), 19); time.sleep(5)",
    "a call into C keeps the interpreter": "import ctypes; ctypes.PyDLL(None).sleep(60)",
}


@pytest.mark.parametrize("hang", HANGS.values(), ids=HANGS)
def test_one_that_gives_no_more_signs_of_life_is_left(hang, machine):
    hook = machine(f"if 'hang' in text and {IN_DAEMON}: {hang}\n{WHO}")
    hook.warm()
    assert hook.ask(write_event("hang who"), "--deadline", "30") == (2, b"", b"child")


COUNTED = """
if 'count' in text:
    mine = os.path.join(text.split()[1], str(os.getpid()))
    open(mine, 'w').close()
    open(text.split()[2], 'a').write(f"{len(os.listdir(text.split()[1]))}\\n")
    time.sleep(0.2)
    os.unlink(mine)
"""


def test_without_it_there_are_as_many_processes_as_cores_and_the_others_line_up(machine):
    hook = machine(COUNTED)
    hook.daemon = "off"
    running, seen = hook.home / "running", hook.home / "seen"
    running.mkdir()
    answers = ask_all(hook, [write_event(f"count {running} {seen} bad")] * 12, "--deadline", "100")
    assert [status for status, _ in answers] == [2] * 12
    assert max(map(int, seen.read_text().split())) <= (os.cpu_count() or 1)


def test_a_burst_that_finds_no_daemon_is_answered_by_the_one_that_it_starts(machine):
    hook = machine(WHO)
    answers = ask_all(hook, [write_event(f"who {number}") for number in range(40)], "--deadline", "100")
    assert {status for status, _ in answers} == {2}
    assert b"daemon" in {said for _, said in answers}
    assert len(hook.daemons()) == 1


def test_an_installation_that_is_replaced_under_load_leaves_one_daemon(machine):
    hook = machine()
    hook.warm()
    stop = threading.Event()

    def call() -> None:
        while not stop.is_set():
            hook.ask(write_event())

    callers = [threading.Thread(target=call) for _ in range(4)]
    for caller in callers:
        caller.start()
    fresh = hook.home / "fresh"
    for number in range(3):
        shutil.copytree(hook.package, fresh, ignore=shutil.ignore_patterns("__pycache__"))
        (fresh / "client.py").write_text((fresh / "client.py").read_text() + f"# {number}\n")
        (fresh / "__init__.py").write_text((fresh / "__init__.py").read_text() + f"# {number}\n")
        for file in sorted(fresh.rglob("*.py"), reverse=bool(number % 2)):
            file.replace(hook.package / file.relative_to(fresh))  # one after the other, as an installer does
        shutil.rmtree(fresh)
    stop.set()
    for caller in callers:
        caller.join()
    hook.ask(write_event())
    wait_for(lambda: hook.ask(write_event())[0] == 2 and len(hook.daemons()) == 1, 60)
    assert hook.daemons() == [int(wait_for(hook.status)["pid"])]


def test_it_answers_for_its_own_project_and_state_only(machine):
    hook = machine()
    hook.warm()
    address = hook.address()
    fields = {"agent": "claude-code", "cwd": "/", "projects": "all", "left": "3"}
    ours = {"project": str(hook.project), "state": str(hook.state)}
    asked = [ours, {**ours, "state": "/elsewhere"}, {**ours, "project": "/elsewhere"}]
    replies = [
        client.answer_in(client.ask_daemon(address, client.pack(client.REQUEST, fields | more, write_event()), 3))
        for more in asked
    ]
    assert [bool(reply) for reply in replies] == [True, False, False]


def test_a_changed_program_is_never_answered_by_the_old_one(machine):
    hook = machine()
    pid = hook.warm()
    app = hook.package / "app.py"
    app.write_text(app.read_text().replace("too complex", "far too complex"))
    assert hook.ask(write_event())[2] == b"far too complex\n"
    assert wait_for(lambda: gone(pid))


def test_a_new_file_or_a_changed_client_is_a_new_build(machine):
    hook = machine()
    pid = hook.warm()
    before = hook.address()
    (hook.package / "client.py").touch()
    assert hook.address() != before
    assert hook.ask(write_event())[0] == 2
    assert wait_for(lambda: gone(pid)), "nobody has to ask it first"
    second = int(wait_for(hook.status)["pid"])
    (hook.package / "checks" / "new.py").touch()
    assert wait_for(lambda: gone(second))


def test_a_program_that_changes_during_a_request_gives_no_reply(machine):
    hook = machine(f"if 'upgrade' in text and {IN_DAEMON}: open(__file__ + '.new', 'w').close(); return Reply(0)")
    pid = hook.warm()
    assert hook.ask(write_event("upgrade bad"))[0] == 2
    assert wait_for(lambda: gone(pid))


def test_asked_to_end_it_finishes_what_it_is_doing(machine):
    hook = machine(f"while 'wait' in text and {IN_DAEMON} and not os.path.exists(text.split()[1]): time.sleep(0.02)")
    pid = hook.warm()
    name = Path(hook.address()).name
    go = hook.home / "go"
    process = hook.start("--deadline", "15")
    process.stdin.write(write_event(f"wait {go} bad"))
    process.stdin.close()
    wait_for(lambda: hook.status()["busy"] == "1")
    os.kill(pid, signal.SIGTERM)
    wait_for(lambda: hook.status() is None or None)
    go.touch()
    with process:
        assert process.wait(timeout=20) == 2
    assert wait_for(lambda: gone(pid))
    left = {path.name for path in hook.runtime.iterdir() if not path.name.startswith(SLOT)}
    assert left == {f"{name}.lock"}, "nothing is left but locks"


def test_a_project_that_wants_none_gets_none(machine):
    hook = machine()
    (hook.project / "vetgate.yaml").write_text("daemon: off\n")
    assert hook.ask(write_event())[0] == 2
    assert hook.daemons() == []


def test_a_project_that_wants_none_any_more_loses_it(machine):
    hook = machine()
    (hook.project / "vetgate.yaml").write_text("daemon: auto\n")
    pid = hook.warm()
    (hook.project / "vetgate.yaml").write_text("daemon: off\n")
    assert hook.ask(write_event())[0] == 2
    assert wait_for(lambda: gone(pid))


def test_two_projects_have_two_daemons(machine):
    hook = machine()
    other = hook.home / "other"
    (other / "deep" / "er").mkdir(parents=True)
    (other / ".git").mkdir()
    assert hook.address() != hook.address(other)
    assert hook.address(other) == hook.address(other / "deep" / "er")


def run_cli(hook: Hook, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **hook.environment,
        "VETGATE_STATE_DIR": str(hook.state),
        "VETGATE_RUNTIME_DIR": str(hook.runtime),
    }
    code = (
        f"import sys; sys.path.append({str(hook.package.parent)!r}); import site; site.main()\n"
        "from vetgate.cli.main import main; main()"
    )
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, *arguments],
        cwd=hook.project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )


def test_the_command_line_sees_it_and_stops_it(machine):
    hook = machine()
    assert json.loads(run_cli(hook, "daemon", "status", "--format", "json").stdout)["running"] is False
    assert "not running" in run_cli(hook, "daemon", "stop").stdout
    pid = hook.warm()
    told = json.loads(run_cli(hook, "daemon", "status", "--format", "json").stdout)
    assert (told["running"], told["pid"], told["build_matches"]) == (True, pid, True)
    assert told["memory_mb"] > 1
    assert f"pid {pid}" in run_cli(hook, "daemon", "status").stdout
    assert run_cli(hook, "daemon", "stop").stdout == "stopped\n"
    assert wait_for(lambda: gone(pid))


def test_one_that_was_stopped_is_said_not_to_answer(machine):
    hook = machine()
    pid = hook.warm()
    os.kill(pid, signal.SIGSTOP)
    try:
        assert "does not answer" in run_cli(hook, "daemon", "status").stdout
        assert "does not answer" in run_cli(hook, "daemon", "stop").stdout
    finally:
        os.kill(pid, signal.SIGCONT)


def test_one_thing_is_not_called_several(machine):
    hook = machine()
    hook.warm()
    hook.ask(write_event("fine"))
    told = run_cli(hook, "daemon", "status").stdout
    assert "1 session," in told
    assert ", 1 request\n" in told
    assert "0 requests in progress" in told


def test_however_the_interpreter_and_the_package_are_spelled_it_is_the_same_daemon(tmp_path):
    package = copy_package(tmp_path / "lib")
    (tmp_path / "linked").symlink_to(package.parent)
    real = Path(sys.executable).resolve()
    names = [tmp_path / name for name in ("venv/bin/python", "venv/bin/python3.11", "other/bin/python")]
    for name in names:
        name.parent.mkdir(parents=True, exist_ok=True)
        name.symlink_to(real)

    def socket_name(python: Path, library: Path) -> str:
        code = f"import sys; sys.path.append({str(library)!r}); from vetgate import client"
        words = [str(python), "-I", "-S", "-c", f"{code}; print(client.socket_name('/project', '/state'))"]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    wanted = socket_name(names[0], package.parent)
    assert socket_name(names[1], package.parent) == wanted
    assert socket_name(names[0], tmp_path / "linked") == wanted
    assert socket_name(names[2], package.parent) != wanted


def test_the_command_line_answers_a_hook_as_the_client_does(machine):
    hook = machine()
    code = (
        f"import sys; sys.path.append({str(hook.package.parent)!r}); import site; site.main()\n"
        "from vetgate.cli.main import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, "hook", "--agent", "claude-code"],
        input=write_event(),
        cwd=hook.project,
        env={**hook.environment, "VETGATE_DAEMON": "off"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == hook.ask(write_event())


def test_its_socket_is_for_its_owner_alone(machine):
    hook = machine()
    hook.warm()
    assert Path(hook.address()).stat().st_mode & 0o177 == 0
    assert hook.runtime.stat().st_mode & 0o777 == 0o700


def test_it_waits_long_for_a_session_and_shortly_after_the_last():
    health = ProcessHealth()
    assert IDLE - 1 < health.alone_in() <= IDLE
    health.saw("one", ended=False)
    health.saw("two", ended=False)
    health.saw("one", ended=True)
    assert health.alone_in() > AFTER_LAST_SESSION
    health.saw("two", ended=True)
    assert health.alone_in() <= AFTER_LAST_SESSION
    health.last = time.monotonic() - AFTER_LAST_SESSION
    assert health.lonely()


@pytest.mark.parametrize(
    ("payload", "session"),
    [
        (write_event(session="a"), ("a", False)),
        (write_event(session="a", event="SessionEnd"), ("a", True)),
        (b"[]", None),
        (b"{}", None),
        (b"{", None),
    ],
)
def test_the_session_of_an_event(payload, session):
    assert wire.session_of(payload) == session


MB = 1 << 20


@pytest.mark.parametrize(
    ("lean", "idle", "makes_way"),
    [
        (100 * MB, 0, False),
        (100 * MB, DOZES_AFTER, False),
        (150 * MB, 0, False),
        (150 * MB, DOZES_AFTER, True),
        (181 * MB, 0, True),
    ],
    ids=["small", "small at rest", "at work", "much for one that nobody asks", "too big"],
)
def test_it_makes_way_when_it_has_grown(lean, idle, makes_way):
    health = ProcessHealth(lean=lean)
    health.last -= idle
    assert health.is_overgrown is makes_way


def test_garbage_is_taken_out_when_there_is_more_and_once_when_nobody_asks(monkeypatch):
    health = ProcessHealth()
    health.tidy()
    assert not health.is_untidy
    monkeypatch.setattr("vetgate.daemon.health.memory", lambda: health.lean + SUDDEN + 1)
    assert health.is_untidy
    monkeypatch.undo()
    health.last = time.monotonic() - RESTS_AFTER
    assert not health.is_untidy, "it is tidy since the last call"
    health.tidied = health.last - 1
    assert health.is_untidy
    health.tidy()
    assert not health.is_untidy
    health.requests += AT_LAST
    assert health.is_untidy
    assert health.is_overdue


ALONE = f"if not {IN_DAEMON}: open(self.state_dir.parent / 'alone', 'w').close()"


def test_one_that_has_grown_makes_way_and_no_call_notices(machine):
    hook = machine(f"if 'grow' in text: globals()['kept'] = bytes(200 << 20) + b'x'\n{ALONE}")
    first = hook.warm()
    (hook.home / "alone").unlink()
    assert hook.ask(write_event("bad grow"))[0] == 2
    for _ in wait_for_change(hook, first):
        assert hook.ask(write_event("bad"))[0] == 2
    assert int(hook.status()["pid"]) != first
    wait_for(lambda: gone(first))
    assert hook.daemons() == [int(hook.status()["pid"])]
    assert hook.ask(write_event("bad"))[0] == 2
    assert not (hook.home / "alone").exists(), "somebody had to do without a daemon"


def wait_for_change(hook: Hook, pid: int) -> Iterator[None]:
    """Again and again, until another process answers."""
    until = time.monotonic() + 40
    while int((hook.status() or {"pid": "0"})["pid"]) == pid:
        assert time.monotonic() < until, "nobody took over"
        yield


def test_where_no_successor_comes_it_goes_on(machine):
    hook = machine("if 'grow' in text: globals()['kept'] = bytes(200 << 20) + b'x'")
    first = hook.warm()
    assert hook.ask(write_event("bad grow"))[0] == 2
    successor = wait_for(lambda: [pid for pid in hook.daemons() if pid != first])[0]
    os.kill(successor, signal.SIGKILL)
    wait_for(lambda: gone(successor))
    assert hook.ask(write_event("bad"))[0] == 2
    assert int(hook.status()["pid"]) == first
    assert hook.daemons() == [first]


def test_what_a_daemon_did_not_survive_is_remembered_for_a_while(tmp_path):
    first = Poison(tmp_path / "flight")
    first.begin("killer")
    first.begin("old")
    first.begin("done")
    first.end("done")
    long_ago = time.time() - REMEMBERED - 1
    os.utime(tmp_path / "flight" / "old", (long_ago, long_ago))
    second = Poison(tmp_path / "flight")
    assert [second.holds(name) for name in ("killer", "old", "done")] == [True, False, False]


MOUNTS = [
    ("/", "ext4"),
    ("/home", "nfs4"),
    ("/home/me/local", "xfs"),
    ("/mnt/a b", "cifs"),
    ("/x", "ext4"),
    ("/x", "9p"),
]


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("/tmp/x", "ext4"),
        ("/home/me/.cache", "nfs4"),
        ("/home/me/local/x", "xfs"),
        ("/homework", "ext4"),
        ("/mnt/a b/c", "cifs"),
        ("/home", "nfs4"),
        ("/x/y", "9p"),
    ],
)
def test_the_file_system_of_a_place(place, kind):
    assert runtime.kind_of(place, MOUNTS) == kind


def test_a_folder_of_this_machine_is_not_remote(tmp_path):
    assert runtime.is_remote(str(tmp_path)) is False
