"""Work over many files: in this process while they are few, in several when they are many."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from vetgate.model import UserError
from vetgate.progress import Progress, unseen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Item = TypeVar("Item")
Done = TypeVar("Done")

# A process takes about as long to start as this many files to look at.
MANY = 200
_BATCH = 32
_MOST_PROCESSES = 8


@dataclass(frozen=True, slots=True)
class Spread(Generic[Item, Done]):
    """`work` is called with batches of items; a new process must be able to import it and what it is bound to.

    From `many` items on there are several processes.
    """

    what: str
    work: Callable[[tuple[Item, ...]], Done]
    many: int = field(default_factory=lambda: MANY)
    batch: int = _BATCH
    progress: Progress = unseen

    def over(self, items: Sequence[Item]) -> Iterator[Done]:
        """What each batch gave, in order."""
        batches = [tuple(items[at : at + self.batch]) for at in range(0, len(items), self.batch)]
        processes = min(_cores(), _MOST_PROCESSES) if len(items) >= self.many else 1
        total, done = len(items), 0
        self.progress(self.what, done, total)
        for batch, found in zip(batches, self._done(batches, processes), strict=True):
            done += len(batch)
            self.progress(self.what, done, total)
            yield found

    def _done(self, batches: list[tuple[Item, ...]], processes: int) -> Iterator[Done]:
        if processes == 1:
            yield from map(self.work, batches)
            return
        import multiprocessing  # noqa: PLC0415 - for many files only, like what follows
        from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
        from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_leave_interrupts_to_the_parent)
        try:
            yield from pool.map(self.work, batches)
        except BrokenProcessPool as error:
            raise UserError(
                "a worker process was killed while it checked files",
                hint="most likely memory ran out; name fewer paths at a time",
            ) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
