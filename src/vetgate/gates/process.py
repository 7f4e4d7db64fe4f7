"""One command of the project, run so that it cannot outlive its time, fill the memory, or wait for somebody to type."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import subprocess
import threading
import time
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vetgate.gates.isolation import Account

KEPT_HEAD = 24 << 10
KEPT_TAIL = 40 << 10
KEPT_FAILING = 12 << 10
MOST_PRINTED = 64 << 20
# Looked for in megabytes: what of it is no failure is sorted out when it is shown.
_TELLS = re.compile(rb"FAIL|[Ee]rror\b|Exception\b|Traceback|\bpanicked\b|\bfatal\b|\bnot ok\b")
_LONGEST_LINE, _AHEAD = 400, 200
# Carried by every process of a run, so that one which left the group is found as well.
MARK = "VETGATE_RUN"
_POLL = 0.02
LOST = "vetgate ended before it did, and what it came to is lost"
_GRACE = 1.0
# What runs in this process now, with its mark; and what of it ended because we leave.
_running: dict[subprocess.Popen[bytes], str] = {}
_left: set[str] = set()
# Whoever sets the event wants nothing any more of what runs in its context, and of nothing else in this process.
CANCEL: ContextVar[threading.Event | None] = ContextVar("CANCEL", default=None)
CANCELLED = "it was cancelled"
# So that none is missed between its start and its being known; a signal may come to whoever holds it.
_starting = threading.RLock()


@dataclass(frozen=True, slots=True)
class CommandResult:
    """`status` is None when there is none: it did not start, or `was_ended`, and `cause` says why.

    It `is_missing` where a shell found no such program.
    """

    status: int | None
    output: bytes = b""
    seconds: float = 0.0
    cause: str = ""
    dropped: int = 0
    was_ended: bool = False
    is_missing: bool = False


class OutputBuffer:
    """The beginning and the end of what a process prints; of the middle of much, lines that tell of a failure."""

    def __init__(self) -> None:
        self.total = 0
        self.dropped = 0
        self._head = bytearray()
        self._tail = bytearray()
        self._failing = bytearray()
        self._lines = 0

    def add(self, data: bytes) -> None:
        self.total += len(data)
        room = KEPT_HEAD - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        if len(self._tail) > 2 * KEPT_TAIL:
            self._drop()

    def _drop(self) -> None:
        """All but the end, in whole lines where there are any."""
        most = len(self._tail) - KEPT_TAIL
        end = self._tail.rfind(b"\n", 0, most) + 1
        if not end and b"\n" in self._tail:
            return  # what is cut within a line may be half of a secret, which nobody knows again
        end = end or most
        gone = bytes(self._tail[:end])
        del self._tail[:end]
        self.dropped += len(gone)
        self._lines += gone.count(b"\n")
        at = 0
        while len(self._failing) < KEPT_FAILING and (found := _TELLS.search(gone, at)):
            begin = gone.rfind(b"\n", 0, found.start()) + 1
            at = gone.find(b"\n", found.end()) + 1 or len(gone)
            self._failing += _part(gone[begin:at].rstrip(b"\n"), found.start() - begin) + b"\n"

    def data(self) -> bytes:
        if len(self._tail) > KEPT_TAIL:
            self._drop()
        if not self.dropped:
            return bytes(self._head + self._tail)
        what = f"{self._lines} lines" if self._lines else f"{self.dropped} bytes"
        told = b"of which these may tell of a failure:\n" + self._failing if self._failing else b""
        head = bytes(self._head).rpartition(b"\n")[0] or bytes(self._head)
        return head + f"\n[... {what} ...]\n".encode() + told + bytes(self._tail)


def _part(line: bytes, at: int) -> bytes:
    """Of a long line what stands around a place, in whole words."""
    if len(line) <= _LONGEST_LINE:
        return line
    begin = max(0, at - _AHEAD)
    part = line[begin : begin + _LONGEST_LINE].rpartition(b" ")[0]
    return part.partition(b" ")[2] if begin else part


def run(
    argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], seconds: float, account: Account | None = None
) -> CommandResult:
    started = time.monotonic()
    cancel = CANCEL.get()
    if cancel is not None and cancel.is_set():
        return CommandResult(None, cause=CANCELLED)
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    try:
        with _starting:
            process = subprocess.Popen(  # noqa: S603 - what a person accepted in the project's configuration
                argv,
                cwd=cwd,
                env={**env, MARK: mark},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                **_as(account),
            )
            _running[process] = mark
    except (OSError, ValueError) as error:
        return CommandResult(None, cause=f"it could not be started: {getattr(error, 'strerror', None) or error}")
    kept = OutputBuffer()
    try:
        cause = _followed(process, kept, started + seconds)
    finally:
        _running.pop(process, None)
    if cause:
        _end(process, mark)
        cause = cause.format(seconds=seconds)
    assert process.stdout is not None  # noqa: S101 - it is a pipe
    process.stdout.close()
    status = process.wait() if not cause else None
    if mark in _left:
        _left.discard(mark)
        return CommandResult(None, kept.data(), time.monotonic() - started, LOST)
    return CommandResult(status, kept.data(), time.monotonic() - started, cause, kept.dropped, was_ended=bool(cause))


def _as(account: Account | None) -> dict[str, Any]:
    if account is None or account.uid == os.geteuid():
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": ()}


def end_all() -> None:
    """Whoever leaves takes along what it started."""
    with _starting:
        running = tuple(_running.items())
    for process, mark in running:
        _left.add(mark)
        _end(process, mark)


def _followed(process: subprocess.Popen[bytes], kept: OutputBuffer, until: float) -> str:
    """Take in what it prints until it ends; otherwise say why it has to be ended."""
    assert process.stdout is not None  # noqa: S101 - it is a pipe
    cancel = CANCEL.get()
    pipe = process.stdout.fileno()
    os.set_blocking(pipe, False)
    with selectors.DefaultSelector() as selector, _watched(process, selector) as told:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            left = until - time.monotonic()
            if why := _unwanted(left, cancel):
                return why
            longest = left if told and cancel is None else min(left, _POLL)
            ready = {key.fd for key, _ in selector.select(longest)}
            if pipe in ready and not _taken(pipe, kept):
                selector.unregister(pipe)
            if kept.total > MOST_PRINTED:
                return f"it printed more than {MOST_PRINTED >> 20} MB and was ended"
            if process.poll() is not None:
                # A child that it left behind may hold the pipe open: what is there now is what there is.
                _taken(pipe, kept)
                return ""


def _unwanted(left: float, cancel: threading.Event | None) -> str:
    """Why nobody waits for its answer any more; nothing while somebody does."""
    if cancel is not None and cancel.is_set():
        return f"{CANCELLED} and was ended with all its children"
    return "it did not end within {seconds:.0f} seconds and was ended with all its children" if left <= 0 else ""


def _taken(pipe: int, kept: OutputBuffer) -> bool:
    """Take in what is there now, a bounded part of it; False at its end."""
    with contextlib.suppress(BlockingIOError):
        for _ in range(64):
            data = os.read(pipe, 1 << 16)
            if not data:
                return False
            kept.add(data)
    return True


@contextlib.contextmanager
def _watched(process: subprocess.Popen[bytes], selector: selectors.BaseSelector) -> Iterator[bool]:
    """Whether the selector wakes up when the process ends; otherwise somebody has to look."""
    try:
        descriptor = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        yield False
        return
    try:
        selector.register(descriptor, selectors.EVENT_READ)
        yield True
    finally:
        os.close(descriptor)


def _end(process: subprocess.Popen[bytes], mark: str) -> None:
    """All of them: its group, and whoever left it, known by the mark or by whose child it is."""
    family = tuple(_family(process.pid))
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)  # it leads its group and is not reaped yet: the number is its own
    until = time.monotonic() + _GRACE
    # Again until none is left: one may have forked while we looked, and the kernel takes its time to end them.
    while (left := {*_marked(mark), *filter(_lives, family)}) and time.monotonic() < until:
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_POLL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)


def _family(first: int) -> Iterator[int]:
    """Its children and theirs; a program may have been started without the mark."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        pid = int(folder.name)
        children.setdefault(_state(pid)[1], []).append(pid)
    pending = children.get(first, [])
    while pending:
        pid = pending.pop()
        yield pid
        pending += children.get(pid, [])


def _lives(pid: int) -> bool:
    return _state(pid)[0] not in {"", "Z"}


def _state(pid: int) -> tuple[str, int]:
    """One letter for it, and its parent; the name before them may hold anything."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
    except (OSError, ValueError):
        return "", 0
    return state, int(parent)


def _marked(mark: str) -> Iterator[int]:
    wanted = f"{MARK}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)
