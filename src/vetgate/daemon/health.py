"""When a daemon should go (its files changed, it grew, nobody asks any more), and how a fresh one takes its place.

The successor is started beside it, with its lock, loads everything, and puts its own socket in the place of the old
one; that one answers what it has taken and ends. No call meets either a cold one or none.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate import fallback
from vetgate.source.inotify import watching

if TYPE_CHECKING:
    import subprocess

IDLE = 15 * 60.0
AFTER_LAST_SESSION = 10.0
SUDDEN = 16 << 20  # so much more memory than at the last look: garbage is taken out
AT_LAST = 500  # requests without a pause
RESTS_AFTER, DOZES_AFTER = 60.0, 240.0  # seconds without a request
# Above so much a fresh process takes over, and where none can, this one ends. While nobody asks, less is enough.
MUCH_MEMORY, DOZING_MEMORY, MOST_MEMORY = 180 << 20, 110 << 20, 300 << 20
DESCRIPTORS = 4096
_YOUNG = 1  # what was made since garbage was last taken out
_TRIM_THRESHOLD, _KEPT = -1, 16 << 20
_ARENA_MAX, _ARENAS = -8, 2


class ProgramFiles:
    """The program, and the folders its libraries lie in, as they were when this process started."""

    def __init__(self, package: Path) -> None:
        self._files, self._folders = _inside(package)
        libraries = [place for place in sys.path if Path(place).is_dir()]
        self._files += libraries
        # Before the first look: what changes after it is told of.
        self._watch = watching([*self._folders, *libraries])
        self._edge = [str(package), str(package / "__init__.py")]
        self._seen = self._look()
        self._edge_seen = list(map(_identity, self._edge))

    def changed(self, *, thoroughly: bool = True) -> bool:
        """Before every answer the kernel is asked whether anything happened at all; it does not see a network's."""
        if not thoroughly and self._watch is not None and not list(self._watch.drain()):
            return False
        return self._look() != self._seen

    @property
    def told_by(self) -> int | None:
        """What becomes readable when something happens in these folders; None where the system cannot tell."""
        return self._watch.fileno() if self._watch is not None else None

    def replaced(self) -> bool:
        """A quicker look, for an installer at work: it begins by taking the package away."""
        return list(map(_identity, self._edge)) != self._edge_seen

    def _look(self) -> tuple[object, ...]:
        return list(map(_identity, self._files)), [_names(folder) for folder in self._folders]


def _inside(package: Path) -> tuple[list[str], list[str]]:
    found: list[str] = []
    within: list[str] = []
    for folder, folders, files in os.walk(package):
        folders[:] = [name for name in folders if name != "__pycache__"]
        within.append(folder)
        found += [str(Path(folder) / name) for name in files]
    return found, within


def _names(folder: str) -> list[str]:
    """Not the folder's time: the interpreter changes that itself, when it first keeps bytecode there."""
    try:
        return [name for name in os.listdir(folder) if name != "__pycache__"]  # noqa: PTH208 - asked before every answer
    except OSError:
        return []


def _identity(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - as above
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


@dataclass
class ProcessHealth:
    """What this process has seen of itself; only the loop that owns it writes here."""

    started: float = field(default_factory=time.monotonic)
    last: float = field(default_factory=time.monotonic)
    requests: int = 0
    lean: int = 0  # resident bytes without garbage, when last looked
    tidied: float = 0.0
    tidied_at: int = 0  # requests until then
    sessions: set[str] = field(default_factory=set)
    saw_session: bool = False

    def asked(self) -> None:
        self.last = time.monotonic()
        self.requests += 1

    def saw(self, session: str, *, ended: bool) -> None:
        self.saw_session = True
        if ended:
            self.sessions.discard(session)
        else:
            self.sessions.add(session)

    def lonely(self) -> bool:
        return self.alone_in() <= 0

    def alone_in(self) -> float:
        """Seconds until nobody is expected to ask any more."""
        ended = self.saw_session and not self.sessions
        return self.last + (AFTER_LAST_SESSION if ended else IDLE) - time.monotonic()

    @property
    def is_untidy(self) -> bool:
        """Whether it is worth looking for what can be given back."""
        has_rested = self._idle() >= RESTS_AFTER and self.tidied < self.last
        return has_rested or self.is_overdue or memory() > self.lean + SUDDEN

    @property
    def is_overdue(self) -> bool:
        """Whether it has to be done now, though somebody may wait for it: nobody leaves us any peace."""
        return self.requests - self.tidied_at >= AT_LAST

    def tidy(self) -> None:
        """While nobody waits: garbage is taken out, and what it took is given back.

        The next call may come any moment, and to go through all that is kept takes long: that is for longer rests.
        """
        gc.collect(_YOUNG)
        if self._idle() >= RESTS_AFTER or memory() > MUCH_MEMORY:
            gc.collect()
        give_back_memory()
        self.tidied, self.tidied_at, self.lean = time.monotonic(), self.requests, memory()

    @property
    def is_overgrown(self) -> bool:
        """Without its garbage, as it was last seen."""
        return self.lean > (DOZING_MEMORY if self._idle() >= DOZES_AFTER else MUCH_MEMORY)

    @property
    def is_hopeless(self) -> bool:
        return self.lean > MOST_MEMORY

    def _idle(self) -> float:
        return time.monotonic() - self.last


def keep_freed_memory() -> None:
    """What one answer frees the next one asks for again: giving it back in between costs more than the asking."""
    with contextlib.suppress(OSError, AttributeError):  # not every C library has it
        library = ctypes.CDLL(None)
        library.mallopt(_TRIM_THRESHOLD, _KEPT)
        library.mallopt(_ARENA_MAX, _ARENAS)  # or every worker keeps what it once needed


def give_back_memory() -> None:
    """Now and then: what a large file took is not needed for the next small one."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def more_descriptors() -> None:
    """As many as we may have: each call that waits takes one."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 - not on Windows

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
        if soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def memory() -> int:
    """Resident bytes of this process; its peak where the system tells no more."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        import resource  # noqa: PLC0415

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak << 10


# One that could not start, or grew as fast, is not tried again all the time.
AGAIN_AFTER = 600.0


class Succession:
    """The socket by its name in a folder of ours, and who is to have it next."""

    def __init__(self, inside: int, name: str, lock: int, words: tuple[str, ...]) -> None:
        """`inside` is the folder, `words` what a daemon of this address is started with."""
        self._inside = inside
        self._name = name
        self._lock = lock
        self._words = words
        self._socket = self._identity()
        self._started = -AGAIN_AFTER
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def is_under_way(self) -> bool:
        return self._process is not None

    def begin(self) -> None:
        if self.is_under_way or time.monotonic() - self._started < AGAIN_AFTER:
            return
        self._started = time.monotonic()
        with contextlib.suppress(OSError):
            words = (*self._words, "--lock", str(self._lock))
            self._process = fallback.begin(fallback.DAEMON, *words, keeps=(self._lock,))

    def is_done(self) -> bool:
        """Whether another process listens under this name; to be asked while it is under way."""
        if self._process is None:
            return False
        if self._identity() != self._socket:
            return True
        if self._process.poll() is not None:
            self._process = None
        return False

    def finish(self) -> bool:
        """As above, for good: one that is not there yet will not come."""
        is_done = self.is_done()
        if self._process is not None and not is_done:
            self._process.kill()
            self._process.wait()
        return self._process is not None and self._identity() != self._socket

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._name, dir_fd=self._inside)
        except OSError:
            return None
        return found.st_dev, found.st_ino
