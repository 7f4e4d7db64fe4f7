"""The project's own type checker: asked behind the answers to edits, and what it says told at the next event."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from vetgate.checks.types import CHECK, from_checker
from vetgate.checks.types.resident import RESIDENTS
from vetgate.gates.jobs import finished, keep_outcome
from vetgate.model import SILENT, Change, Decision, EventKind, Outcome, Status, Verdict
from vetgate.respond.call import is_held, listening
from vetgate.respond.verdict import drop_said, report
from vetgate.source.clock import Deadline
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.checks.types.checkers import Checker
    from vetgate.checks.types.server import Diagnostic
    from vetgate.config.schema import Config
    from vetgate.model import File, Gate
    from vetgate.respond.call import Call

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
    gates = (config.gates[name] for name in listening(config, EventKind.BEFORE_EDIT)) if config.enabled else ()
    return next((gate for gate in gates if any(name.partition("/")[0] == CHECK.id for name in gate.checks)), None)


def _ask(call: Call) -> None:
    if call.event.kind is EventKind.AFTER_COMMAND:
        for known in RESIDENTS.at(call.project.root):
            known.forget_files()
    change = call.event.change
    config = call.project.effective().config
    # It runs a program of the project's: only where a person accepted this project.
    if change is None or _gate(config) is None or call.project.store.trusted() is None:
        return
    for file in change.files:
        if config.paths.checks(file.path):
            _ask_about(call, file)


def _ask_about(call: Call, file: File) -> None:
    language = language_of(file.path)
    resident = RESIDENTS.of(call.project.root, language) if language else None
    if resident is None or language is None:
        return
    if call.event.kind is EventKind.BEFORE_EDIT:
        resident.before(call.event.session, file.path, file.before or "", language)
    elif call.event.kind is EventKind.AFTER_EDIT and file.after is not None:
        resident.after(
            call.event.session, file.path, file.after, language, partial(_keep, call, file, resident.checker)
        )


def _keep(call: Call, file: File, checker: Checker, said: tuple[Diagnostic, ...]) -> None:
    config = call.project.effective().config
    gate = _gate(config)
    if gate is not None:
        found = (from_checker(checker.name, file.path, each) for each in said)
        findings = tuple(call.analyzer.weighed(found, gate, config, file.path))
        outcome = Outcome(gate.id, Status.FAILED, findings)
        keep_outcome(call.project, call.event.session, file.path, file.after or "", outcome)


def _news(call: Call) -> Verdict:
    config = call.project.effective().config
    gate = _gate(config)
    if gate is None:
        return SILENT
    for resident in RESIDENTS.at(call.project.root) if call.event.kind is EventKind.STOP else ():
        resident.settle(Deadline.after(_AT_THE_END))
    late = finished(call.project, call.event.session, [gate.id])
    found = Outcome(gate.id, Status.FAILED, tuple(finding for each in late for finding in each.findings), late=True)
    verdict = drop_said(call.memory(config), Verdict(Decision.WARN, (found,)), config)
    return report(call, verdict, config, Change(call.project.root)) if verdict.findings else SILENT
