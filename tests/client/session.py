"""One headless session of the real Claude Code client, offline, with a scripted model and a home of its own."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .model_server import Model, Server

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

REPOSITORY = Path(__file__).parents[2]
CLIENT = REPOSITORY / ".cache/claude/claude_agent_sdk/_bundled/claude"
LOOPBACK = Path(__file__).with_name("loopback.py")
PLATFORMS = {("Linux", "x86_64"), ("Linux", "aarch64"), ("Darwin", "arm64"), ("Darwin", "x86_64")}
SECONDS = 60


@dataclass(frozen=True)
class Machine:
    """A person's machine in a folder: home, temporary files, and a git repository to work in."""

    path: Path

    @property
    def home(self) -> Path:
        return self.path / "home"

    @property
    def project(self) -> Path:
        return self.path / "project"

    @property
    def user_settings(self) -> Path:
        return self.home / ".claude/settings.json"

    @property
    def environment(self) -> dict[str, str]:
        """All that a process started by this person sees; nothing of ours leaks in."""
        return {
            "HOME": str(self.home),
            "TMPDIR": str(self.path / "tmp"),
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "USER": "dev",
            "GIT_CONFIG_NOSYSTEM": "1",
        }

    @classmethod
    def create(cls, path: Path) -> Machine:
        made = cls(path)
        for folder in (made.home / ".claude", made.project, path / "tmp"):
            folder.mkdir(parents=True)
        (made.home / ".gitconfig").write_text("[user]\n\tname = Dev\n\temail = dev@example.invalid\n")
        made.git("init", "--quiet", "--initial-branch=main")
        made.git("commit", "--quiet", "--no-verify", "--allow-empty", "--message=Start")
        return made

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.project, env=self.environment, check=True)

    def commit(self, name: str, text: str) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.git("add", name)
        self.git("commit", "--quiet", "--no-verify", f"--message=Add {name}")
        return path

    def transcripts(self) -> list[Path]:
        return sorted((self.home / ".claude/projects").rglob("*.jsonl"))


@dataclass(frozen=True)
class ClientSession:
    """What the client said about a session that is over."""

    model: Model
    status: int
    stderr: str
    events: list[dict[str, Any]] = field(repr=False)

    @property
    def outcome(self) -> dict[str, Any]:
        return next(event for event in self.events if event["type"] == "result")

    def hooks(self, event: str) -> list[dict[str, Any]]:
        """How each hook of this event ended."""
        return [
            said
            for said in self.events
            if said.get("subtype") == "hook_response" and said["hook_name"].partition(":")[0] == event
        ]


@dataclass(frozen=True)
class Options:
    mode: str = "acceptEdits"
    folder: str = "."
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


def run(home: Machine, model: Model, options: Options | None = None, prompt: str = "") -> ClientSession:
    """Run one prompt, or else the name of the model's first conversation, to its end."""
    options = options or Options()
    ours, theirs = socket.socketpair()
    said, complained = home.path / "stdout", home.path / "stderr"
    # Files instead of pipes: a process that outlives the session and holds them must not hold the test.
    with ours, theirs, said.open("wb") as stdout, complained.open("wb") as stderr:
        process = subprocess.Popen(
            [*_isolated(theirs), *_client(prompt or next(iter(model.script)), options)],
            cwd=home.project / options.folder,
            env=_environment(home, options),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        theirs.close()
        with _ended(process), Server(model, _listener(ours, complained)):
            status = process.wait(SECONDS)
    return ClientSession(model, status, complained.read_text(), _events(said.read_text()))


def client_binary() -> Path:
    """The client that `make setup` installed; its absence is a failure, not a skip, wherever one is published."""
    if CLIENT.exists():
        return CLIENT
    is_published = (platform.system(), platform.machine()) in PLATFORMS
    if not is_published or (sys.platform == "linux" and platform.libc_ver()[0] != "glibc"):
        pytest.skip(f"no Claude Code client is published for {platform.system()} {platform.machine()}")
    pytest.fail(f"the Claude Code client is not at {CLIENT}; run `make setup`", pytrace=False)


def _client(prompt: str, options: Options) -> list[str]:
    output = ("--output-format", "stream-json", "--verbose", "--include-hook-events")
    return [str(client_binary()), "-p", prompt, *output, "--permission-mode", options.mode, *options.arguments]


def _environment(home: Machine, options: Options) -> dict[str, str]:
    return {
        **home.environment,
        "ANTHROPIC_API_KEY": "not-a-key",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_RETRIES": "0",
        "IS_SANDBOX": "1",
        **options.environment,
    }


def _isolated(parent: socket.socket) -> list[str]:
    return [*only_loopback(), sys.executable, "-I", "-S", str(LOOPBACK), str(parent.fileno())]


@functools.cache
def only_loopback() -> tuple[str, ...]:
    """A prefix that leaves a process nothing but loopback; empty where the kernel does not let us.

    The user keeps their own number inside: the socket of the daemon is named after it.
    """
    prefix = ("unshare", "--map-current-user", "--keep-caps", "--net")
    if shutil.which(prefix[0]) is None:
        return ()
    probe = [*prefix, sys.executable, "-I", "-S", "-c", "import socket; print(socket.if_nameindex())"]
    seen = subprocess.run(probe, capture_output=True, text=True, check=False)
    return prefix if seen.returncode == 0 and "'lo'" in seen.stdout else ()


def _listener(ours: socket.socket, complained: Path) -> socket.socket:
    ours.settimeout(SECONDS)
    message, descriptors, _, _ = socket.recv_fds(ours, 16, 1)
    assert message, f"the session did not start: {complained.read_text()}"
    return socket.socket(fileno=descriptors[0])


@contextlib.contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]
