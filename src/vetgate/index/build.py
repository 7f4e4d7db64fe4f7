"""All of a work tree into its index, a batch at a time; whoever calls says how the batches are spread."""

from __future__ import annotations

import contextlib
import os
from functools import partial
from typing import TYPE_CHECKING

from vetgate.index.keep import Work, keep, kept, shared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from vetgate.index.keep import Kept
    from vetgate.index.project import ProjectIndex

    Spread = Callable[[Callable[[tuple[str, ...]], list[Kept]], Sequence[str]], Iterable[list[Kept]]]

LOCK = "index.lock"


def build(index: ProjectIndex, spread: Spread) -> Work:
    """Bring the index up to date. Killed half-way, it leaves what it has read, and goes on from there."""
    work = index.outstanding()
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
    for batch in spread(partial(kept, index.root), left):
        keep(store, index.root, batch)
        done += len(batch)
        index.advanced(done, len(work.changed))
    store.forget_unused([each for each in store.roots() if os.path.isdir(each)])  # noqa: PTH112
    index.built()
    return work


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[bool]:
    """One builder at a time; False for whoever comes second."""
    try:
        import fcntl  # noqa: PLC0415 - not on Windows
    except ImportError:
        yield True
        return
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(lock)
