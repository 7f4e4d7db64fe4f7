"""Work that can be called off: commands that run below it end, and no new one starts."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from vetgate.gates.process import CANCEL

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator


@contextlib.contextmanager
def cancelled_by(event: threading.Event) -> Iterator[None]:
    token = CANCEL.set(event)
    try:
        yield
    finally:
        CANCEL.reset(token)
