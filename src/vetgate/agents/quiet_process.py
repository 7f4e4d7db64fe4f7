"""Run a command as a coding agent runs its hooks: in a session of its own, no terminal, ended with all its children."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_GRACE = 1.0


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """How it went; `status` is None when it did not start or did not end in time."""

    status: int | None
    stdout: bytes
    stderr: bytes
    seconds: float
    timed_out: bool = False


def run_quietly(
    command: Sequence[str], stdin: bytes, *, cwd: str, env: Mapping[str, str], seconds: float
) -> ProcessResult:
    started = time.monotonic()
    try:
        process = subprocess.Popen(  # noqa: S603 - the caller names the program
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        return ProcessResult(None, b"", str(error).encode(), 0.0)
    try:
        stdout, stderr = process.communicate(stdin, timeout=seconds)
    except subprocess.TimeoutExpired:
        stdout, stderr = _end(process)
        return ProcessResult(None, stdout, stderr, time.monotonic() - started, timed_out=True)
    return ProcessResult(process.returncode, stdout, stderr, time.monotonic() - started)


def _end(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    try:
        return process.communicate(timeout=_GRACE)
    except subprocess.TimeoutExpired:  # a child that left the session still holds our pipes
        for pipe in (process.stdout, process.stderr):
            if pipe:
                pipe.close()
        return b"", b""
