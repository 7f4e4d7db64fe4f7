"""The project's own commands and its judges at a commit, in the order as written beside its checks."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks import all_checks
from vetgate.checks.secrets.redaction import word_redactor
from vetgate.engine.analysis import Analyzer
from vetgate.engine.decide import decided
from vetgate.gates.command import CommandRunner
from vetgate.gates.judge import JudgeRunner
from vetgate.gates.process import end_all
from vetgate.gates.proof import ProofRunner
from vetgate.gates.report import report_text
from vetgate.gates.sequence import run_steps, steps_left
from vetgate.model import Change, Decision, GateKind, Verdict
from vetgate.progress import unseen
from vetgate.record import decision_id, record
from vetgate.respond.landing import landing_runners
from vetgate.service.index import ready_index
from vetgate.source.git_landing import Landing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import NoReturn

    from vetgate.config.schema import Config
    from vetgate.gates.sequence import Runner
    from vetgate.model import Event, Outcome
    from vetgate.project import Project

# Nobody's clock runs but that of each gate.
SECONDS = 24 * 3600.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Said(NamedTuple):
    """What the commands and judges of an event came to, and what they said in failing."""

    verdict: Verdict = Verdict(Decision.ALLOW)
    text: str = ""


def run_commands(
    project: Project, config: Config, event: Event, spoken: tuple[Outcome, ...] = (), held: Decision | None = None
) -> Said:
    """What is left of the event's gates once its checks have `spoken`; on record, whatever it comes to."""
    sequence = config.sequences.get(event.kind)
    steps = steps_left(sequence, config, spoken, held) if sequence else ()
    if not steps:
        return Said()
    change = event.change or Change(project.root)
    files = tuple(file.path for file in change.files if file.after is not None)
    kinds = {config.gates[name].kind for name in config.reached(name for step in steps for name in step)}
    runners: dict[GateKind, Runner] = {GateKind.COMMAND: CommandRunner(project, os.environ, SECONDS, files=files)}
    if GateKind.JUDGE in kinds:
        runners[GateKind.JUDGE] = judge_runner(project, config, event)
    if GateKind.PROOF in kinds:
        runners[GateKind.PROOF] = ProofRunner(project, os.environ, SECONDS, base=change.base or "")
    if GateKind.CHECKS in kinds:
        analyzer = Analyzer(all_checks(), word_redactor)
        index = ready_index(project.root, config, project.state_dir, unseen)
        runners |= landing_runners(Landing(change), config, analyzer, project.suppressions(), index)
    with ended_with_us():
        outcomes = run_steps(steps, config, runners)
    notes = tuple(f"{each.gate}: {each.evidence}" for each in outcomes if each.evidence)
    number = decision_id(f"gates {time.time_ns()} {project.root}".encode())
    verdict = Verdict(decided(outcomes, config), outcomes, notes=notes, id=number)
    record(project.decisions, event, verdict, config, round(sum(each.elapsed_ms for each in outcomes), 3))
    return Said(verdict, report_text(outcomes, config))


def judge_runner(project: Project, config: Config, event: Event, seconds: float = SECONDS) -> JudgeRunner:
    """Each is waited for as long as its consensus says; what importing takes does not count."""
    return JudgeRunner(project, config, event, os.environ, seconds, warms_up=True)


@contextlib.contextmanager
def ended_with_us(leaving: Callable[[], None] = lambda: None) -> Iterator[None]:
    """A command leads a session of its own, so that Ctrl-C does not reach it; only the main thread hears of that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - as signals call it
        leaving()
        end_all()
        raise KeyboardInterrupt

    before = [(each, signal.signal(each, leave)) for each in _SIGNALS]
    try:
        yield
    finally:
        for each, old in before:
            signal.signal(each, old)
