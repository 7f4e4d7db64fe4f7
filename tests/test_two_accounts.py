"""The agent under an account of its own, the gate and its store under the person's: two real users."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import signal
import socket
import subprocess

import pytest

from fixtures import BAD, GOOD, wait_for
from two_users import THEM as AGENT
from two_users import US as PERSON
from two_users import folder, installation, open_ground, python_for_all
from vetgate import client

pytestmark = pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root can act as two accounts")
STRANGER = 65503
SHARED = 65500  # the group of both
SECONDS = 60
RUN = (
    "import vetgate.config.person as person; person.PROGRAMS, person.SCRIPTED = {}, frozenset(); "
    "from vetgate.cli.main import main; main()"
)


class SharedMachine:
    """One installation for all, a project of the person's that the agent's group may write to, and a gate."""

    def __init__(self, top):
        self.top = top
        self.python = installation(top) / "bin" / "python"
        self.homes = {uid: folder(top / f"home-{uid}", uid, 0o700) for uid in (PERSON, AGENT, STRANGER)}
        self.state = self.homes[PERSON] / ".local" / "state" / "vetgate"
        self.shared = folder(top / "gate", PERSON)
        self.root = folder(top / "project", PERSON, 0o2775, gid=SHARED)
        for uid in (PERSON, AGENT):
            config = self.homes[uid] / ".gitconfig"
            config.write_text(f"[user]\nname = {uid}\nemail = u@example.org\n[safe]\ndirectory = {self.root}\n")
        self.ok(PERSON, "git", "init", "-q", "-b", "main", "--shared=group")
        (self.root / "app.py").write_text(GOOD)
        self.vetgate(PERSON, "init", "--yes", "--git")
        self.ok(PERSON, "git", "add", "-A")
        self.ok(PERSON, "git", "commit", "-q", "-m", "start")
        self.gate = None

    def start(self):
        (self.shared / client.SHARED).unlink(missing_ok=True)  # of one that was killed; the next takes its place
        with (self.top / "said").open("wb") as said:
            self.gate = subprocess.Popen(
                [self.python, "-c", RUN, "daemon", "serve", "--for", str(AGENT), "--folder", str(self.shared)],
                stdout=said,
                stderr=said,
                **self._as(PERSON),
            )

        def served():
            assert self.gate.poll() is None, (self.top / "said").read_text()
            return (self.shared / client.SHARED).exists()

        wait_for(served)

    def end(self):
        if self.gate is not None:
            self.gate.terminate()
            self.gate.wait(SECONDS)
            self.gate = None

    def _as(self, uid):
        groups = {PERSON, AGENT} & {uid}
        return {
            "user": uid,
            "group": uid,
            "extra_groups": [SHARED] if groups else [],
            "cwd": self.root,
            "env": {"HOME": str(self.homes[uid]), "PATH": "/usr/bin:/bin"},
        }

    def run(self, uid, *words, stdin=b"", **env):
        given = self._as(uid)
        given["env"] |= env
        return subprocess.run(words, input=stdin, capture_output=True, check=False, timeout=SECONDS, **given)

    def ok(self, uid, *words, **env):
        done = self.run(uid, *words, **env)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.decode()

    def vetgate(self, uid, *words, **env):
        return self.run(uid, self.python, "-c", RUN, *words, **env)

    def hook(self, uid=AGENT, event="PreToolUse", **more):
        """As registered: by the launcher's own path."""
        body = {"session_id": "s", "cwd": str(self.root), "hook_event_name": event, **more}
        command = shlex.quote(str(self.shared / "vetgate-hook"))
        done = self.run(uid, "sh", "-c", command, stdin=json.dumps(body).encode())
        return done.returncode, (done.stdout + done.stderr).decode()

    def write(self, name, content, uid=AGENT):
        return self.hook(uid, tool_name="Write", tool_input={"file_path": str(self.root / name), "content": content})

    def bash(self, command):
        return self.hook(tool_name="Bash", tool_input={"command": command})


@pytest.fixture(scope="module")
def kept():
    if not python_for_all():
        pytest.skip("no interpreter that other accounts may run")
    with open_ground() as top:
        made = SharedMachine(top)
        yield made
        made.end()


@pytest.fixture
def machine(kept):
    if kept.gate is None or kept.gate.poll() is not None:
        kept.start()
    return kept


