"""Commands and judges for whom nobody waits at a hook: without a clock of ours, and ended when a person ends us."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import NoReturn

    from vetgate.config.schema import Config
    from vetgate.gates.judge import JudgeRunner
    from vetgate.model import Event
    from vetgate.project import Project

# Nobody's clock runs but that of each gate.
SECONDS = 24 * 3600.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def judge_runner(project: Project, config: Config, event: Event, seconds: float = SECONDS) -> JudgeRunner:
    """Each is waited for as long as its consensus says; what importing takes does not count."""
    from vetgate.gates.judge import JudgeRunner  # noqa: PLC0415 - few reviews ask any

    return JudgeRunner(project, config, event, os.environ, seconds, warms_up=True)


@contextlib.contextmanager
def ended_with_us(leaving: Callable[[], None] = lambda: None) -> Iterator[None]:
    """A command leads a session of its own, so that Ctrl-C does not reach it; only the main thread hears of that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - as signals call it
        from vetgate.gates.process import end_all  # noqa: PLC0415 - there may be none to end

        leaving()
        end_all()
        raise KeyboardInterrupt

    before = [(each, signal.signal(each, leave)) for each in _SIGNALS]
    try:
        yield
    finally:
        for each, old in before:
            signal.signal(each, old)
