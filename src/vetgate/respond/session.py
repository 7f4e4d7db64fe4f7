"""The start of a session, and the probe that shows whether the gate is on."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.config.load import defaults
from vetgate.engine.run import CheckRunner
from vetgate.model import SILENT, Decision, EventKind, Message, Verdict
from vetgate.record import acceptance_words
from vetgate.respond.call import SECONDS, listening
from vetgate.respond.correction import correction
from vetgate.respond.project_index import tend
from vetgate.respond.session_greeting import welcome
from vetgate.respond.sweep import begin
from vetgate.respond.verdict import judged, texts
from vetgate.source.deadline import Deadline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vetgate.config.schema import Config
    from vetgate.engine.analysis import Analyzer
    from vetgate.model import Event
    from vetgate.respond.call import Call
    from vetgate.store import Accepted

_SKIPPED = "commands of this project do not run, because the gate runs under another account; run them in CI"


def canary(event: Event, analyzer: Analyzer) -> Verdict:
    if event.kind is not EventKind.BEFORE_EDIT or event.change is None:
        return SILENT
    config = defaults()
    verdict = judged(config.on[event.kind], event.change, CheckRunner(analyzer, config, Deadline.after(SECONDS)))
    text = correction(verdict, config.gates, texts(event.change, verdict), config.output)
    return replace(verdict, messages=(Message(verdict.decision, text),))


# Acceptances that are told one by one; of more than these the number is told.
_TOLD_ONE_BY_ONE = 5


def _commands(config: Config) -> bool:
    return any(gate.command for gate in config.gates.values())


def session_start(call: Call) -> Verdict:
    begin(call)
    in_force = call.project.effective()
    tend(call, in_force.config, listening(in_force.config, EventKind.BEFORE_EDIT))
    store = call.project.store
    skipped = "" if call.runs_programs or not _commands(in_force.config) else _SKIPPED
    notes = [note for note in (*in_force.notes, store.problem, skipped) if note]
    if call.event.kind is EventKind.SESSION_START and (accepted := store.accepted_since_told()):
        notes += _accepted(accepted)
        call.later.append(partial(store.tell_accepted, accepted[-1].seq))
    text = welcome(in_force.config, notes)
    # The agent is told, but only a person can put these right.
    message = Message(Decision.ALLOW, text, "; ".join(f"vetgate: {note}" for note in notes))
    return Verdict(Decision.ALLOW, messages=(message,))


def _accepted(rows: Sequence[Accepted]) -> list[str]:
    """What was accepted since the last session: whoever did not do it themselves should know."""
    told = [acceptance_words(each.row) for each in rows if each.row.body.get("decision") != "used"]
    more = len(told) - _TOLD_ONE_BY_ONE
    shown = [f"since the last session: {each}" for each in told[-_TOLD_ONE_BY_ONE:]]
    return [f"since the last session: {more} more acceptances, see `vetgate log`", *shown] if more > 0 else shown
