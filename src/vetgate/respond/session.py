"""The start of a session, and the probe that shows whether the gate is on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.agents import AGENTS
from vetgate.agents.correction import correction
from vetgate.agents.welcome import welcome
from vetgate.config.load import defaults
from vetgate.engine.run import Runner
from vetgate.model import Decision, EventKind, Reply
from vetgate.respond.across import tend
from vetgate.respond.call import SECONDS, listening
from vetgate.respond.sweep import begin
from vetgate.respond.verdict import judged, texts
from vetgate.source.deadline import Deadline

if TYPE_CHECKING:
    from vetgate.engine.look import Looker
    from vetgate.model import Event
    from vetgate.respond.call import Call

# `vetgate doctor` asks with this session: judged by the defaults, so never looser, and never remembered.
CANARY = "vetgate-canary"


def canary(event: Event, looker: Looker) -> Reply:
    if event.kind is not EventKind.BEFORE_EDIT or event.change is None:
        return Reply()
    config = defaults()
    verdict = judged(config.on[event.kind], event.change, Runner(looker, config, Deadline.after(SECONDS)))
    text = correction(verdict, config.gates, texts(event.change, verdict), config.output)
    return AGENTS[event.agent].render(event, verdict.decision, text)


def session_start(call: Call) -> Reply:
    begin(call)
    in_force = call.project.effective()
    tend(call, in_force.config, listening(in_force.config, EventKind.BEFORE_EDIT))
    notes = [note for note in (*in_force.notes, call.project.store.problem) if note]
    text = welcome(in_force.config, notes)
    # The agent is told, but only a person can put these right.
    return AGENTS[call.event.agent].render(call.event, Decision.ALLOW, text, "; ".join(f"vetgate: {n}" for n in notes))
