"""Work that takes its time: what runs, who waits for it, and who is shown how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager


class RunningGate(NamedTuple):
    """A gate that runs now, in which folder, and since when."""

    gate: str
    root: str
    since: float


class LongWait(Protocol):
    """Entered by whoever waits for somebody else, for at most so many seconds; others are answered meanwhile."""

    def __call__(self, seconds: float) -> AbstractContextManager[None]: ...


class Progress(Protocol):
    """Called before the first and after every part of some work; `done` is `total` when it is over."""

    def __call__(self, what: str, done: int, total: int) -> None: ...


def unseen(what: str, done: int, total: int) -> None:
    """For who shows no progress."""
