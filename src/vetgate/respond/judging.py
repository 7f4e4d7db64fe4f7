"""Judges in their turn of an event's sequence.

Where a mistake is likely or costs much a judge is waited for. Elsewhere it is asked behind the answer, and what it says
is told at the next call, which a denial stops once, and at the end of the turn, which it holds.
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, ClassVar

import msgspec

from vetgate.agents import agent
from vetgate.checks.unsafe_command import SENSITIVE
from vetgate.client import AFTER_LONG_WAIT
from vetgate.engine.decide import decided
from vetgate.gates.command_kinds import digest
from vetgate.gates.jobs import RUNS, claim_jobs, paths_of, quiet_jobs
from vetgate.gates.judge import JudgeRunner, prompts_of
from vetgate.gates.locks import NOBODY
from vetgate.gates.process import LOST
from vetgate.judges.path_rules import PathRules
from vetgate.judges.pieces import changed_lines
from vetgate.judges.prompt import clean, cut
from vetgate.judges.triggers import BEFORE, SessionCounters, Waiting, waiting_for
from vetgate.model import SILENT, Change, Decision, EventKind, Message, Outcome, Status, Verdict
from vetgate.respond.call import ENDS
from vetgate.respond.project_index import edited
from vetgate.respond.session_diff import diff_since_session_start
from vetgate.respond.verdict import drop_said, note_said, report, report_pass
from vetgate.source.edit import seen_from
from vetgate.store import Job, SessionMark

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vetgate.config.schema import Config
    from vetgate.model import Gate
    from vetgate.respond.call import Call

_ROUNDS = 3
_MOST_PROMPTS, _LONGEST_PROMPT = 5, 4_000
_TELLS = frozenset({EventKind.AFTER_EDIT, EventKind.AFTER_COMMAND, EventKind.AFTER_TOOL, EventKind.PROMPT, *ENDS})


def get_ready(call: Call) -> None:
    if call.stays:
        apis = frozenset(model.api for model in call.in_force.config.models.values())
        call.later.append(partial(_warm_up, apis))


def at_home(call: Call) -> Call:
    """What the session is about to do is judged by the project it began in, wherever that happens."""
    if call.event.kind not in BEFORE:
        return call
    home, change = call.at_home, call.event.change
    if home is call or change is None:
        return home
    return replace(home, event=replace(call.event, change=seen_from(home.project.root, change)))


@lru_cache(maxsize=8)
def _warm_up(apis: frozenset[str]) -> None:
    """Once: what asking a model needs takes seconds to load, and not while the first judge is waited for."""
    from vetgate.models.client import warm_up  # noqa: PLC0415 - only where a judge is configured

    threading.Thread(target=warm_up, args=(apis,), name="vetgate-model", daemon=True).start()


@dataclass(frozen=True, slots=True)
class JudgesInTurn:
    """One that the event lists is waited for, or asked behind the answer; one that another gate calls is waited for."""

    is_cheap: ClassVar[bool] = False

    call: Call
    config: Config
    runner: JudgeRunner
    waits: Mapping[str, Waiting]

    @classmethod
    def of(cls, call: Call, config: Config) -> JudgesInTurn:
        sequence = config.sequences.get(call.event.kind)
        listed = (config.gates[name] for name in (sequence.names if sequence else ()))
        usual = cache(partial(_usual_waiting, call, config))  # the same for all of them
        waits = {gate.id: _waiting(config, gate, usual) for gate in listed if gate.judge}
        return cls(call, config, judge_runner(call, config), waits)

    @property
    def are_waited_for(self) -> bool:
        return Waiting.STRICT in self.waits.values() or not self.waits

    def run(self, gate: Gate) -> Outcome:
        waiting = self.waits.get(gate.id, Waiting.STRICT)
        if waiting is Waiting.STRICT:
            return self.runner.run(gate)
        if waiting is Waiting.LAZY:
            self.call.later.append(partial(_ask_later, self.call, self.config, gate))
        return replace(Outcome.skipped(gate.id, "nobody waits for its answer"), late=True)


def judge_runner(call: Call, config: Config) -> JudgeRunner:
    """At the end of a turn it looks at all that the session has changed."""
    change = diff_since_session_start(call, edited(call, config)).change if call.event.kind in ENDS else None
    return JudgeRunner(
        call.project, config, call.event, call.environment, judge_seconds(call), stays=call.stays, change=change
    )


def judge_seconds(call: Call) -> float:
    """How long judges may be waited for: before a call as long as the agent's own settings give the hook."""
    left = seconds_left(call)
    if call.long_wait is None or call.event.kind not in BEFORE:
        return left
    registration = agent(call.event.agent).registration
    given = registration.hook_seconds(call.event.name, call.at_home.project.root, call.environment)
    return max(left, given - AFTER_LONG_WAIT - (time.perf_counter() - call.started))


