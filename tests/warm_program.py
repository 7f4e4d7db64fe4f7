"""`vetgate` as a person runs it, without the wait for its imports: each call is a fork of a process that made them."""

from __future__ import annotations

import atexit
import functools
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# Whoever runs these tests may do so below an agent; what is under test then is everything but that refusal.
_AS_A_PERSON = """
import vetgate.config.person as person
person.PROGRAMS, person.MARKERS_ABOVE, person.SCRIPTED = {}, {}, frozenset()
from vetgate.cli.main import main
"""
RUN = f"{_AS_A_PERSON}main()\n"
# What an interpreter reads of the environment when it starts.
_READ_AT_START = ("PYTHON", "LC_", "MALLOC")

# Waits for calls and forks for each: a process that waits and tells the status, and below it the one that runs `main`.
_SERVE = """
import gc, json, os, pkgutil, signal, socket, sys, tempfile
from importlib import import_module

import vetgate.app, vetgate.cli
for each in pkgutil.iter_modules(vetgate.cli.__path__):
    if each.name != "mcp":
        import_module(f"vetgate.cli.{each.name}")
coerced = {name: os.environ[name] for name in os.environ if name.startswith("LC_")}
gc.collect()
gc.freeze()

def serve():
    calls = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        text, (out, error, status), *_ = received(calls)
        if os.fork() == 0:
            calls.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            child = os.fork()
            if child == 0:
                os.close(status)
                become(json.loads(text), out, error)
                return
            os.close(out)
            os.close(error)
            os.write(status, b"%d\\n" % child)
            os.write(status, b"%d\\n" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            os._exit(0)
        for each in (out, error, status):
            os.close(each)

def received(calls):
    text, handles = b"", []
    while not text.endswith(b"\\n"):
        more, found, *_ = socket.recv_fds(calls, 65536, 3)
        if not more:
            os._exit(0)
        text += more
        handles += found
    return text, handles

def become(call, out, error):
    os.chdir(call["cwd"])
    os.environ.clear()
    os.environ.update(coerced | call["env"])
    tempfile.tempdir = None
    sys.argv = ["-c", *call["words"]]
    for handle, place in ((out, 1), (error, 2)):
        os.dup2(handle, place)
        os.close(handle)

serve()
main()
"""


class _Server:
    def __init__(self) -> None:
        self._calls, theirs = socket.socketpair()
        self._one_at_a_time = threading.Lock()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _AS_A_PERSON + _SERVE, str(theirs.fileno())],
                env={"PATH": os.environ["PATH"]},
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                cwd="/",
            )

    def end(self) -> None:
        self._calls.close()
        self._process.wait()

    def run(self, words: tuple[str, ...], cwd: Path, env: Mapping[str, str], seconds: float) -> Any:
        call = json.dumps({"words": words, "cwd": str(cwd), "env": dict(env)}) + "\n"
        ends = [os.pipe() for _ in range(3)]
        try:
            with self._one_at_a_time:
                socket.send_fds(self._calls, [call.encode()], [write for _, write in ends])
        finally:
            for _, write in ends:
                os.close(write)
        try:
            out, error, status = _read([read for read, _ in ends], seconds)
        finally:
            for read, _ in ends:
                os.close(read)
        return subprocess.CompletedProcess(words, int(status.split()[1]), _text(out), _text(error))


def _read(handles: list[int], seconds: float) -> list[bytes]:
    """Until each is closed by all that hold it; the last of them names the process, should it not end."""
    until = time.monotonic() + seconds
    read = dict.fromkeys(handles, b"")
    with selectors.DefaultSelector() as waiting:
        for each in handles:
            waiting.register(each, selectors.EVENT_READ)
        while waiting.get_map():
            ready = waiting.select(max(0.0, until - time.monotonic()))
            if not ready:
                os.kill(int(read[handles[-1]].split()[0]), signal.SIGKILL)
                raise subprocess.TimeoutExpired("vetgate", seconds, *map(read.get, handles[:2]))
            for key, _ in ready:
                more = os.read(key.fd, 65536)
                read[key.fd] += more
                if not more:
                    waiting.unregister(key.fd)
    return list(read.values())


def _text(data: bytes) -> str:
    return data.decode().replace("\r\n", "\n").replace("\r", "\n")


@functools.cache
def _server() -> _Server:
    made = _Server()
    atexit.register(made.end)
    return made


def run_vetgate(*words: str, cwd: Path, env: Mapping[str, str], seconds: float) -> subprocess.CompletedProcess[str]:
    """In a process of its own, with nothing on standard input."""
    if not any(name.startswith(_READ_AT_START) for name in env):
        return _server().run(words, cwd, env, seconds)
    return subprocess.run(
        [sys.executable, "-c", RUN, *words],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=seconds,
        stdin=subprocess.DEVNULL,
        check=False,
    )
