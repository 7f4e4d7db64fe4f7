"""Where a file belongs: the root of its project, and the one folder that all work trees of a repository share."""

from __future__ import annotations

import os
import posixpath
import unicodedata
from pathlib import Path

from vetgate.expression import expression
from vetgate.model import CONFIG_NAME

# Linux: a handle on a place, whatever is there, without opening it.
_PLACE_ONLY = getattr(os, "O_PATH", 0) and os.O_PATH | os.O_CLOEXEC
_DELETED = " (deleted)"
_OWN_FILES = expression(r"/+dev/fd(?=/)")
_OWN_FOLDER = expression(r"/proc/(?:self|thread-self)/(?:task/[^/]+/)?cwd(?=/|\Z)")
_ROOT_OF_PROCESS = expression(r"/proc/[^/]+/(?:task/[^/]+/)?root(?=/|\Z)")


def project_root(start: Path) -> Path | None:
    """The git top level of `start` (a folder that need not exist), else the nearest folder with a configuration."""
    nearest: Path | None = None
    for folder in (start, *start.parents):
        if _exists(folder / ".git"):
            return folder
        if nearest is None and _exists(folder / CONFIG_NAME):
            nearest = folder
    return nearest


def store_key(root: Path) -> Path:
    """The git common directory, so that work trees share a store; the root itself without git."""
    own = git_dir(root)
    return common_dir(own) if own is not None else Path(os.path.realpath(root))


def git_dir(root: Path) -> Path | None:
    """Where git keeps what belongs to this work tree; None without git."""
    dot_git = root / ".git"
    try:
        if dot_git.is_dir():
            return real(dot_git)
        # A linked work tree: `.git` is a file that names its folder, and that folder names the common one.
        return (root / _after(dot_git.read_text(encoding="utf-8"), "gitdir:")).resolve()
    except (OSError, UnicodeDecodeError, ValueError):
        return None


def common_dir(own: Path) -> Path:
    """What all work trees of a repository share, by the folder of one of them."""
    try:
        return (own / (own / "commondir").read_text(encoding="utf-8").strip()).resolve()
    except (OSError, UnicodeDecodeError, ValueError):
        return own


def as_seen_from(path: str, cwd: str) -> str:
    """An absolute path as a process in `cwd` means it: its `/proc/self` is not ours, who only look."""
    if "/proc/" not in path and "/dev/fd" not in path:
        return path
    plain = "/" + posixpath.normpath(_OWN_FILES.sub("/proc/self/fd", path, count=1)).lstrip("/")
    if found := _OWN_FOLDER.match(plain):
        return cwd + plain[found.end() :]
    # The root folder of another process is, for whoever may look there, that of this machine.
    if found := _ROOT_OF_PROCESS.match(plain):
        return plain[found.end() :] or "/"
    return path


def is_own_file(path: str) -> bool:
    """A file that a process has open, by its number: another one has another file there, so nobody else can follow."""
    return path.startswith(("/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"))


def key(path: str | Path) -> str:
    """One name for a path, however it is written: composed letters, no case."""
    return unicodedata.normalize("NFC", os.fspath(path)).casefold()


def real(path: Path) -> Path:
    """The place a write to `path` ends up in, through linked folders; `path` need not exist."""
    return Path(_resolved_by_kernel(path) or os.path.realpath(path))


def _resolved_by_kernel(path: Path) -> str:
    """The same without a question for every folder on the way; "" where it cannot tell, or nothing is there."""
    try:
        place = os.open(path, _PLACE_ONLY) if _PLACE_ONLY else -1
    except (OSError, ValueError):
        return ""
    try:
        told = os.readlink(f"/proc/self/fd/{place}")  # noqa: PTH115 - a Path of it would cost as much again
    except OSError:
        return ""
    finally:
        if place >= 0:
            os.close(place)
    return told if told.startswith("/") and not told.endswith(_DELETED) else ""


def name_in(root: Path, path: Path) -> str:
    """`path` as people call it: relative to the root, or absolute outside of it."""
    name, top = path.as_posix(), root.as_posix()
    # Written out: it is asked of every file of a change, several times. On a drive or a share letters have no case.
    if top.startswith("/") and not root.drive:
        below = top if top.endswith("/") else f"{top}/"
        return "." if name == top else name.removeprefix(below)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else name


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a folder we may not look into belongs to nobody we know
        return False


def _after(line: str, prefix: str) -> str:
    if not line.startswith(prefix):
        raise ValueError(line)
    return line[len(prefix) :].strip()
