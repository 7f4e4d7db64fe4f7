"""What vetgate does at each kind of event."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.agents import AGENTS
from vetgate.agents.correction import correction, summary
from vetgate.agents.welcome import welcome
from vetgate.config.load import defaults
from vetgate.config.pages import FOLDER
from vetgate.engine.decide import blocks, decided
from vetgate.engine.look import digest_of, source_of
from vetgate.engine.run import Runner
from vetgate.model import CONFIG_NAME, Change, Decision, Event, EventKind, Reply, Verdict
from vetgate.project import SessionMemory, around, head_text, mentioning
from vetgate.record import decision_id, elapsed_ms, record
from vetgate.source.deadline import Deadline
from vetgate.source.edit import on_disk
from vetgate.source.text import NotText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.engine.look import Looker
    from vetgate.model import Outcome
    from vetgate.project import Project

# Unless the caller has less: below the client's own deadline of 4 s, so that what was found still reaches the agent.
SECONDS = 3.0
# Of the time there is, what is kept for settling and telling.
_RESERVE = 0.15
# How often in a row `stop` holds an agent back for the same files.
_ROUNDS = 3
# How long a look at a file that was only read may take.
_AHEAD = 1.0
# `vetgate doctor` asks with this session: judged by the defaults, so never looser, and never remembered.
CANARY = "vetgate-canary"


@dataclass(frozen=True, slots=True)
class Call:
    event: Event
    project: Project
    looker: Looker
    payload: bytes
    started: float
    seconds: float = SECONDS
    later: list[Callable[[], None]] = field(default_factory=list)
    stays: bool = field(default=False, kw_only=True)
    open_project: Callable[[Path], Project] = field(kw_only=True)

    def memory(self, config: Config) -> SessionMemory:
        return SessionMemory(self.project, self.event.session, config.digest)

    def runner(self, config: Config, memory: SessionMemory) -> Runner:
        deadline = Deadline.after(max(self.seconds - _RESERVE, self.seconds / 2))
        root = self.project.root
        return Runner(
            self.looker,
            config,
            deadline,
            memory,
            partial(head_text, root),
            partial(mentioning, root),
            partial(around, root),
        )


def responses() -> Mapping[EventKind, Callable[[Call], Reply]]:
    return {
        EventKind.SESSION_START: session_start,
        EventKind.SUBAGENT_START: session_start,
        EventKind.BEFORE_EDIT: before_edit,
        EventKind.AFTER_EDIT: after_edit,
        EventKind.AFTER_TOOL: after_tool,
        EventKind.SUBAGENT_STOP: stop,
        EventKind.STOP: stop,
    }


def judged(gates: Iterable[str], change: Change, runner: Runner) -> Verdict:
    """Each of these gates over the change; the strongest decision wins."""
    outcomes = tuple(runner.run(runner.config.gates[name], change) for name in dict.fromkeys(gates))
    return Verdict(decided(outcomes, runner.config.gates), outcomes)


def canary(event: Event, looker: Looker) -> Reply:
    if event.kind is not EventKind.BEFORE_EDIT or event.change is None:
        return Reply()
    config = defaults()
    verdict = judged(config.on[event.kind], event.change, Runner(looker, config, Deadline.after(SECONDS)))
    text = correction(verdict, config.gates, _texts(event.change), config.output)
    return AGENTS[event.agent].render(event, verdict.decision, text)


def session_start(call: Call) -> Reply:
    in_force = call.project.effective()
    notes = [note for note in (*in_force.notes, call.project.store.problem) if note]
    text = welcome(in_force.config, notes)
    # The agent is told, but only a person can put these right.
    return AGENTS[call.event.agent].render(call.event, Decision.ALLOW, text, "; ".join(f"vetgate: {n}" for n in notes))


def before_edit(call: Call) -> Reply:
    in_force = call.project.effective()
    agent = AGENTS[call.event.agent]
    if in_force.must_ask:
        text = f"vetgate cannot read its configuration and knows no earlier one. {' '.join(in_force.notes)}"
        return agent.render(call.event, Decision.ASK, text)
    config = in_force.config
    change = call.event.change or Change(call.project.root)
    if not config.enabled:
        return Reply()
    if not change.files and not change.unchecked:
        text = f"vetgate did not check this {call.event.tool}: it names no path and content that vetgate can read."
        return agent.render(call.event, Decision.WARN, text)
    verdict = _verified(call, config, config.on.get(EventKind.BEFORE_EDIT, ()), change)
    return _told(call, _warned_of_looser(call.project, change, verdict), config, change)


def _warned_of_looser(project: Project, change: Change, verdict: Verdict) -> Verdict:
    """What would loosen the gate, or change its rules, is said to, though a person has to accept it first."""
    written = next((file.after for file in change.files if file.path == CONFIG_NAME and file.after is not None), None)
    looser = project.looser(written) if written is not None else ()
    pages = [file.path for file in change.files if file.path.startswith(f"{FOLDER}/")]
    told = [f"this {CONFIG_NAME} is looser ({'; '.join(looser)})"] if looser else []
    told += [f"{', '.join(pages)} would change the rules of this project"] if pages else []
    if not told:
        return verdict
    note = f"{'; '.join(told)}; it is not in force until a person runs `vetgate trust`"
    return replace(verdict, decision=max(verdict.decision, Decision.WARN), notes=(*verdict.notes, note))


def after_edit(call: Call) -> Reply:
    """What landed is what was judged, or it is judged now: another hook may have changed the call."""
    config = call.project.effective().config
    change = call.event.change
    if change is None or not config.enabled:
        return Reply()
    listening = config.on.get(EventKind.AFTER_EDIT, ())
    doubtful = _doubtful(change, call.memory(config))
    if not listening and not doubtful.files:
        return Reply()
    gates = (*config.on.get(EventKind.BEFORE_EDIT, ()), *listening)
    return _told(call, _verified(call, config, gates, change if listening else doubtful), config, change)


def after_tool(call: Call) -> Reply:
    """What was read is likely to be edited next: a process that stays looks at it while nobody waits."""
    if call.event.reads is not None and call.stays:
        call.later.append(partial(_look_ahead, call, call.event.reads))
    return Reply()


def _look_ahead(call: Call, path: Path) -> None:
    config = call.project.effective().config
    change = on_disk([path], call.event.cwd)
    for file in change.files:
        if file.after is not None and change.root == call.project.root and config.paths.checks(file.path):
            for gate in config.on.get(EventKind.BEFORE_EDIT, ()):
                with contextlib.suppress(NotText):
                    source = source_of(file.path, file.after, root=change.root)
                    call.looker.look(config.gates[gate], config, source, Deadline.after(_AHEAD))


def stop(call: Call) -> Reply:
    """Every file of the session whose content on disk nobody has passed yet, in every project it has edited."""
    if call.event.raw.get("background_tasks"):
        return Reply()  # it stops again when they have ended
    said = Reply()
    for root in dict.fromkeys((call.project.root, *call.project.store.visited(call.event.session))):
        decision, reply = _stop_in(replace(call, project=call.open_project(root)))
        if decision >= Decision.BLOCK:
            return reply
        said = reply if reply.stdout else said
    return said


def _stop_in(call: Call) -> tuple[Decision, Reply]:
    config = call.project.effective().config
    gates = config.on.get(EventKind.STOP, ())
    if not config.enabled or not gates:
        return Decision.ALLOW, Reply()
    memory = call.memory(config)
    root = call.project.root
    places = [place for place in memory.places() if place.is_relative_to(root)]  # work trees share a store
    change = _doubtful(on_disk(places, root, root), memory)
    verdict = _made_up_for(memory, _verified(call, config, gates, change))
    if verdict.decision < Decision.BLOCK:
        memory.let_go()
        return verdict.decision, Reply()
    reason = digest_of("\n".join(sorted((*verdict.notes, *(f.fingerprint for f in verdict.findings if f.new)))))
    if memory.held_back(reason) > _ROUNDS:
        still = ", ".join(file.path for file in change.files)
        text = f"vetgate held this session back {_ROUNDS} times and stands aside; still open: {still}"
        return Decision.WARN, AGENTS[call.event.agent].render(call.event, Decision.WARN, "", text)
    return verdict.decision, _told(call, verdict, config, change)


def _made_up_for(memory: SessionMemory, verdict: Verdict) -> Verdict:
    """An edit that was not checked passed on a promise: what fails again holds, what is beyond a limit holds once."""
    failed = [f"not checked: {outcome.error}" for outcome in verdict.outcomes if outcome.error]
    beyond = [item for item in verdict.unchecked if memory.untold(item.path, f"unchecked {item.reason}")]
    if not failed and not beyond:
        return verdict
    return replace(verdict, decision=max(verdict.decision, Decision.BLOCK), notes=(*verdict.notes, *failed))


def _doubtful(change: Change, memory: SessionMemory) -> Change:
    """The files whose content is not what passed last."""
    files = (file for file in change.files if file.after is not None)
    return replace(
        change, files=tuple(file for file in files if not memory.stands(file.path, digest_of(file.after or "")))
    )


def _verified(call: Call, config: Config, gates: Iterable[str], change: Change) -> Verdict:
    memory = call.memory(config)
    verdict = judged(gates, change, call.runner(config, memory))
    if verdict.decision < Decision.BLOCK:
        call.later.append(partial(_remember, memory, change, verdict))
        verdict = _said_once(memory, verdict, config)
    return verdict


def _remember(memory: SessionMemory, change: Change, verdict: Verdict) -> None:
    unverified = {item.path: item.reason for item in verdict.unchecked}
    failed = "; ".join(outcome.error for outcome in verdict.outcomes if outcome.error)
    for file in change.files:
        if file.after is not None:
            memory.passed(file.path, digest_of(file.after), unverified.get(file.path, failed))
    for item in change.unchecked:
        memory.doubt(item.path, item.reason)


def _said_once(memory: SessionMemory, verdict: Verdict, config: Config) -> Verdict:
    """Without what was said before in this session."""

    def fresh(outcome: Outcome) -> Outcome:
        gate = config.gates[outcome.gate]
        kept = []
        for finding in outcome.findings:
            # A risen value is news, the same one is not.
            mark = f"{finding.fingerprint}:{finding.value}"
            if not finding.new or blocks(finding, gate) or memory.untold(finding.span.path, mark):
                kept.append(finding)
        return replace(outcome, findings=tuple(kept))

    return replace(verdict, outcomes=tuple(fresh(outcome) for outcome in verdict.outcomes))


def _told(call: Call, verdict: Verdict, config: Config, change: Change) -> Reply:
    verdict = replace(verdict, id=decision_id(call.payload))
    keep = partial(record, call.project.store, call.event, verdict, config, elapsed_ms(call.started))
    if verdict.decision < Decision.BLOCK:
        call.later.append(keep)
    else:
        keep()
    text = correction(
        verdict, config.gates, _texts(change), config.output, landed=call.event.kind is not EventKind.BEFORE_EDIT
    )
    approve = bool(verdict.outcomes) and all(config.gates[outcome.gate].approve for outcome in verdict.outcomes)
    agent = AGENTS[call.event.agent]
    return agent.render(call.event, verdict.decision, text, summary(verdict, config.gates), approve=approve)


def _texts(change: Change) -> dict[str, str]:
    return {file.path: file.after for file in change.files if file.after is not None}
