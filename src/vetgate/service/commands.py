"""The project's own commands at a commit and in a review, once the checks have nothing against it."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from vetgate.engine.decide import decided, gates_in_force
from vetgate.gates.command import CommandRunner
from vetgate.gates.process import end_all
from vetgate.gates.report import report_text
from vetgate.gates.sequence import run_steps
from vetgate.model import Decision, GateKind, Verdict
from vetgate.record import decision_id, record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType
    from typing import NoReturn

    from vetgate.config.schema import Config
    from vetgate.model import Event
    from vetgate.project import Project

# Nobody's clock runs but that of each gate.
_SECONDS = 24 * 3600.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Said(NamedTuple):
    """What the commands of an event came to, and what they said in failing."""

    verdict: Verdict = Verdict(Decision.ALLOW)
    text: str = ""


def run_commands(project: Project, config: Config, event: Event) -> Said:
    """On record, whatever they come to."""
    sequence = config.sequences.get(event.kind)
    if sequence is None or not any(config.gates[name].command for name in sequence.names):
        return Said()
    changed = event.change.files if event.change else ()
    files = tuple(file.path for file in changed if file.after is not None)
    gates = gates_in_force(config)
    runner = CommandRunner(project, os.environ, _SECONDS, files=files)
    with _ended_with_us():
        outcomes = run_steps(sequence.steps, gates, {GateKind.COMMAND: runner})
    notes = tuple(f"{each.gate}: {each.evidence}" for each in outcomes if each.evidence)
    number = decision_id(f"gates {time.time_ns()} {project.root}".encode())
    verdict = Verdict(decided(outcomes, gates), outcomes, notes=notes, id=number)
    record(project.decisions, event, verdict, config, round(sum(each.elapsed_ms for each in outcomes), 3))
    return Said(verdict, report_text(outcomes, gates))


@contextlib.contextmanager
def _ended_with_us() -> Iterator[None]:
    """A command leads a session of its own, so that Ctrl-C does not reach it; only the main thread hears of that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - as signals call it
        end_all()
        raise KeyboardInterrupt

    before = [(each, signal.signal(each, leave)) for each in _SIGNALS]
    try:
        yield
    finally:
        for each, old in before:
            signal.signal(each, old)
