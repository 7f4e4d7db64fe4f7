"""The two folders outside of the project: state, which lasts, and runtime, which holds sockets and locks.

Nothing in a shared directory is trusted: a folder is used when it is a real one, ours, closed to all others, and nobody
else can put another in its place.
"""

from __future__ import annotations

import os
import stat
import sys

TYPE_CHECKING = False  # as typing's, without its price: the hook's hot path comes by here
if TYPE_CHECKING:
    from pathlib import Path

REMOTE = frozenset(
    "nfs nfs4 cifs smb3 smbfs ncpfs afs afpfs 9p ceph glusterfs lustre gpfs beegfs webdav davfs".split()  # noqa: SIM905
)
NOTES = "unverified"
MOST_NOTES = 200
MOST_UNVERIFIED = 2000
START_AGAIN_AFTER = 5.0


def state_dir() -> Path:
    from pathlib import Path  # noqa: PLC0415

    return Path(state_folder())


def runtime_dir() -> Path | None:
    """None: there is no folder for a socket, every answer comes from a process of its own."""
    from pathlib import Path  # noqa: PLC0415

    folder = runtime_folder()
    return Path(folder) if folder else None


def state_folder() -> str:
    if given := os.environ.get("VETGATE_STATE_DIR"):
        return os.path.abspath(given)  # noqa: PTH100 - pathlib costs more than the whole call
    base = os.environ.get("XDG_STATE_HOME", "")
    return f"{base if os.path.isabs(base) else _home() + '/.local/state'}/vetgate"  # noqa: PTH117


def runtime_folder() -> str:
    if given := os.environ.get("VETGATE_RUNTIME_DIR"):
        return os.path.abspath(given)  # noqa: PTH100
    if not hasattr(os, "getuid"):
        return ""
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(base) and _is_private(base):  # noqa: PTH117
        return f"{base}/vetgate"
    return f"{_home()}/.cache/vetgate/run"


def _home() -> str:
    home = os.path.expanduser("~")  # noqa: PTH111
    return home if os.path.isabs(home) else "/nonexistent"  # noqa: PTH117 - an account without a home


def _is_private(folder: str) -> bool:
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return _is_ours(found)


def _is_ours(found: os.stat_result, closed: int = 0o077) -> bool:
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & closed


def make_private(folder: str) -> bool:
    """Create the folder where it is missing; False where it is not ours alone."""
    from vetgate.ownership import fault, make  # noqa: PLC0415 - not on the hook's hot path

    if fault(folder):
        return False
    try:
        make(folder)
    except OSError:
        return False
    return _is_private(folder)


def open_private(folder: str, *, shared: bool = False) -> int:
    """A descriptor of the folder, checked after it was opened: what a path names can be changed under a check.

    Others may enter and read a `shared` one.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    from vetgate.ownership import fault  # noqa: PLC0415

    if not _is_ours(os.fstat(descriptor), 0o022 if shared else 0o077) or fault(folder):
        os.close(descriptor)
        raise PermissionError(f"{folder} is not ours alone")
    return descriptor


def take_lock(folder: str, name: str, *, shared: bool = False) -> int | None:
    """The lock of that name; None when somebody holds it. The file stays for ever."""
    import fcntl  # noqa: PLC0415 - not on Windows, where nobody comes here

    inside = open_private(folder, shared=shared)
    try:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        lock = os.open(name, flags, 0o600, dir_fd=inside)
    finally:
        os.close(inside)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock


def used_lately(lock: int) -> bool:
    """Tell whether a daemon was started moments ago; if not, one is now.

    A daemon that dies as soon as it lives is not worth a new process on every call.
    """
    import time  # noqa: PLC0415

    age = time.time() - os.fstat(lock).st_mtime
    if os.fstat(lock).st_size and 0 <= age < START_AGAIN_AFTER:
        return True
    os.pwrite(lock, b"\n", 0)
    return False


def is_remote(folder: str) -> bool:
    """On a file system of another machine, where locks and sockets are not to be relied on."""
    return kind_of(os.path.realpath(folder), _mounts()) in REMOTE


def kind_of(place: str, mounts: list[tuple[str, str]]) -> str:
    """The file system of the mount point nearest to the place; of several there, the last."""
    around = {point: kind for point, kind in mounts if f"{place}/".startswith(f"{point.rstrip('/')}/")}
    return around[max(around, key=len)] if around else ""


def _mounts() -> list[tuple[str, str]]:
    system: str = sys.platform
    if system == "linux":
        try:
            with open("/proc/self/mounts", encoding="utf-8", errors="surrogateescape") as table:  # noqa: PTH123
                rows = [line.split(" ") for line in table]
        except OSError:
            return []
        return [(row[1].replace("\\040", " "), row[2].removeprefix("fuse.")) for row in rows if len(row) > 2]
    if system == "darwin":
        return _mounts_told_by_mount()
    return []


def _mounts_told_by_mount() -> list[tuple[str, str]]:
    import subprocess  # noqa: PLC0415

    try:
        told = subprocess.run(["/sbin/mount"], capture_output=True, timeout=2, check=False).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    found = []
    for line in os.fsdecode(told).splitlines():  # `//u@host/share on /Volumes/share (smbfs, nodev)`
        _, _, rest = line.partition(" on ")
        point, _, options = rest.rpartition(" (")
        found.append((point, options.rstrip(")").split(",")[0]))
    return found


def has_terminal() -> bool:
    """Whether somebody could be asked."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def leave_note(state: str, note: bytes) -> None:
    """Remember what was decided without the full program, where that finds it later. Best effort.

    What is still to be looked at is not crowded out by what is only to be put on record.
    """
    from hashlib import blake2b  # noqa: PLC0415
    from time import time_ns  # noqa: PLC0415

    from vetgate.ownership import fault, make  # noqa: PLC0415

    folder = f"{state}/{NOTES}"
    most = MOST_UNVERIFIED if b'"unverified": true' in note else MOST_NOTES
    try:
        if fault(folder):
            return
        make(folder)
        if len(os.listdir(folder)) >= most:  # noqa: PTH208
            return
        # The same may be decided twice.
        path = f"{folder}/{blake2b(note + b'%d' % time_ns(), digest_size=8).hexdigest()}.json"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(note)
    except OSError:
        return