def seconds_left(call: Call) -> float:
    return max(0.0, call.seconds - (time.perf_counter() - call.started))


def _ask_later(call: Call, config: Config, gate: Gate) -> None:
    judge_runner(call, config).begin_later(gate)


def _waiting(config: Config, gate: Gate, usual: Callable[[], Waiting]) -> Waiting:
    waiting = Waiting(gate.mode) if gate.mode != "auto" else usual()
    # Else nobody stays who could be told later.
    return Waiting.STRICT if waiting is Waiting.LAZY and config.daemon == "off" else waiting


def _usual_waiting(call: Call, config: Config) -> Waiting:
    change = call.event.change
    lines = changed_lines(change) if change else 0
    rules = PathRules(call.project.root, SENSITIVE.of(config))
    paths = [file.path for file in change.files] if change else [each.path for each in call.event.touches]
    return waiting_for(call.event, _counters(call), lines, rules.trust_of(paths))[0]


def report_judged(call: Call, config: Config, outcomes: tuple[Outcome, ...]) -> Verdict:
    """What fails is said once a session; what passes is on record alone, and of what was not asked there is nothing."""
    outcomes = tuple(each for each in outcomes if each.status is not Status.SKIPPED)
    if not outcomes:
        return SILENT
    memory = call.memory(config)
    failed = [each.error for each in outcomes if each.error and not each.pending]
    is_news = [each for each in failed if not memory.is_marked("", SessionMark.FAILED_MODEL, each)]
    for error in is_news:
        memory.mark("", SessionMark.FAILED_MODEL, error)
    decision = decided(outcomes, config)
    verdict = drop_said(memory, Verdict(decision, outcomes), config)
    note_said(memory, verdict, config)
    if call.event.kind in ENDS and _count_holds(call, decision) > _ROUNDS:
        decision = Decision.WARN
        text = f"vetgate's judges held this session back {_ROUNDS} times and no longer hold it"
        verdict = replace(verdict, decision=decision, notes=(text,))
        return replace(report_pass(call, verdict, config), messages=(Message(decision, "", text),))
    # A decision of its own beside that of the checks.
    call = replace(call, payload=call.payload + b" judges")
    change = call.event.change or Change(call.project.root)
    if not verdict.findings and not is_news and decision is Decision.ALLOW:
        return replace(report_pass(call, verdict, config, change), messages=())
    return report(call, verdict, config, change)


def _count_holds(call: Call, decision: Decision) -> int:
    """How often in a row judges have held this turn back: a model may be stubborn, and each time costs."""
    store, turn = call.project.store, f"{call.event.session} {call.event.subagent_id} {call.project.root} judges"
    if decision < Decision.BLOCK:
        store.let_go(turn)
        return 0
    return store.hold(turn, "judges")


def report_late(call: Call, config: Config) -> Verdict:
    """What was asked behind earlier answers.

    A denial stops the next call that does something, once: nothing else happens before the agent has heard of it. At
    the end of a turn it holds, for nothing comes after it.
    """
    before, ends = call.event.kind in BEFORE, call.event.kind in ENDS
    if call.event.kind not in _TELLS and (not before or call.event.only_reads):
        return SILENT
    names = frozenset(name for name, gate in config.gates.items() if gate.judge)
    if ends:
        _ask_lost(call, config, names)
        RUNS.settle(call.event.session, names, min(config.consensus.timeout, seconds_left(call) / 2))
    elif (quiet := quiet_jobs(call.project, call.event.session, names)) is not None:
        if quiet:
            call.later.append(partial(_catch_up, call, config, quiet))
        return SILENT
    return _report_jobs(call, config, claim_jobs(call.project, call.event.session, names, call.later))


def leave_for_judges(call: Call, session: str, path: str) -> None:
    """An edit that passed before any judge was asked: each of them is asked about what it left behind."""
    config, root = call.in_force.config, str(call.project.root)
    sequence = config.sequences.get(EventKind.BEFORE_EDIT)
    for name in sequence.names if sequence and config.asks_judges else ():
        if config.gates[name].judge:
            id_ = digest((root, session, name, path, "nobody was asked"))
            call.project.store.put_job(Job(id_, root, session, name, path, "", NOBODY))


