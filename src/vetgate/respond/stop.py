"""The end of a turn: what nobody has passed yet is judged, and what is open holds the agent back, so many times."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.engine.analysis import digest_of
from vetgate.engine.decide import after_rounds, at_the_end
from vetgate.model import SILENT, Decision, EventKind, Message, UncheckedKind
from vetgate.respond.call import listening, roots_of
from vetgate.respond.correction import times
from vetgate.respond.gates import config_of_checks
from vetgate.respond.grants import await_person, of_turn, use_grant
from vetgate.respond.project_index import edited, still_broken
from vetgate.respond.protected_files import with_tampering
from vetgate.respond.record_trouble import take_notes
from vetgate.respond.session_commits import report_committed_unseen
from vetgate.respond.session_diff import diff_since_session_start
from vetgate.respond.session_files import accept
from vetgate.respond.sweep import outside, sweep
from vetgate.respond.verdict import (
    needs_person,
    remember,
    report,
    report_pass,
    unsettled,
    verified,
    with_outcomes,
)
from vetgate.source.edit import on_disk
from vetgate.source.root import name_in
from vetgate.store import SessionMark

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.model import Change, Outcome, Unchecked, Verdict
    from vetgate.project import SessionMemory
    from vetgate.respond.call import Call

# How often in a row `stop` holds an agent back for the same files.
_ROUNDS = 3
_SHOWN = 10
_LAST = "this is the last time that the turn is held; then the person is told what is still open."


def stop(call: Call) -> Verdict:
    """Every file of the session whose content on disk nobody has passed yet, in every project it has edited."""
    if call.event.waits_for_agent:  # the client ends the turn once more when that one has ended
        return SILENT
    last = SILENT
    for root in roots_of(call):
        verdict = _stop_in(replace(call, project=call.open_project(root)))
        if verdict.decision >= Decision.BLOCK:
            return verdict
        last = verdict if verdict.messages else last
    return last


def _stop_in(call: Call) -> Verdict:
    config = config_of_checks(call, call.in_force.config)
    gates = listening(config, EventKind.STOP)
    if not config.enabled or not gates:
        return SILENT
    memory = call.memory(config)
    root = call.project.root
    take_notes(call)
    behind = sweep(call, config, thorough=True)
    names = {file.path for file in behind.files}
    places = [place for place in memory.places() if _may_hold_code(place, root)]
    known = on_disk((place for place in places if name_in(root, place) not in names), root, root)
    here = tuple(file for file in known.files if file.after is not None)
    unchecked = (*known.unchecked, *behind.unchecked)
    change = unsettled(replace(known, files=(*here, *behind.files), unchecked=unchecked), memory)
    verdict = verified(call, config, gates, change)
    broken = _broken(call, config, gates, behind)
    more = (*with_tampering(call, config, gates), *broken, *outside(call, config))
    more = (*more, *report_committed_unseen(call, config, gates, verdict))
    verdict = with_outcomes(call, config, verdict, more)
    missed = _missed(memory, verdict)
    for item in missed:
        memory.mark(item.path, SessionMark.UNCHECKED, item.reason)
    verdict = at_the_end(verdict, missed=bool(missed))
    if verdict.decision < Decision.BLOCK:
        memory.let_go()
        return verdict
    reason = digest_of("\n".join(sorted((*verdict.notes, *(f.fingerprint for f in verdict.findings if f.new)))))
    request = of_turn(verdict, change)
    if (allowed := use_grant(call, verdict, request)).overridden:
        _accept(call, config, allowed, change)
        return report_pass(call, allowed, config, change)
    # A turn that no client ended is none: so nobody uses up the rounds behind its back.
    rounds = memory.count_hold(reason) if call.is_from_client else 1
    is_for_person = needs_person(verdict, config) and not verdict.unchecked
    most = 1 if is_for_person else _ROUNDS
    decision = after_rounds(verdict.decision, rounds, most)
    if decision < Decision.BLOCK:
        held = f"vetgate held this session back {times(most)} and no longer holds it"
        text = f"{held}; still open: {_still_open(verdict)}"
        verdict = replace(verdict, decision=decision, notes=(*verdict.notes, text))
        line = f"{text}; {await_person(call, request, _still_open(verdict))}"
        return replace(report_pass(call, verdict, config, change), messages=(Message(decision, "", line),))
    if rounds == most:
        verdict = replace(verdict, notes=(*verdict.notes, _LAST))
    return report(call, verdict, config, change, request if is_for_person else None)


def _may_hold_code(place: Path, root: Path) -> bool:
    """In this work tree, others of which share the store. Git's own files are compared as protected ones."""
    return place.is_relative_to(root) and ".git" not in place.relative_to(root).parts


def _accept(call: Call, config: Config, verdict: Verdict, change: Change) -> None:
    """From here on it is what the session started from."""
    memory = call.memory(config)
    remember(memory, change, verdict, ends=True)
    memory.let_go()
    accept(call, config, [replace(file, before=file.after) for file in change.files])


def _still_open(verdict: Verdict) -> str:
    named = (f"{each.id} in {each.span.path}" for each in verdict.findings if each.new and not each.advisory)
    places = list(dict.fromkeys((*named, *(f"{item.path} (not checked)" for item in verdict.unchecked))))
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return ", ".join(places[:_SHOWN]) + more


def _broken(call: Call, config: Config, gates: tuple[str, ...], behind: Change) -> tuple[Outcome, ...]:
    """Of all that the session has changed, compared with the last commit."""
    known = {file.path for file in behind.files}
    rest = diff_since_session_start(call, [path for path in edited(call, config) if path not in known]).change
    return still_broken(call, config, gates, replace(rest, files=(*rest.files, *behind.files)))


def _missed(memory: SessionMemory, verdict: Verdict) -> list[Unchecked]:
    """Whatever could not be looked at holds once; what a tool made is no code that anybody would read."""
    missed = [item for item in verdict.unchecked if item.holds or item.kind is not UncheckedKind.NOT_PARSED]
    return [item for item in missed if not memory.is_marked(item.path, SessionMark.UNCHECKED, item.reason)]
