"""Before and after an edit, and after a look at a file."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command import SENSITIVE
from vetgate.config.looser import may_matter
from vetgate.engine.analysis import source_of
from vetgate.engine.decide import decided, failing
from vetgate.failure import advice
from vetgate.index.read import read
from vetgate.model import (
    RULES_FOLDER,
    SILENT,
    Change,
    Decision,
    EventKind,
    FailureKind,
    Outcome,
    Override,
    Touch,
    Verdict,
)
from vetgate.respond.attempts import note_repeated, too_soon
from vetgate.respond.call import ALWAYS, checking, listening
from vetgate.respond.command import on_credentials
from vetgate.respond.gates import config_of_checks
from vetgate.respond.grants import answer_to, note_answer, of_edit, use_grant
from vetgate.respond.loosened_config import before_the_write
from vetgate.respond.project_index import ask_ahead, note_edited, prepare, tend
from vetgate.respond.protected_files import note_allowed_edit
from vetgate.respond.session_files import accept
from vetgate.respond.ship import before_shipping
from vetgate.respond.sweep import after_command, begin
from vetgate.respond.verdict import contents, doubtful, report, verified
from vetgate.source.clock import ANSWERS, Deadline
from vetgate.source.edit import on_disk
from vetgate.source.root import real
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.config.schema import Config
    from vetgate.config.trust import Effective
    from vetgate.respond.call import Call

# How long a look at a file that was only read may take.
_AHEAD = 1.0


def before_edit(call: Call) -> Verdict:
    begin(call)
    in_force = call.in_force
    config = config_of_checks(call, in_force.config)
    change = call.event.change or Change(call.project.root)
    request = of_edit(change)
    if verdict := _without_configuration(in_force):
        return report(call, use_grant(call, verdict, request), config, change, request)
    if not config.enabled:
        return SILENT
    # A tool of others may write somewhere else than here.
    shipped = before_shipping(call) if call.event.command else None
    if shipped is not None and shipped.decision >= Decision.BLOCK:
        return shipped
    if not change.files and not change.unchecked:
        note = f"this {call.event.tool} was not checked: it names no path and content that vetgate can read"
        return report(call, Verdict(Decision.WARN, notes=(note,)), config, change)
    if config.retries.delay and (verdict := too_soon(call, config, change)):
        note_repeated(call, config, change)
        return report(call, verdict, config, change)
    touching = _on_credentials(call, config, change)
    if touching.decision >= Decision.ASK:
        return report(call, use_grant(call, touching, request), config, change, request)
    gates = listening(config, EventKind.BEFORE_EDIT)
    verdict = use_grant(call, verified(call, config, gates, change).joined(touching), request)
    if verdict.overridden is Override.PERSON:
        note_allowed_edit(call, change)
    if verdict.decision < Decision.BLOCK:
        call.later.append(partial(note_edited, call, config, change))
    call.later.append(partial(prepare, call, config, gates))
    return report(call, _warned_of_looser(call, change, verdict), config, change, request)


def patching(respond: Callable[[Call], Verdict]) -> Callable[[Call], Verdict]:
    """A patch inside of a command is an edit as well: what the command may do says nothing of what is written."""

    def answer(call: Call) -> Verdict:
        verdict = respond(call)
        if call.event.change is None or verdict.decision >= Decision.BLOCK:
            return verdict
        edit = replace(call.event, kind=EventKind.BEFORE_EDIT)
        return verdict.joined(before_edit(replace(call, event=edit, payload=call.payload + b"\0patch")))

    return answer


def _on_credentials(call: Call, config: Config, change: Change) -> Verdict:
    """Whoever writes where credentials lie, or names some beside what it writes, is judged as a command would be."""
    if not call.event.touches and not SENSITIVE.of(config) and _is_plainly_inside(call, change):
        return SILENT
    written = [os.fspath(change.root / file.path) for file in change.files]
    written += [os.fspath(change.root / item.path) for item in change.unchecked]
    named = (each for each in call.event.touches if os.fspath(real(Path(each.path))) not in written)
    outcomes = on_credentials(call, config, (*(Touch(path, "writes") for path in written), *named), call.project.root)
    return Verdict(decided(outcomes, config), outcomes)


def _is_plainly_inside(call: Call, change: Change) -> bool:
    """Nearly every edit: in the session's own project, which holds no home folder."""
    root = call.project.root
    if call.at_home is not call or change.unchecked or Path.home().is_relative_to(root):
        return False
    return not any(file.path.startswith("/") for file in change.files)


