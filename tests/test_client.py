"""The client: one right answer through the daemon, without it, and when everything around it breaks."""

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
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fixtures import wait_for
from hook_path import PACKAGE, Hook, copy_package, write_event
from vetgate import client

DENIED = b'"permissionDecision": "deny"'


@pytest.fixture
def home():
    """Short: a socket's path has little room."""
    folder = Path(tempfile.mkdtemp(prefix="vg"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def machine(home):
    """Build a Hook whose App runs the given lines first."""
    hooks = []

    def make(body: str = "", name: str = "m", package: Path | None = None) -> Hook:
        hook = Hook(home / name, package or copy_package(home / f"{name}-lib", body))
        hook.project.mkdir(parents=True)
        hooks.append(hook)
        return hook

    yield make
    for hook in hooks:
        hook.end()


EVENTS = {
    "a bad edit": write_event("bad"),
    "a good edit": write_event("good"),
    "a read": write_event("bad", tool="Read"),
    "the start of a session": write_event("", event="SessionStart"),
    "what is no event": b"{",
    "nothing": b"",
    "an event that is not text": b"\xff\xfe\x00",
}


def test_the_answer_is_the_same_with_a_daemon_without_one_and_with_one_that_hangs(machine):
    hook = machine()
    hook.daemon = "off"
    without = {name: hook.ask(payload) for name, payload in EVENTS.items()}
    assert hook.daemons() == []
    hook.daemon = "auto"
    pid = hook.warm()
    warm = {name: hook.ask(payload) for name, payload in EVENTS.items()}
    assert int(hook.status()["requests"]) >= len(EVENTS), "the daemon was asked"
    os.kill(pid, signal.SIGSTOP)
    hung = {name: hook.ask(payload) for name, payload in EVENTS.items()}
    assert hook.daemons() == [pid], "a daemon that hangs brings no second one"
    assert without == warm == hung
    assert without["a bad edit"][0] == 2
    assert DENIED in without["a bad edit"][1]
    assert without["a good edit"] == (0, b"", b"")
    assert without["what is no event"][:2] == (2, b"")


COMPLEX = "function f(a: number) {\n" + "".join(f"  if (a === {n}) {{ a += {n}; }}\n" for n in range(20)) + "}\n"


def test_the_real_program_answers_the_same_in_all_three_ways(machine, home):
    project = home / "repo"
    (project / ".git").mkdir(parents=True)
    payload = json.loads(write_event(COMPLEX))
    payload["tool_input"]["file_path"] = str(project / "a.ts")
    payload["cwd"] = str(project)
    event = json.dumps(payload).encode()
    answers = []
    for mode in ("off", "auto", "hung"):
        hook = machine(name=mode, package=PACKAGE)
        hook.daemon = "off" if mode == "off" else "auto"
        if mode != "off":
            hook.ask(write_event(""), cwd=project)
            pid = int(wait_for(lambda hook=hook: hook.status(project))["pid"])
        if mode == "hung":
            os.kill(pid, signal.SIGSTOP)
        answers.append(hook.ask(event, cwd=project))
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][0] == 2
    assert b"cyclomatic" in answers[0][2]


HEAVY = (
    *("os", "hashlib", "_blake2"),
    *("json", "argparse", "re", "typing", "enum", "dataclasses", "socket", "select", "selectors", "subprocess"),
    *("signal", "pathlib", "site", "struct", "__future__"),
    *("vetgate.fallback", "vetgate.core", "vetgate.runtime", "vetgate.failure"),
)


def test_a_warm_call_imports_next_to_nothing(machine):
    hook = machine()
    hook.warm()
    hook.is_quick = False
    command = hook.command()
    command[1:1] = ["-X", "importtime"]
    done = subprocess.run(
        command, input=write_event(), cwd=hook.project, env=hook.environment, capture_output=True, check=False
    )
    imported = {line.rpartition(b"|")[2].strip().decode() for line in done.stderr.splitlines() if b"|" in line}
    assert done.returncode == 2
    assert "_socket" in imported  # it was asked
    assert not imported & set(HEAVY)


class Pretender:
    """A server on the daemon's address that says what it is told to say."""

    def __init__(self, address: str, says: bytes) -> None:
        self.asked = 0
        self._says = says
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(address)
        self._listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.asked += 1
            with connection:
                connection.recv(1 << 20)
                connection.sendall(self._says)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


def frame(fields: dict[str, str], body: bytes = b"") -> bytes:
    return client.ACK + client.pack(client.REPLY, fields, body)


ALLOW = b'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'
GARBAGE = {
    "nothing": b"",
    "a refusal": b"-",
    "an acknowledgement and no reply": client.ACK,
    "text": client.ACK + b"HTTP/1.1 200 OK\r\n\r\n" * 10,
    "another version": client.ACK + b"VG\x09R" + bytes(8),
    "an endless length": client.ACK + client.MAGIC + b"R" + b"\xff" * 8,
    "half a frame": frame({"status": "0", "stdout": "0"})[:-3],
    "no status": frame({"stdout": "0"}),
    "a status that means nothing": frame({"status": "1", "stdout": "0"}),
    "a length that is no number": frame({"status": "0", "stdout": "-1"}),
    "more stdout than there is": frame({"status": "0", "stdout": "99"}, b"{}"),
    "stdout that is no object": frame({"status": "0", "stdout": "3"}, b"log"),
    "another kind": client.ACK + client.pack(client.REQUEST, {"status": "0", "stdout": "0"}),
}


@pytest.mark.parametrize("says", GARBAGE.values(), ids=GARBAGE)
def test_garbage_instead_of_a_reply_is_no_answer(says, machine):
    """A hook asks nobody but the daemon itself; this is what it would make of one that has gone wrong."""
    hook = machine()
    hook.runtime.mkdir(mode=0o700)
    pretender = Pretender(hook.address(), says)
    told = client.ask_daemon(hook.address(), client.pack(client.REQUEST, {}, write_event()), 2.0)
    pretender.close()
    assert pretender.asked == 1
    assert client.answer_in(told) is None


def _open_to_others(hook: Hook) -> None:
    hook.runtime.chmod(0o770)


def _a_link(hook: Hook) -> None:
    hook.runtime.rename(hook.home / "elsewhere")
    hook.runtime.symlink_to(hook.home / "elsewhere")


def _somebody_elses(hook: Hook) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a folder away")
    os.chown(hook.runtime, 65534, 65534)


@pytest.mark.parametrize("spoil", [_open_to_others, _a_link, _somebody_elses])
def test_a_runtime_folder_that_is_not_ours_alone_is_not_used(spoil, machine):
    hook = machine()
    hook.runtime.mkdir(mode=0o700)
    pretender = Pretender(hook.address(), frame({"status": "0", "stdout": str(len(ALLOW))}, ALLOW))
    spoil(hook)
    before = sorted(hook.runtime.iterdir())
    assert hook.ask(write_event())[0] == 2
    pretender.close()
    assert pretender.asked == 0
    assert sorted(hook.runtime.iterdir()) == before, "nothing of ours is written there"
    assert hook.daemons() == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can listen as somebody else")
def test_a_server_of_another_user_is_not_asked(machine):
    hook = machine()
    hook.runtime.mkdir(mode=0o700)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(hook.address())
    os.seteuid(65534)
    try:
        listener.listen()
    finally:
        os.seteuid(0)
    assert hook.ask(write_event())[0] == 2
    connection, _ = listener.accept()
    assert connection.recv(100) == b"", "the client left without a word"
    connection.close()
    listener.close()


def test_a_path_too_long_for_a_socket_is_done_without(machine, home):
    hook = machine(name="m" * 90)
    assert hook.address() == ""
    assert hook.ask(write_event())[0] == 2
    assert hook.daemons() == []


NOISE = """
print("print"); sys.__stdout__.write("original"); sys.__stdout__.flush(); os.write(1, b"descriptor")
import ctypes; libc = ctypes.CDLL(None); libc.puts(b"library"); libc.fflush(None)
os.system("echo child")
"""


@pytest.mark.parametrize("daemon", ["off", "auto"])
def test_nothing_that_prints_can_spoil_the_answer(daemon, machine):
    hook = machine(NOISE)
    hook.daemon = daemon
    if daemon == "auto":
        hook.warm()
    status, stdout, stderr = hook.ask(write_event())
    assert (status, stderr) == (2, b"too complex\n")
    assert list(json.loads(stdout)) == ["hookSpecificOutput"]


FAULTS = {
    "an exception": "raise RuntimeError('my secret')",
    "endless recursion": "def f(): f()\nf()",
    "no memory": "raise MemoryError",
    "an exit": "sys.exit(0)",
    "an interrupt": "raise KeyboardInterrupt",
    "an abrupt end": "os._exit(0)",
    "a crash": "os.abort()",
    "a status that means nothing": "return Reply(1)",
    "output that is no object": "return Reply(0, b'log line')",
    "an answer of another type": "return None",
}


@pytest.mark.parametrize("daemon", ["off", "auto"])
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_in_our_own_code_is_told_and_noted(fault, daemon, machine):
    body = "if 'fault' in text:\n" + "\n".join(f"    {line}" for line in fault.splitlines())
    hook = machine(body)
    hook.daemon = daemon
    if daemon == "auto":
        hook.warm()
    status, stdout, stderr = hook.ask(write_event("fault"))
    assert (status, stderr) == (0, b"")
    said = json.loads(stdout)
    assert list(said) == ["systemMessage"]
    assert "vetgate doctor" in said["systemMessage"]
    notes = [json.loads(note.read_bytes()) for note in (hook.state / "unverified").iterdir()]
    assert {(note["session"], note["path"]) for note in notes} == {("s1", "/repo/src/a.ts")}
    for path in hook.state.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0 or path.is_dir()
        assert path.is_dir() or b"my secret" not in path.read_bytes()


def test_a_bug_met_twice_is_one_report(machine):
    hook = machine("raise RuntimeError(text)")
    hook.daemon = "off"
    hook.ask(write_event("one"))
    hook.ask(write_event("two"))
    reports = list((hook.state / "reports").iterdir())
    assert len(reports) == 1
    assert "RuntimeError" in reports[0].read_text()


HANGS = {
    "a sleep": "time.sleep(60)",
    "a call into C that keeps the interpreter": "import ctypes; ctypes.PyDLL(None).sleep(60)",
    "a loop": "while True: pass",
    "a child deaf to signals": "import signal; signal.pthread_sigmask(0, range(1, 32)); time.sleep(60)",
}


@pytest.mark.parametrize("hang", HANGS.values(), ids=HANGS)
def test_at_the_deadline_the_last_tier_answers(hang, machine):
    hook = machine(hang)
    hook.daemon = "off"
    status, stdout, _ = hook.ask(write_event(), "--deadline", "1")
    assert status == 0
    assert "longer than" in json.loads(stdout)["systemMessage"]
    wait_for(lambda: not _children(hook))  # killed, and gone as soon as the system comes to it


def _children(hook: Hook) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes()
                if os.fsencode(hook.package.parent) in words and (entry / "stat").read_text().split()[2] != "Z":
                    found.append(entry.name)
            except OSError:
                continue
    return found


def test_a_daemon_that_takes_too_long_leaves_time_for_the_way_without_it(machine):
    hook = machine("if 'slow' in text and '--lock' in sys.argv: time.sleep(8)")
    hook.warm()
    assert hook.ask(write_event("slow bad"), "--deadline", "6")[0] == 2


def test_an_event_that_never_ends_is_answered(machine):
    hook = machine()
    process = hook.start("--deadline", "0.3")
    process.stdin.write(b'{"hook_event_name":')
    process.stdin.flush()
    assert process.wait(timeout=20) == 2
    assert process.stdout.read() == b""
    process.stdin.close()
    assert b"vetgate doctor" in process.stderr.read()
    process.stdout.close()
    process.stderr.close()


def test_an_event_beyond_the_limit_is_stopped(machine):
    hook = machine()
    status, stdout, stderr = hook.ask(write_event("x" * (33 << 20)))
    assert (status, stdout) == (2, b"")
    assert b"larger than 32 MiB" in stderr


def test_an_event_within_the_limit_goes_through_the_daemon(machine):
    hook = machine()
    hook.warm()
    assert hook.ask(write_event("bad" + "x" * (5 << 20)))[0] == 2
    assert hook.status()["requests"] == "1"


def test_the_environment_cannot_point_an_installed_hook_elsewhere(machine, home):
    hook = machine("raise RuntimeError")
    hook.extra = {"VETGATE_STATE_DIR": str(home / "s2"), "VETGATE_RUNTIME_DIR": str(home / "r2")}
    hook.ask(write_event())
    wait_for(hook.status)
    assert not (home / "s2").exists()
    assert not (home / "r2").exists()
    assert (hook.state / "reports").is_dir()


def test_nothing_in_the_project_or_the_environment_is_run(machine, home):
    hook = machine()
    evil = f"open({str(home / 'run-by-python')!r}, 'w').close()\n"
    for name in ("json.py", "site.py", "sitecustomize.py", "usercustomize.py", "subprocess.py", "vetgate.py"):
        (hook.project / name).write_text(evil)
    hook.extra = {
        "PYTHONPATH": str(hook.project),
        "PYTHONSTARTUP": str(hook.project / "json.py"),
        "PYTHONHOME": "/nowhere",
        "PYTHONINSPECT": "1",
    }
    assert hook.ask(write_event())[0] == 2
    wait_for(hook.status)
    assert hook.ask(write_event())[0] == 2
    assert not (home / "run-by-python").exists()


def test_a_session_s_secrets_stay_out_of_the_daemon(machine):
    hook = machine()
    hook.extra = {"ANTHROPIC_API_KEY": "sk-secret", "GIT_DIR": "/elsewhere"}
    pid = hook.warm()
    held = Path(f"/proc/{pid}/environ").read_bytes()
    assert b"sk-secret" not in held
    assert b"GIT_DIR" not in held


def test_the_client_runs_as_a_plain_script_too(machine):
    hook = machine()
    hook.daemon = "off"
    command = [sys.executable, "-I", "-S", str(hook.package / "client.py"), "--state", str(hook.state)]
    done = subprocess.run(
        command, input=write_event(), cwd=hook.project, env=hook.environment, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, b"too complex\n")


def test_a_folder_that_was_deleted_under_the_session(machine):
    hook = machine()
    gone = hook.home / "gone"
    gone.mkdir()
    command = ["sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", *hook.command()]
    done = subprocess.run(
        command, input=write_event(), cwd=gone, env=hook.environment, capture_output=True, check=False
    )
    assert done.returncode == 2


def test_no_home_and_nowhere_to_write(machine):
    hook = machine()
    command = [
        word for word in hook.command() if word not in {"--state", "--runtime", str(hook.state), str(hook.runtime)}
    ]
    done = subprocess.run(
        command, input=write_event(), cwd="/", env={"HOME": "relative"}, capture_output=True, check=False
    )
    assert done.returncode == 2


@pytest.fixture(scope="module")
def answering():
    home = Path(tempfile.mkdtemp(prefix="vg"))
    hook = Hook(home, copy_package(home / "lib"))
    hook.project.mkdir()
    hook.warm()
    yield hook
    hook.end()
    shutil.rmtree(home)


events = st.dictionaries(
    st.sampled_from(["session_id", "hook_event_name", "tool_name", "tool_input", "cwd", "x"]),
    st.none() | st.integers() | st.text() | st.sampled_from(["PreToolUse", "Write", "Stop"]) | st.lists(st.text()),
).map(lambda value: json.dumps(value).encode())


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(payload=st.binary(max_size=300) | events)
def test_whatever_arrives_the_answer_is_valid(payload, answering):
    status, stdout, stderr = answering.ask(payload)
    assert status in {0, 2}
    assert b"Traceback" not in stderr
    assert not stdout or isinstance(json.loads(stdout), dict)


@given(st.binary(max_size=64))
def test_a_frame_is_whole_or_nothing(raw):
    assert client.split(raw) is None or raw.startswith(client.MAGIC)


told = st.binary().map(lambda value: os.fsdecode(value.replace(b"\0", b"")))


@given(st.dictionaries(st.from_regex("[a-z]+", fullmatch=True), told, min_size=1), st.binary())
def test_a_frame_comes_back_as_it_went(fields, body):
    packed = client.pack(client.REQUEST, fields, body)
    assert client.split(packed) == (client.REQUEST, fields, body)
    assert client.split(packed[:-1]) is None
    assert client.split(packed + b"x") is None
