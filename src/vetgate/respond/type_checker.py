"""The project's own type checker: asked behind the answers to edits, and what it says told at the next event."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.checks.types import CHECK, from_checker
from vetgate.checks.types.resident import RESIDENTS
from vetgate.engine.decide import decided
from vetgate.gates.jobs import begin_job, claim_jobs, end_job
from vetgate.gates.process import LOST
from vetgate.model import SILENT, Change, Decision, EventKind, GateKind, Outcome, Verdict
from vetgate.respond.call import is_held, listening
from vetgate.respond.session_diff import diff_since_session_start
from vetgate.respond.verdict import drop_said, note_said, report
from vetgate.source.clock import Deadline
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.checks.types.checkers import Checker
    from vetgate.checks.types.server import Diagnostic
    from vetgate.config.schema import Config
    from vetgate.model import File, Gate
    from vetgate.respond.call import Call
    from vetgate.store import Job

    Respond = Callable[[Call], Verdict]

_TELLS = frozenset({EventKind.AFTER_EDIT, EventKind.AFTER_COMMAND, EventKind.PROMPT, EventKind.STOP})
# After the last edit of a turn there is no next event.
_AT_THE_END = 1.0


def typed(respond: Respond) -> Respond:
    """The answer, and what the checker has said since the last one."""

    def answer(call: Call) -> Verdict:
        verdict = respond(call)
        if not call.runs_programs or is_held(call, verdict):
            return verdict
        if call.stays:
            call.later.append(partial(_ask, call))
        return verdict.joined(_news(call)) if call.event.kind in _TELLS else verdict

    return answer


def _gate(config: Config) -> Gate | None:
    """The one that looks at types when a file is edited."""
    names = config.reached(listening(config, EventKind.BEFORE_EDIT)) if config.enabled else ()
    gates = (config.gates[name] for name in names)
    return next((gate for gate in gates if any(name.partition("/")[0] == CHECK.id for name in gate.checks)), None)


def _ask(call: Call) -> None:
    if call.event.kind is EventKind.AFTER_COMMAND:
        for known in RESIDENTS.at(call.project.root):
            known.forget_files()
    change = call.event.change
    config = call.in_force.config
    # It runs a program of the project's: only where a person accepted this project.
    if change is None or _gate(config) is None or call.project.store.trusted() is None:
        return
    for file in change.files:
        if config.paths.checks(file.path):
            _ask_about(call, file)


def _ask_again(call: Call, paths: list[str]) -> None:
    """What another process was asked that is gone, with all that it knew of the files as the session found them."""
    for file in diff_since_session_start(call, paths).change.files:
        for kind in (EventKind.BEFORE_EDIT, EventKind.AFTER_EDIT):
            _ask_about(replace(call, event=replace(call.event, kind=kind)), file)


def _can_ask_again(call: Call, config: Config, job: Job) -> bool:
    gate, language = _gate(config), language_of(job.path)
    if gate is None or gate.id != job.gate or language is None or call.project.store.trusted() is None:
        return False
    return RESIDENTS.of(call.project.root, language) is not None


def _ask_about(call: Call, file: File) -> None:
    language = language_of(file.path)
    resident = RESIDENTS.of(call.project.root, language) if language else None
    if resident is None or language is None:
        return
    if call.event.kind is EventKind.BEFORE_EDIT:
        resident.before(call.event.session, file.path, file.before or "", language)
    elif call.event.kind is EventKind.AFTER_EDIT and file.after is not None:
        gate = _gate(call.in_force.config)
        if gate is None:
            return
        job = begin_job(call.project, call.event.session, gate.id, file.path, file.after)
        tell = partial(_keep, call, job, resident.checker)
        if not resident.after(call.event.session, file.path, file.after, language, tell):
            end_job(call.project, job)


def _keep(call: Call, job: Job, checker: Checker, said: tuple[Diagnostic, ...]) -> None:
    config = call.in_force.config
    gate = _gate(config)
    if gate is None or gate.id != job.gate:
        end_job(call.project, job)
        return
    found = (from_checker(checker.name, job.path, each) for each in said)
    end_job(call.project, job, Outcome.of_findings(gate.id, call.analyzer.weighed(found, gate, config, job.path)))


def _news(call: Call) -> Verdict:
    """Also what any other gate that looks at a change comes to after its answer."""
    config = call.in_force.config
    names = [name for name, gate in config.gates.items() if gate.kind is GateKind.CHECKS] if config.enabled else []
    if not names:
        return SILENT
    for resident in RESIDENTS.at(call.project.root) if call.event.kind is EventKind.STOP else ():
        resident.settle(Deadline.after(_AT_THE_END))
    jobs = claim_jobs(call.project, call.event.session, names, call.later)
    lost = [job for job in jobs if job.outcome is None]
    again = [job.path for job in lost if call.stays and _can_ask_again(call, config, job)]
    if again:
        call.later.append(partial(_ask_again, call, again))
    late = tuple(replace(job.outcome, late=True) for job in jobs if job.outcome is not None)
    notes = tuple(f"{job.path} was not checked to the end: {LOST}" for job in lost if job.path not in again)
    decision = max(decided(late, config), Decision.WARN if notes else Decision.ALLOW)
    memory = call.memory(config)
    verdict = drop_said(memory, Verdict(decision, late, notes), config)
    note_said(memory, verdict, config)
    return report(call, verdict, config, Change(call.project.root)) if verdict.findings or notes else SILENT