def _without_configuration(in_force: Effective) -> Verdict | None:
    """What to answer while nobody can read it; None where what was read last is in force."""
    if in_force.must_ask:
        unreadable = "its configuration cannot be read, and it knows no earlier one."
        return Verdict(Decision.ASK, notes=(" ".join((unreadable, *in_force.notes)),))
    decision = failing(FailureKind.CONFIG, in_force.config)
    if in_force.problem is None or decision is Decision.ALLOW:
        return None
    return Verdict(decision, notes=(f"{' '.join(in_force.notes)} {advice(FailureKind.CONFIG)}",))


def _warned_of_looser(call: Call, change: Change, verdict: Verdict) -> Verdict:
    """What would loosen the gate, or change its rules, is said to, though a person has to accept it first."""
    if not may_matter([file.path for file in change.files]):
        return verdict
    found = tuple(before_the_write(call, change))
    outcomes = (*verdict.outcomes, Outcome.of_findings(ALWAYS, found)) if found else verdict.outcomes
    named = {each.span.path for each in found}
    pages = [file.path for file in change.files if file.path.startswith(f"{RULES_FOLDER}/") and file.path not in named]
    note = f"{', '.join(pages)} would change what counts here; it is not in force until a person runs `vetgate trust`"
    if not found and not pages:
        return verdict
    notes = (*verdict.notes, note) if pages else verdict.notes
    return replace(verdict, decision=max(verdict.decision, Decision.WARN), outcomes=outcomes, notes=notes)


def after_edit(call: Call) -> Verdict:
    """What landed is what was judged, or it is judged now: another hook may have changed the call."""
    config = config_of_checks(call, call.in_force.config)
    change = call.event.change
    if change is None or not config.enabled:
        return SILENT
    if answer := answer_to(call, config, contents(change)):
        note_answer(call, config, answer)
        if answer.wanted is not None:
            accept(call, config, [replace(file, before=file.after) for file in change.files], answer.wanted)
    call.later.append(partial(tend, call, config, listening(config, EventKind.BEFORE_EDIT)))
    call.later.append(partial(ask_ahead, call, change))
    more = checking(config, EventKind.AFTER_EDIT)
    unsure = doubtful(change, call.memory(config))
    if not more and not unsure.files:
        return SILENT
    gates = (*listening(config, EventKind.BEFORE_EDIT), *more)
    return report(call, verified(call, config, gates, change if more else unsure), config, change)


def after_tool(call: Call) -> Verdict:
    """What was read is likely to be edited next: a process that stays looks at it while nobody waits."""
    if call.event.reads is not None and call.stays:
        call.later.append(partial(_look_ahead, call, call.event.reads))
    return SILENT if call.event.only_reads else after_command(call)


def _look_ahead(call: Call, path: Path) -> None:
    """The edit may come any moment: before all else that can wait."""
    with ANSWERS.answering():
        _analyze_ahead(call, path)


def _analyze_ahead(call: Call, path: Path) -> None:
    config = call.in_force.config
    change = on_disk([path], call.event.cwd)
    for file in change.files:
        if file.after is not None and change.root == call.project.root and config.paths.checks(file.path):
            with contextlib.suppress(NotText):
                source = source_of(file.path, file.after, root=change.root)
                read(source)  # first: whoever edits it meanwhile waits for the rest
                for gate in config.on.get(EventKind.BEFORE_EDIT, ()):
                    call.analyzer.analyze(config.gates[gate], config, source, Deadline.after(_AHEAD))
