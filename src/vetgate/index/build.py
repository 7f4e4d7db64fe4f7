"""All of a work tree into its index, a batch at a time; whoever calls says how the batches are spread."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from vetgate.index.keep import Work, keep, read_files, shared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from vetgate.index.keep import IndexedFile
    from vetgate.index.project import ProjectIndex

    Spread = Callable[[Callable[[tuple[str, ...]], list[IndexedFile]], Sequence[str]], Iterable[list[IndexedFile]]]

LOCK = "index.lock"
_LOOK_EVERY = 0.05


def build(index: ProjectIndex, spread: Spread, listed: Iterable[str] | None = None) -> Work:
    """Bring the index up to date. Killed half-way, it leaves what it has read, and goes on from there."""
    work = index.outstanding(listed)
    store, root = index.store, str(index.root)
    if work.gone:
        store.drop_files(root, work.gone)
    left = work.changed
    if store.roots():
        same = shared(store, index.root, left)
        store.set_files(root, same)
        known = {path for path, _, _ in same}
        left = tuple(path for path in left if path not in known)
    done = len(work.changed) - len(left)
    for batch in spread(partial(read_files, index.root), left):
        keep(store, index.root, batch)
        done += len(batch)
        index.advanced(done, len(work.changed))
    store.forget_unused([each for each in store.roots() if os.path.isdir(each)])  # noqa: PTH112
    index.built()
    return work


@contextlib.contextmanager
def single_builder(folder: Path, seconds: float = 0.0) -> Iterator[bool]:
    """One builder at a time; False for whoever comes second, and does not get its turn in that time."""
    lock = _opened(folder)
    if lock is None:
        yield True
        return
    until = time.monotonic() + seconds
    try:
        is_ours = _locked(lock)
        while not is_ours and time.monotonic() < until:
            time.sleep(_LOOK_EVERY)
            is_ours = _locked(lock)
        yield is_ours
    finally:
        os.close(lock)


def may_begin(folder: Path, rests: float) -> bool:
    """Whether nobody is at it, nor was sent to it in so many seconds; from now on somebody is. For all processes."""
    lock = _opened(folder)
    if lock is None:
        return True
    try:
        if not _locked(lock):
            return False
        status = os.fstat(lock)
        if status.st_size and 0 <= time.time() - status.st_mtime < rests:
            return False
        os.pwrite(lock, b"\n", 0)
        return True
    finally:
        os.close(lock)


def _opened(folder: Path) -> int | None:
    if sys.platform == "win32":
        return None
    return os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def _locked(lock: int) -> bool:
    import fcntl  # noqa: PLC0415 - not on Windows

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
