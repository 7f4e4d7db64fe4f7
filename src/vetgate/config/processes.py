"""Who stands above a process, and who opened its terminal: as far as the system tells, which is all of it on Linux."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_PARENTS = 64
_PROC = Path("/proc")
_INDEX = re.compile(r"^tty-index:\s*(\d+)$", re.MULTILINE)
_PTS = re.compile(r"/dev/pts/(\d+)")
_NAMED = re.compile(r"(?:^|\s)([A-Z][A-Z0-9_]*)=[^\s]")
# Unix 98 pseudo terminals.
_PTS_MAJORS = range(136, 144)
# The field of `stat` behind the name that tells when a process began, in hundredths of a second.
_STARTED = 19
_AT_ONCE = 1_000


class Process(NamedTuple):
    """`program` is the file it runs, an interpreter for a script; `words` is its command line.

    `variables` are the names in its environment that have a value, where that can be read: they stay when its parents
    are gone.
    """

    pid: int
    parent: int
    session: int
    name: str
    program: str
    words: tuple[str, ...]
    variables: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """The program and, for an interpreter, its script: by name, and by the package it lies in."""
        names = {self.name}
        options = (word for word in self.words[1:] if not word.startswith("-"))
        for word in (*self.words[:1], *islice(options, 1)):
            path = PurePosixPath(word)
            names |= {path.name, path.stem}
            # node_modules/@scope/claude-code/cli.js; a home folder called like an agent is not one.
            if "node_modules" in path.parts:
                names |= set(path.parts[path.parts.index("node_modules") :])
        return frozenset(names)


def lineage(pid: int) -> Iterator[Process]:
    """The process, its parent, and so on, up to the first one of all."""
    look = _from_proc if (_PROC / "self" / "stat").exists() else _from_ps
    for _ in range(_MOST_PARENTS):
        found = look(pid)
        if found is None:
            return
        yield found
        if found.parent <= 0:
            return
        pid = found.parent


def session_of(pid: int) -> int:
    """The process that leads its session: the shell of a terminal, or what was detached. 0 where nobody knows."""
    try:
        return os.getsid(pid)
    except (OSError, AttributeError):
        return 0


def is_left_behind(process: Process) -> bool:
    """Whether the system took it over when its parents had ended.

    A service is started by the system itself, and so is what the first process of a container starts at once.
    """
    try:
        begun = int(_stat(process.pid)[1][_STARTED]) - int(_stat(1)[1][_STARTED])
        groups = Path(f"/proc/{process.pid}/cgroup").read_text(encoding="utf-8", errors="replace").splitlines()
    except (OSError, ValueError, IndexError):
        return False
    return begun > _AT_ONCE and not any(group.endswith(".service") for group in groups)


def openers(pid: int) -> tuple[int, ...]:
    """Those that hold the other end of its terminals: whoever does can type there."""
    wanted = _terminals(pid)
    if not wanted or not _PROC.exists():
        return ()
    return tuple(each for each in _processes() if _holds(each, wanted))


def terminal_name() -> str:
    """The terminal of this process, as people call it; "" without one."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        try:
            return os.ttyname(stream.fileno()).removeprefix("/dev/")
        except (OSError, ValueError, AttributeError):
            continue
    return ""


def _terminals(pid: int) -> set[int]:
    """The numbers of its pseudo terminals: the one it reads, the one it writes to, and the one that controls it."""
    found = set()
    for descriptor in (0, 1, 2):
        try:
            match = _PTS.fullmatch(os.readlink(f"/proc/{pid}/fd/{descriptor}"))  # noqa: PTH115 - as below
        except OSError:
            continue
        found |= {int(match[1])} if match else set()
    try:
        number = int(_stat(pid)[1][4])
    except (OSError, ValueError, IndexError):
        return found
    major, minor = (number >> 8) & 0xFFF, (number & 0xFF) | ((number >> 12) & 0xFFF00)
    return found | ({minor} if major in _PTS_MAJORS else set())


def _processes() -> Iterator[int]:
    for folder in _PROC.iterdir():
        if folder.name.isdigit():
            yield int(folder.name)


def _holds(pid: int, wanted: set[int]) -> bool:
    folder = f"/proc/{pid}/fd"
    try:
        descriptors = os.listdir(folder)  # noqa: PTH208 - some are gone before a Path could be asked
    except OSError:
        return False  # another account's, or gone
    return any(_index(pid, each) in wanted for each in descriptors) and _is_of_this_place(pid)


def _index(pid: int, descriptor: str) -> int | None:
    try:
        if not os.readlink(f"/proc/{pid}/fd/{descriptor}").endswith("ptmx"):  # noqa: PTH115
            return None
        match = _INDEX.search(Path(f"/proc/{pid}/fdinfo/{descriptor}").read_text(encoding="ascii", errors="replace"))
    except OSError:
        return None
    return int(match[1]) if match else None


def _is_of_this_place(pid: int) -> bool:
    """A container counts its terminals by itself."""
    try:
        return os.readlink(f"/proc/{pid}/ns/mnt") == os.readlink("/proc/self/ns/mnt")  # noqa: PTH115
    except OSError:
        return True


def _stat(pid: int) -> tuple[str, list[str]]:
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    # The name stands in parentheses and may itself hold any character.
    return stat[stat.index("(") + 1 : stat.rindex(")")], stat[stat.rindex(")") + 1 :].split()


def _from_proc(pid: int) -> Process | None:
    try:
        name, rest = _stat(pid)
        command = Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace")
        words = tuple(command.rstrip("\0").split("\0"))
        return Process(pid, int(rest[1]), int(rest[3]), name, _program(pid) or name, words, _variables(pid))
    except (OSError, ValueError, IndexError):
        return None


def _program(pid: int) -> str:
    try:
        return PurePosixPath(os.readlink(f"/proc/{pid}/exe").removesuffix(" (deleted)")).name  # noqa: PTH115
    except OSError:
        return ""  # another account's


def _variables(pid: int) -> frozenset[str]:
    try:
        data = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return frozenset()
    pairs = (each.partition(b"=") for each in data.split(b"\0"))
    return frozenset(name.decode("utf-8", "replace") for name, _, value in pairs if value)


def _from_ps(pid: int) -> Process | None:
    try:
        parent, _, command = _ps("-o", "ppid=,command=", "-p", str(pid)).strip().partition(" ")
        words = tuple(command.split())
        rest = _ps("-E", "-ww", "-o", "command=", "-p", str(pid)).removeprefix(command)
        name = PurePosixPath(words[0]).name if words else ""
        return Process(pid, int(parent), session_of(pid), name, name, words, frozenset(_NAMED.findall(rest)))
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None


def _ps(*words: str) -> str:
    return subprocess.run(  # noqa: S603 - fixed words and a number
        ["/bin/ps", *words], capture_output=True, text=True, timeout=5, check=False
    ).stdout