def digest_of(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_the_gate_of_the_person_judges_what_the_agent_writes(machine):
    assert machine.write("a.py", GOOD) == (0, "")
    status, said = machine.write("a.py", BAD)
    assert status == 2
    assert "busy" in said
    assert machine.bash("git commit --no-verify -m x")[0] == 2
    assert machine.bash("git status")[0] == 0
    log = machine.vetgate(PERSON, "log").stdout.decode()
    assert "a.py" in log, "the decision stands in the person's store"
    assert not (machine.homes[AGENT] / ".local").exists(), "and nothing in the agent's"


def test_the_agent_can_neither_read_nor_write_the_store(machine):
    for command in (
        f"ls {machine.state}",
        f"cat {machine.state}/projects/*/store.db",
        f"touch {machine.state}/x",
        f"rm -rf {machine.state}",
        f"rm {machine.shared}/gate",
        f"mv {machine.shared} {machine.top}/elsewhere",
        f"echo x > {machine.shared}/vetgate-hook",
        f"ln -sf /tmp {machine.shared}/gate",
    ):
        assert machine.run(AGENT, "sh", "-c", command).returncode != 0, command
    assert machine.write("a.py", BAD)[0] == 2


def test_the_agent_cannot_end_the_gate(machine):
    (pid,) = [machine.gate.pid]
    assert machine.run(AGENT, "kill", "-9", str(pid)).returncode != 0
    code = (
        f"import sys; sys.path.append({str(machine.python.parent.parent)!r})\nfrom vetgate import client\n"
        f"print(client.ask_daemon({str(machine.shared / 'gate')!r}, client.pack(client.STOP, {{}}), 2, owner={PERSON}))"
    )
    assert b"'pid'" in machine.run(AGENT, machine.python, "-c", code).stdout, "it is answered"
    assert machine.write("a.py", GOOD) == (0, "")
    assert machine.gate.poll() is None, "and stays"


def test_the_agent_cannot_accept_anything_in_the_persons_name(machine):
    config = machine.root / "vetgate.yaml"
    before = config.read_text()
    config.write_text(before + "complexity: {cyclomatic: 90, cognitive: 90}\n")
    try:
        done = machine.vetgate(AGENT, "trust", "--digest", digest_of(config), VETGATE_STATE_DIR=str(machine.state))
        assert done.returncode != 0, done.stdout
        machine.vetgate(AGENT, "trust", "--digest", digest_of(config))  # in a store of its own, which nobody asks
        assert machine.write("a.py", BAD)[0] == 2
    finally:
        config.write_text(before)


def test_a_stranger_is_not_answered(machine):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(machine.shared / "gate"))  # as root, who is no guest either
        connection.settimeout(10)
        assert connection.recv(10) == b"", "it hangs up before anything is said"
    status, said = machine.write("a.py", GOOD, uid=STRANGER)
    assert status == 2
    assert "does not answer" in said


def test_commands_of_the_project_do_not_run_with_the_persons_rights(machine):
    config = machine.root / "vetgate.yaml"
    before = config.read_text()
    config.write_text(before + "gates: {run: {command: 'id -u > ran'}}\non: {stop: [run]}\n")
    try:
        done = machine.vetgate(PERSON, "trust", "--digest", digest_of(config))
        assert done.returncode == 0, done.stderr
        _, said = machine.hook(event="SessionStart", source="startup")
        assert "commands of this project do not run" in said
        (machine.root / "b.py").write_text("b = 1\n")
        machine.hook(event="Stop", stop_hook_active=False)
        assert not (machine.root / "ran").exists()
    finally:
        config.write_text(before)
        machine.vetgate(PERSON, "trust", "--digest", digest_of(config))
        (machine.root / "b.py").unlink()


def gone(machine):
    machine.end()


def killed(machine):
    machine.gate.send_signal(signal.SIGKILL)
    machine.gate.wait(SECONDS)


def squatted(machine):
    """Only root can put it there; whoever holds the name, their account is not the person's."""
    machine.end()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(machine.shared / "gate"))
    (machine.shared / "gate").chmod(0o666)
    listener.listen()
    return listener


def in_a_folder_that_others_write_to(machine):
    machine.shared.chmod(0o777)


@pytest.mark.parametrize("how", [gone, killed, squatted, in_a_folder_that_others_write_to])
def test_without_the_gate_nothing_but_reading_passes(machine, how):
    kept = how(machine)
    try:
        for status, said in (machine.write("a.py", GOOD), machine.bash("make"), machine.write(".env", "A=1\n")):
            assert status == 2
            assert f"the gate that uid {PERSON} runs does not answer" in said
            assert "vetgate daemon serve" in said
        assert machine.hook(tool_name="Read", tool_input={"file_path": "/etc/hosts"}) == (0, "")
        status, said = machine.hook(event="Stop", stop_hook_active=False)
        assert (status, "checked nothing" in said) == (0, True)
    finally:
        machine.shared.chmod(0o755)
        if kept is not None:
            kept.close()
            (machine.shared / "gate").unlink()


def test_no_variable_leads_the_hook_elsewhere(machine):
    body = {"session_id": "s", "cwd": str(machine.root), "hook_event_name": "PreToolUse", "tool_name": "Write"}
    body["tool_input"] = {"file_path": str(machine.root / "a.py"), "content": BAD}
    done = machine.run(
        AGENT,
        str(machine.shared / "vetgate-hook"),
        stdin=json.dumps(body).encode(),
        VETGATE_DAEMON="off",
        VETGATE_STATE_DIR="/tmp",
        VETGATE_RUNTIME_DIR="/tmp",
        HOME="/tmp",
        PYTHONPATH="/tmp",
    )
    assert done.returncode == 2
    assert b"busy" in done.stderr


def test_a_commit_of_the_agent_is_judged_by_the_agents_own_process(machine):
    (machine.root / "bad.py").write_text(BAD)
    try:
        machine.ok(AGENT, "git", "add", "bad.py")
        done = machine.run(AGENT, "git", "commit", "-q", "-m", "bad")
        assert done.returncode != 0
        assert b"busy" in done.stderr
    finally:
        machine.ok(PERSON, "git", "rm", "-q", "-f", "--cached", "bad.py")
        (machine.root / "bad.py").unlink()


def test_the_settings_name_the_launcher_of_the_person(machine):
    told = json.loads(machine.vetgate(PERSON, "daemon", "settings", "--folder", str(machine.shared)).stdout)
    assert told["allowManagedHooksOnly"] is True
    assert told["hooks"]["PreToolUse"][0]["hooks"][0]["command"] == str(machine.shared / "vetgate-hook")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--for", "nobody-of-this-name", "--folder", "{shared}"], "there is no account"),
        (["--for", str(PERSON), "--folder", "{shared}"], "is you"),
        (["--for", str(AGENT), "--folder", "{project}"], "is not ours alone"),
    ],
)
def test_serve_refuses_what_cannot_hold(kept, words, says):
    given = [word.format(shared=kept.shared, project=kept.root) for word in words]
    done = kept.vetgate(PERSON, "daemon", "serve", *given)
    assert done.returncode == 3
    assert says in done.stderr.decode()
