"""Git's own logs of what moved HEAD, branches and the refs of remotes: what they say since a moment. No git is started.

A line's date is whatever its author wanted, so what is new is known by the lines that ended each log before.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vetgate.source.root import common_dir, git_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

REMOTES = "refs/remotes/"
PUSHED = "update by push"
_HEADS = "refs/heads/"
# A line is known by its end: a message may be long.
_LINE_END = 1_000
_TAIL = 64 * 1024
# How much earlier the kernel's clock of files may be than that of programs, in nanoseconds.
_COARSE = 20_000_000
# Beside the logs: what says that a branch or a tag was made, also where no log is kept.
_SHOWS_REFS = ("refs/heads", "refs/tags")


class Move(NamedTuple):
    """One line: what a ref named before and from then on, and why in git's words."""

    ref: str
    before: str
    after: str
    message: str

    @property
    def is_push(self) -> bool:
        return self.ref.startswith(REMOTES) and self.message == PUSHED


def log_ends(top: Path) -> list[str]:
    """What each log ends with, as it is known by: enough to tell later what was added."""
    ends = (_tail(file, _LINE_END).rpartition(b"\n")[2] for _, file, _ in _logs(top))
    return sorted({_known_by(end) for end in ends if end})


def moves_since(top: Path, ends: Iterable[str], since: int) -> list[Move]:
    """What was added behind those lines; a log that nothing has touched since then, in nanoseconds, is not read."""
    known = frozenset(ends)
    changed = ((ref, file) for ref, file, at in _logs(top) if at >= since - _COARSE)
    return [move for ref, file in changed for move in _added(ref, file, known)]


def refs_state(top: Path, since: int) -> str:
    """Names how the files are that show new commits of this place; "" where none was touched since then."""
    own = git_dir(top)
    if own is None:
        return ""
    common = common_dir(own)
    files = [file for ref, file, _ in _logs(top) if not ref.startswith(REMOTES)]
    files += [common / "packed-refs", *(each for name in _SHOWS_REFS for each in _below(common / name))]
    seen = [(os.fspath(file), *_identity(file)) for file in files]
    if not any(moment >= since - _COARSE for *_, moment in seen):
        return ""
    return blake2b(repr(sorted(seen)).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _logs(top: Path) -> Iterator[tuple[str, Path, int]]:
    """Each with its ref and when the kernel last saw it change; HEAD's of every work tree."""
    own = git_dir(top)
    if own is None:
        return
    common = common_dir(own)
    heads = [common / "logs" / "HEAD", *(each / "logs" / "HEAD" for each in _entries(common / "worktrees"))]
    files = [("HEAD", file) for file in heads]
    for name in (_HEADS, REMOTES):
        folder = common / "logs" / name
        files += [(f"{name}{file.relative_to(folder).as_posix()}", file) for file in _below(folder)]
    for ref, file in files:
        moment = _identity(file)[-1]
        if moment:
            yield ref, file, moment


def _added(ref: str, file: Path, known: frozenset[str]) -> Iterator[Move]:
    added = _behind(_tail(file, _TAIL), known)
    if added is None:
        added = _behind(_tail(file, None), known)
    for line in added if added is not None else _tail(file, None).split(b"\n"):
        moved, _, message = line.decode("utf-8", "surrogateescape").partition("\t")
        words = moved.split(" ")
        if len(words) > 1 and all(map(_is_id, words[:2])):
            yield Move(ref, words[0], words[1], message)


def _behind(text: bytes, known: frozenset[str]) -> list[bytes] | None:
    """The lines after the last one that is known; None where none is."""
    lines = text.split(b"\n")
    for at in range(len(lines) - 1, -1, -1):
        if lines[at] and _known_by(lines[at]) in known:
            return lines[at + 1 :]
    return None


def _known_by(line: bytes) -> str:
    return blake2b(line[-_LINE_END + 1 :], digest_size=8).hexdigest()


def _is_id(word: str) -> bool:
    return len(word) in {40, 64} and word.isascii() and word.isalnum()


def _tail(file: Path, size: int | None) -> bytes:
    try:
        with file.open("rb") as log:
            if size is not None:
                log.seek(max(0, os.fstat(log.fileno()).st_size - size))
            return log.read().removesuffix(b"\n")
    except OSError:  # gone by now
        return b""


def _below(folder: Path) -> Iterator[Path]:
    for each in _entries(folder):
        if each.is_dir():
            yield from _below(each)
        else:
            yield each


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _identity(file: Path) -> tuple[int, int, int, int]:
    try:
        status = file.stat()
    except OSError:
        return (0, 0, 0, 0)
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
