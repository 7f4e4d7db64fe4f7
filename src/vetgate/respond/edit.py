"""Before and after an edit, and after a look at a file."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.config.pages import FOLDER
from vetgate.engine.analysis import source_of
from vetgate.engine.decide import decided
from vetgate.failure import READS, advice
from vetgate.index.read import read
from vetgate.model import SILENT, Change, Decision, EventKind, FailureKind, Outcome, Status, Touch, Verdict
from vetgate.respond.attempts import too_soon
from vetgate.respond.call import ALWAYS, checking, listening
from vetgate.respond.command import on_credentials
from vetgate.respond.loosened_config import before_the_write
from vetgate.respond.project_index import note_edited, prepare, tend
from vetgate.respond.questions import answered
from vetgate.respond.starting_point import accept
from vetgate.respond.sweep import after_command, begin
from vetgate.respond.verdict import contents, doubtful, report, verified
from vetgate.source.clock import Deadline
from vetgate.source.edit import on_disk
from vetgate.source.root import real
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.config.trust import Effective
    from vetgate.respond.call import Call

# How long a look at a file that was only read may take.
_AHEAD = 1.0


def before_edit(call: Call) -> Verdict:
    begin(call)
    in_force = call.project.effective()
    config = in_force.config
    change = call.event.change or Change(call.project.root)
    if verdict := _without_configuration(in_force):
        return report(call, verdict, config, change)
    if not config.enabled:
        return SILENT
    if not change.files and not change.unchecked:
        note = f"this {call.event.tool} was not checked: it names no path and content that vetgate can read"
        return report(call, Verdict(Decision.WARN, notes=(note,)), config, change)
    if verdict := too_soon(call, config, change) or _on_credentials(call, config, change):
        return report(call, verdict, config, change)
    gates = listening(config, EventKind.BEFORE_EDIT)
    verdict = verified(call, config, gates, change)
    if verdict.decision < Decision.BLOCK:
        call.later.append(partial(note_edited, call, config, change))
    prepare(call, config, gates)
    return report(call, _warned_of_looser(call, change, verdict), config, change)


def _on_credentials(call: Call, config: Config, change: Change) -> Verdict | None:
    """Whoever writes where credentials lie, or names some beside what it writes, is judged as a command would be."""
    if not call.event.touches and not config.commands.sensitive and _is_plainly_inside(call, change):
        return None
    written = [os.fspath(change.root / file.path) for file in change.files]
    written += [os.fspath(change.root / item.path) for item in change.unchecked]
    named = (each for each in call.event.touches if os.fspath(real(Path(each.path))) not in written)
    outcomes = on_credentials(call, config, (*(Touch(path, "writes") for path in written), *named), call.project.root)
    return Verdict(decided(outcomes, config.gates), outcomes) if outcomes else None


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
    answer = in_force.config.on_failure["config"]
    if in_force.problem is None or answer == "allow":
        return None
    note = f"{' '.join(in_force.notes)} {advice(FailureKind.CONFIG)}"
    return Verdict(Decision.ASK if answer == "ask" else Decision.BLOCK, notes=(note,))


def _warned_of_looser(call: Call, change: Change, verdict: Verdict) -> Verdict:
    """What would loosen the gate, or change its rules, is said to, though a person has to accept it first."""
    found = tuple(before_the_write(call, change))
    outcomes = (*verdict.outcomes, Outcome(ALWAYS, Status.FAILED, found)) if found else verdict.outcomes
    named = {each.span.path for each in found}
    pages = [file.path for file in change.files if file.path.startswith(f"{FOLDER}/") and file.path not in named]
    note = f"{', '.join(pages)} would change what counts here; it is not in force until a person runs `vetgate trust`"
    if not found and not pages:
        return verdict
    notes = (*verdict.notes, note) if pages else verdict.notes
    return replace(verdict, decision=max(verdict.decision, Decision.WARN), outcomes=outcomes, notes=notes)


def after_edit(call: Call) -> Verdict:
    """What landed is what was judged, or it is judged now: another hook may have changed the call."""
    config = call.project.effective().config
    change = call.event.change
    if change is None or not config.enabled:
        return SILENT
    asked = answered(call, config, contents(change))
    if asked is not None:
        accept(call, config, [replace(file, before=file.after) for file in change.files], asked)
    tend(call, config, listening(config, EventKind.BEFORE_EDIT))
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
    return SILENT if call.event.tool in READS else after_command(call)


def _look_ahead(call: Call, path: Path) -> None:
    config = call.project.effective().config
    change = on_disk([path], call.event.cwd)
    for file in change.files:
        if file.after is not None and change.root == call.project.root and config.paths.checks(file.path):
            with contextlib.suppress(NotText):
                source = source_of(file.path, file.after, root=change.root)
                for gate in config.on.get(EventKind.BEFORE_EDIT, ()):
                    call.analyzer.analyze(config.gates[gate], config, source, Deadline.after(_AHEAD))
                read(source)
