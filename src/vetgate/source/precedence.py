"""What nobody waits for makes way for an answer that somebody does."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Where one answer follows the other without a pause, the rest has to be done all the same.
_LONGEST = 2.0


class Precedence:
    """Thread-safe: how many answers are being worked on, and who stands aside meanwhile."""

    def __init__(self) -> None:
        self._free = threading.Condition()
        self._awaited = 0

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Somebody waits for what is done in here; nothing in here gives way."""
        with self._free:
            self._awaited += 1
        try:
            yield
        finally:
            with self._free:
                self._awaited -= 1
                if not self._awaited:
                    self._free.notify_all()

    def aside(self, longest: float = _LONGEST) -> Callable[[], None]:
        """To be called now and then by what can wait: it stands aside while somebody waits, and so long in all."""
        left = longest

        def give_way() -> None:
            nonlocal left
            if self._awaited and left > 0:
                began = time.monotonic()
                with self._free:
                    self._free.wait_for(lambda: not self._awaited, left)
                left -= time.monotonic() - began

        return give_way


ANSWERS = Precedence()
