"""The way without the daemon: the same program in a child process, and the last tier when that fails too.

A child and not an import, because its parent keeps the clock: a call into C that never returns, a check that eats
the memory, a crash of the interpreter, all end as a cause and not as a missing answer.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from vetgate import core, runtime

# Not `-m`: the child has to be this very copy of the package, with the interpreter's own library before it.
BOOT = "import sys;sys.path.append(sys.argv[1]);import site;site.main();from vetgate.{} import main;main()"
# Programs of ours that are started as a process, by their modules.
ANSWER, DAEMON, INDEX = "answer", "daemon", "service.index"
PARENT = str(Path(__file__).absolute().parent.parent)

# Enough to run on, and nothing that belongs to a session: no keys, no GIT_DIR, no PYTHONPATH.
KEPT = (
    *("HOME", "USER", "LOGNAME", "PATH", "TMPDIR", "TZ", "LANG", "LC_ALL", "LC_CTYPE"),
    *("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"),
    *("SYSTEMROOT", "WINDIR", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PATHEXT", "COMSPEC"),
)
_DIES_WITHIN = 0.05
SLOT = "slot"
RESERVE = 0.25  # seconds the last tier needs to be imported and heard
ROOT = os.path.abspath(os.sep)  # noqa: PTH100 - of the current drive, where there are drives


class ChildError(Exception):
    """The child gave no reply; the text says why, for a person."""


def command(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", BOOT.format(module), PARENT, *arguments]


def environment() -> dict[str, str]:
    return {name: os.environ[name] for name in KEPT if name in os.environ}


def take_slot(folder: str) -> int | None:
    """One of as many places as there are cores; None when all are taken, -1 where nobody can keep count.

    More processes than cores only take the time from each other until none of them is done.
    """
    if not folder or not runtime.make_private(folder):
        return -1
    try:
        for number in range(os.cpu_count() or 1):
            lock = runtime.take_lock(folder, f"{SLOT}{number}")
            if lock is not None:
                return lock
    except (ImportError, OSError):
        return -1
    return None


def begin(
    program: str, *words: str, keeps: tuple[int, ...] = (), through: int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    """A process of ours that may outlive us; `keeps` are the files that go with it, `through` how it is talked to."""
    return subprocess.Popen(  # noqa: S603 - our own interpreter, our own program
        command(program, *words),
        stdin=through,
        stdout=through,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env=environment(),
        pass_fds=keeps,
        start_new_session=True,
    )


def ask_child(frame: bytes, seconds: float, slot: int = -1) -> bytes:
    """The raw reply of the full program to one frame. It keeps the slot until it ends, whatever becomes of us."""
    if seconds <= 0:
        raise ChildError("no time was left to check it")
    child = begin(ANSWER, keeps=() if slot < 0 else (slot,), through=subprocess.PIPE)
    if slot >= 0:
        os.close(slot)
    try:
        told, _ = child.communicate(frame, timeout=seconds)
    except subprocess.TimeoutExpired as late:
        if late.stdout:
            child.returncode = 0  # the answer is out; what is still at work only remembers it, and nobody waits
            return late.stdout
        _kill(child)
        raise ChildError(f"the checks took longer than {seconds:.1f} s") from None
    except BaseException:
        _kill(child)
        raise
    finally:
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                pipe.close()
    if child.returncode != 0:
        raise ChildError(f"the checks ended with status {child.returncode}")
    return told


def _kill(child: subprocess.Popen[bytes]) -> None:
    try:
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)  # it leads its own group and is not reaped yet: the number is its own
        else:
            child.kill()
        child.wait(_DIES_WITHIN)
    except (OSError, subprocess.TimeoutExpired):
        return


def last_answer(event: bytes, cause: str, state: str, agent: str = "", name: str = "") -> core.Answer:
    """`name` is what the registration calls the event, where it does."""
    answer = core.reply(event, cause, agent=agent, name=name)
    with contextlib.suppress(Exception):  # the answer is what counts
        note = core.note(event, cause, agent=agent, name=name)
        if note and state:
            runtime.leave_note(state, note)
    return answer


def closed_answer(event: bytes, cause: str, _state: str, agent: str = "", name: str = "") -> core.Answer:
    """As above where nothing can be noted for later: an edit that nobody checks does not happen."""
    return core.reply(event, cause, notes=False, agent=agent, name=name)


def cause_of(error: BaseException) -> str:
    if isinstance(error, ChildError | ValueError):
        return str(error)
    if isinstance(error, Exception):
        return f"vetgate failed with {type(error).__name__}"
    return "there was no verdict in time"


def start_daemon(address: str, project: str, state: str) -> None:
    """Leave a daemon behind for the next call, unless somebody else is doing so or it cannot live here."""
    folder, name = os.path.split(address)
    try:
        if not runtime.make_private(folder) or runtime.is_remote(folder):
            return
        lock = runtime.take_lock(folder, f"{name}.lock")
        if lock is None or runtime.used_lately(lock):
            return
        # The lock goes with the daemon: between our look and its start nobody else can win.
        begin(DAEMON, "--address", address, "--project", project, "--state", state, "--lock", str(lock), keeps=(lock,))
        os.close(lock)
    except (OSError, ValueError):  # no daemon is slower, never wrong
        return
