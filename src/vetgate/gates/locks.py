"""Locks among processes: one run of a command at a time, what runs now, and which processes still live."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from hashlib import blake2b
from typing import TYPE_CHECKING

from vetgate.progress import RunningGate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_LOOK_AGAIN = 0.05
_ATTEMPTS = 10
_FILES = "gate-*.lock"
_PROCESSES = "process-*.lock"
# The owner of a job that no process has begun: like one that is gone.
NOBODY = "nobody"
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
# By which this process shows that it lives, by folder: held until it ends, however it does.
_present: dict[Path, str] = {}
_presenting = threading.Lock()


class Turn:
    """Whether somebody else had the lock before, and what they `left` for whoever waited."""

    def __init__(self, lock: int | None = None, *, waited: bool = False) -> None:
        self._lock = lock
        self.waited = waited
        self.left = _read(lock) if waited and lock is not None else b""

    def leave(self, data: bytes) -> None:
        """For those who wait."""
        if self._lock is not None:
            _write(self._lock, data)


@contextlib.contextmanager
def hold_run(folder: Path | None, words: Sequence[str], until: float, gate: str = "") -> Iterator[Turn]:
    """Hold the lock of these words. The first of the words is the folder.

    Where there is no place for it, or no locks, nobody is kept waiting.
    """
    file = folder / f"gate-{_name(words)}.lock" if folder else None
    lock = opened(file)
    if file is None or lock is None:
        yield Turn()
        return
    try:
        waited, is_ours = taken(lock, until)
        turn = Turn(lock if is_ours else None, waited=waited)
        if is_ours:
            _write(lock, json.dumps(RunningGate(gate, words[0], time.time())).encode())
        yield turn
        if is_ours:
            # Whoever waits has it open and goes on waiting; a third may run it again, which harms nobody.
            file.unlink(missing_ok=True)
    finally:
        os.close(lock)


def running_gates(folder: Path) -> tuple[RunningGate, ...]:
    """What runs now, the longest first."""
    found = (_held(file) for file in folder.glob(_FILES))
    return tuple(sorted((each for each in found if each is not None), key=lambda each: each.since))


def presence(folder: Path | None) -> str:
    """The name of a lock that this process holds for as long as it lives; "" where there is no place for it."""
    if folder is None:
        return ""
    with _presenting:
        if folder not in _present or not (folder / _present[folder]).exists():
            for left in folder.glob(_PROCESSES):
                lives(folder, left.name)
            name = next(filter(None, (_shown(folder) for _ in range(_ATTEMPTS))), "")
            if not name:
                return ""
            _present[folder] = name
        return _present[folder]


def _shown(folder: Path) -> str:
    """The name of a lock that is held from now on; "" where there is none to be had."""
    file = folder / f"process-{os.getpid()}-{time.time_ns()}.lock"
    lock = opened(file)
    if lock is None:
        return ""
    # Who looks between the two takes it for one that was left, and deletes it: a lock without a name shows nothing.
    if taken(lock, 0.0)[1] and _is_at(lock, file):
        return file.name
    os.close(lock)
    file.unlink(missing_ok=True)
    return ""


def _is_at(lock: int, file: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(lock), file.stat())
    except OSError:
        return False


def lives(folder: Path | None, name: str) -> bool:
    """Whether the process of that lock does; nothing is left of one that does not."""
    if folder is None or not name or name == _present.get(folder):
        return True
    file = folder / name
    lock = opened(file) if file.exists() else None
    if lock is None:
        return False
    try:
        is_held, _ = taken(lock, 0.0)
        if not is_held:
            file.unlink(missing_ok=True)
        return is_held
    finally:
        os.close(lock)


def _name(words: Sequence[str]) -> str:
    return blake2b("\0".join(words).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def opened(file: Path | None) -> int | None:
    try:
        return os.open(file, _OPEN, 0o600) if file else None
    except OSError:
        return None


def _write(lock: int, data: bytes) -> None:
    with contextlib.suppress(OSError):
        os.ftruncate(lock, 0)
        os.pwrite(lock, data, 0)


def _read(lock: int) -> bytes:
    try:
        return os.pread(lock, os.fstat(lock).st_size, 0)
    except OSError:
        return b""


def _held(file: Path) -> RunningGate | None:
    lock = opened(file) if file.exists() else None
    if lock is None:
        return None
    try:
        if not taken(lock, 0.0)[0]:
            return None
        gate, root, since = json.loads(os.pread(lock, 1 << 16, 0))
        return RunningGate(str(gate), str(root), float(since))
    except (OSError, ValueError, TypeError):
        return None
    finally:
        os.close(lock)


def taken(lock: int, until: float) -> tuple[bool, bool]:
    """Whether somebody else had it, and whether it is ours now."""
    try:
        import fcntl  # noqa: PLC0415 - not on Windows
    except ImportError:
        return False, False
    waited = False
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waited = True
            if time.monotonic() >= until:
                return True, False
            time.sleep(_LOOK_AGAIN)
        except OSError:
            return waited, False
        else:
            return waited, True