def _ask_lost(call: Call, config: Config, names: frozenset[str]) -> None:
    """Before the turn ends, for what is asked behind that holds nobody."""
    store, root = call.project.store, str(call.project.root)
    jobs = store.jobs_of(root, call.event.session) if call.stays else []
    lost = frozenset(job.id for job in jobs if job.outcome is None and job.path)
    if not lost:
        return
    behind: list[Callable[[], None]] = []
    claimed = claim_jobs(call.project, call.event.session, names, behind, quiet=lost)
    for act in behind:
        act()
    _ask_again(call, config, list(claimed))


def _catch_up(call: Call, config: Config, quiet: frozenset[str]) -> None:
    """Behind the answer: what allowed is put on record, and what was lost is asked again."""
    behind = replace(call, later=[])
    jobs = claim_jobs(call.project, call.event.session, config.gates, behind.later, quiet=quiet)
    if jobs:
        _report_jobs(behind, config, jobs)
    for act in behind.later:
        act()


def _report_jobs(call: Call, config: Config, jobs: tuple[Job, ...]) -> Verdict:
    before, ends = call.event.kind in BEFORE, call.event.kind in ENDS
    lost = [job for job in jobs if job.outcome is None and job.path]
    if lost and call.stays:
        call.later.append(partial(_ask_again, call, config, lost))
    elif lost and not ends:
        call.later.append(partial(_leave, call, lost))
    ended = [job.outcome or Outcome.errored(job.gate, LOST) for job in jobs if job not in lost]
    if ends and not call.stays:  # nothing comes after it, and nobody else may be there to ask
        ended += [outcome for job in lost for outcome in _asked_now(call, config, job)]
    told = tuple(replace(each, late=not (ends or before), earlier=before) for each in ended)
    return report_judged(replace(call, payload=call.payload + b" earlier"), config, told)


def _leave(call: Call, jobs: list[Job]) -> None:
    """For a process that stays."""
    for job in jobs:
        call.project.store.put_job(msgspec.structs.replace(job, owner=NOBODY))


def _ask_again(call: Call, config: Config, lost: list[Job]) -> None:
    """What a process was asking that is gone."""
    for job in lost:
        if (edit := _edit_of(call, config, job)) is not None:
            _ask_later(edit, config, config.gates[job.gate])


def _asked_now(call: Call, config: Config, job: Job) -> list[Outcome]:
    edit = _edit_of(call, config, job)
    outcome = judge_runner(edit, config).run(config.gates[job.gate]) if edit is not None else None
    if outcome is not None and outcome.pending:
        call.later.append(partial(_leave, call, [job]))
        return []
    return [outcome] if outcome is not None else []


def _edit_of(call: Call, config: Config, job: Job) -> Call | None:
    """The edit that a job is about, as far as its files still differ."""
    paths = paths_of(job)
    changed = diff_since_session_start(call, paths).change
    if job.gate not in config.gates or not {file.path for file in changed.files} >= set(paths):
        return None
    files = tuple(file for file in changed.files if file.path in paths)
    event = replace(call.event, kind=EventKind.BEFORE_EDIT, change=replace(changed, files=files))
    return replace(call, event=event)


def _counters(call: Call) -> SessionCounters:
    kept = call.project.store.subjects(call.event.session, call.event.subagent_id, SessionMark.JUDGED_SO_FAR)
    try:
        return SessionCounters(**json.loads(kept[-1])) if kept else SessionCounters()
    except (ValueError, TypeError):
        return SessionCounters()


def note_prompt(call: Call) -> None:
    """For judges, where no transcript is kept that says it: what a person asked for, without secrets."""
    if not call.in_force.config.asks_judges:
        return
    kept = call.event.transcript if agent(call.event.agent).capabilities.keeps_transcripts else None
    if kept is not None and kept.is_file():
        return
    store, session = call.project.store, call.event.session
    asked = clean(cut(call.event.task, _LONGEST_PROMPT))
    latest = (*prompts_of(store, session), asked)[-_MOST_PROMPTS:]
    store.unmark(session, "", SessionMark.PROMPTS)
    store.mark(session, "", SessionMark.PROMPTS, json.dumps(latest))


def count(call: Call, *, denied: bool) -> None:
    """Each of the session's agents by itself."""
    store, session = call.project.store, call.event.session
    now = _counters(call).after(call.event, denied=denied)
    store.unmark(session, call.event.subagent_id, SessionMark.JUDGED_SO_FAR)
    store.mark(session, call.event.subagent_id, SessionMark.JUDGED_SO_FAR, json.dumps(asdict(now)))
