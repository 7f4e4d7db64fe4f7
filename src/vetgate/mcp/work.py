"""Work in a thread of its own: cancelled when the client says so, and its progress told."""

from __future__ import annotations

import threading
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.mcpserver import Context

    from vetgate.model import UserError
    from vetgate.progress import Progress

T = TypeVar("T")


async def in_thread(act: Callable[[], T]) -> T:
    """Ends the commands that it runs, and them alone, when nobody wants its answer any more."""
    from vetgate.service.cancellation import cancelled_by

    cancel = threading.Event()

    def work() -> T:
        with cancelled_by(cancel):
            return act()

    try:
        return await anyio.to_thread.run_sync(partial(copy_context().run, work), abandon_on_cancel=True)
    finally:
        cancel.set()


def said(error: UserError) -> str:
    hint = f" ({error.hint})" if error.hint else ""
    return f"{error.message}{hint}"


def progress_to(context: Context) -> Progress:
    """For work in threads, whoever starts them; a client that asked for none hears nothing. Called in the loop."""
    token = anyio.lowlevel.current_token()

    def tell(what: str, done: int, total: int) -> None:
        with suppress(RuntimeError, anyio.ClosedResourceError, anyio.BrokenResourceError):
            anyio.from_thread.run(context.report_progress, done, total, what, token=token)

    return tell
