"""The project's own commands and its judges at a commit, in the order as written beside its checks."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from vetgate.checks import all_checks
from vetgate.checks.secrets.redaction import word_redactor
from vetgate.engine.analysis import Analyzer
from vetgate.engine.decide import decided
from vetgate.gates.command import CommandRunner
from vetgate.gates.proof import ProofRunner
from vetgate.gates.report import report_text
from vetgate.gates.sequence import run_steps, steps_left
from vetgate.model import Change, Decision, GateKind, Verdict
from vetgate.progress import unseen
from vetgate.record import decision_id, record
from vetgate.respond.landing import landing_runners
from vetgate.service.index import ready_index
from vetgate.service.unhurried import SECONDS, ended_with_us, judge_runner
from vetgate.source.git_landing import Landing

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.gates.sequence import Runner
    from vetgate.model import Event, Outcome
    from vetgate.project import Project


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
