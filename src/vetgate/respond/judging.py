"""Judges at each event they listen to: after the checks and commands, and only when those let it pass.

Where a mistake is likely or costs much a judge is waited for. Elsewhere it is asked behind the answer, and what it says
is told at the next call, which a denial stops once, and at the end of the turn, which it holds.
"""

from __future__ import annotations

import json
import threading
from contextlib import nullcontext
from dataclasses import asdict, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import msgspec

from vetgate.checks.unsafe_command import SENSITIVE
from vetgate.engine.decide import decided
from vetgate.gates.jobs import RUNS, claim_jobs, paths_of
from vetgate.gates.locks import NOBODY
from vetgate.gates.process import LOST
from vetgate.gates.sequence import run_steps
from vetgate.judges.path_rules import PathRules
from vetgate.judges.pieces import changed_lines
from vetgate.judges.triggers import BEFORE, SessionCounters, Waiting, waiting_for
from vetgate.model import SILENT, Change, Decision, EventKind, Message, Outcome, Status, Verdict
from vetgate.respond.call import ENDS, is_held
from vetgate.respond.gates import is_silent, judge_runner, judge_seconds, listens, runners_for, seconds_left
from vetgate.respond.session_diff import diff_since_session_start
from vetgate.respond.verdict import drop_said, note_said, report, report_pass
from vetgate.source.edit import seen_from
from vetgate.store import SessionMark

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.config.schema import Config
    from vetgate.model import Gate
    from vetgate.respond.call import Call
    from vetgate.store import Job

    Respond = Callable[[Call], Verdict]

_ROUNDS = 3
_TELLS = frozenset({EventKind.AFTER_EDIT, EventKind.AFTER_COMMAND, EventKind.AFTER_TOOL, EventKind.PROMPT, *ENDS})


def judging(respond: Respond) -> Respond:
    """The answer of everybody else, and that of the judges where it lets the call pass."""

    def answer(call: Call) -> Verdict:
        verdict = respond(call)
        home = _at_home(call) if call.event.kind in BEFORE else call
        config = home.in_force.config
        if not config.enabled or not any(gate.judge for gate in config.gates.values()):
            return verdict
        if call.stays:
            call.later.append(partial(_warm_up, frozenset(model.api for model in config.models.values())))
        own = SILENT
        if call.runs_programs and not is_silent(call.event) and not is_held(call, verdict):
            own = _news(home, config)
            if not is_held(call, own):  # what is stopped for an earlier call is not paid for
                own = own.joined(_judged(home, config))
        denied = is_held(call, verdict.joined(own))
        call.later.append(partial(_count, home, denied=denied))
        return verdict.joined(own)

    return answer


def _at_home(call: Call) -> Call:
    """What the session is about to do is judged by the project it began in, wherever that happens."""
    home, change = call.at_home, call.event.change
    if home is call or change is None:
        return home
    return replace(home, event=replace(call.event, change=seen_from(home.project.root, change)))


@lru_cache(maxsize=8)
def _warm_up(apis: frozenset[str]) -> None:
    """Once: what asking a model needs takes seconds to load, and not while the first judge is waited for."""
    from vetgate.models.client import warm_up  # noqa: PLC0415 - only where a judge is configured

    threading.Thread(target=warm_up, args=(apis,), name="vetgate-model", daemon=True).start()


def _judged(call: Call, config: Config) -> Verdict:
    sequence = config.sequences.get(call.event.kind)
    if sequence is None or not listens(sequence, call.event):
        return SILENT
    names = [name for name in sequence.names if config.gates[name].judge]
    if not names:
        return SILENT
    waited = []
    for name in names:
        mode = _mode(call, config, config.gates[name])
        if mode is Waiting.STRICT:
            waited.append(name)
        elif mode is Waiting.LAZY and config.daemon == "off":
            waited.append(name)  # nobody stays who could be told later
        elif mode is Waiting.LAZY:
            call.later.append(partial(_ask_later, call, config, config.gates[name]))
    if not waited:
        return SILENT
    steps = tuple((name,) for name in waited)
    runners = runners_for(call, config, config.reached(waited))
    with call.long_wait(judge_seconds(call)) if call.long_wait else nullcontext():
        outcomes = run_steps(steps, config, runners)
    return _report_outcomes(call, config, outcomes)


def _ask_later(call: Call, config: Config, gate: Gate) -> None:
    judge_runner(call, config).begin_later(gate)


def _mode(call: Call, config: Config, gate: Gate) -> Waiting:
    if gate.mode != "auto":
        return Waiting(gate.mode)
    change = call.event.change
    lines = changed_lines(change) if change else 0
    rules = PathRules(call.project.root, SENSITIVE.of(config))
    paths = [file.path for file in change.files] if change else [each.path for each in call.event.touches]
    return waiting_for(call.event, _counters(call), lines, rules.trust_of(paths))[0]


def _report_outcomes(call: Call, config: Config, outcomes: tuple[Outcome, ...]) -> Verdict:
    """What fails is said once a session; what passes is on record alone, and of what was not asked there is nothing."""
    outcomes = tuple(each for each in outcomes if each.status is not Status.SKIPPED)
    memory = call.memory(config)
    failed = [each.error for each in outcomes if each.error and not each.pending]
    is_news = [each for each in failed if not memory.is_marked("", SessionMark.FAILED_MODEL, each)]
    for error in is_news:
        memory.mark("", SessionMark.FAILED_MODEL, error)
    decision = decided(outcomes, config)
    verdict = drop_said(memory, Verdict(decision, outcomes), config)
    note_said(memory, verdict, config)
    if not outcomes:
        return SILENT
    if call.event.kind in ENDS and not _may_hold(call, decision):
        decision = Decision.WARN
        text = f"vetgate's judges held this session back {_ROUNDS} times and stand aside"
        verdict = replace(verdict, decision=decision, notes=(text,))
        return replace(report_pass(call, verdict, config), messages=(Message(decision, "", text),))
    # A decision of its own beside that of the checks.
    call = replace(call, payload=call.payload + b" judges")
    change = call.event.change or Change(call.project.root)
    if not verdict.findings and not is_news and decision is Decision.ALLOW:
        return replace(report_pass(call, verdict, config, change), messages=())
    return report(call, verdict, config, change)


def _may_hold(call: Call, decision: Decision) -> bool:
    """So many times in a row: a model may be stubborn, and each time costs."""
    store, turn = call.project.store, f"{call.event.session} {call.agent} {call.project.root} judges"
    if decision < Decision.BLOCK:
        store.let_go(turn)
        return True
    return store.hold(turn, "judges") <= _ROUNDS


def _news(call: Call, config: Config) -> Verdict:
    """What was asked behind earlier answers.

    A denial stops the next call that does something, once: nothing else happens before the agent has heard of it. At
    the end of a turn it holds, for nothing comes after it.
    """
    before = call.event.kind in BEFORE
    if call.event.kind not in _TELLS and (not before or call.event.only_reads):
        return SILENT
    names = [name for name, gate in config.gates.items() if gate.judge]
    if call.event.kind in ENDS:
        RUNS.settle(call.event.session, names, min(config.consensus.timeout, seconds_left(call) / 2))
    jobs = claim_jobs(call.project, call.event.session, names, call.later)
    lost = [job for job in jobs if job.outcome is None and job.path]
    if lost and call.stays:
        call.later.append(partial(_ask_again, call, config, [(job.gate, paths_of(job)) for job in lost]))
    elif lost:
        call.later.append(partial(_leave, call, lost))
    ends = call.event.kind in ENDS
    ended = (job.outcome or Outcome.errored(job.gate, LOST) for job in jobs if job not in lost)
    told = tuple(replace(each, late=not (ends or before), earlier=before) for each in ended)
    return _report_outcomes(replace(call, payload=call.payload + b" earlier"), config, told)


def _leave(call: Call, jobs: list[Job]) -> None:
    """For a process that stays."""
    for job in jobs:
        call.project.store.put_job(msgspec.structs.replace(job, owner=NOBODY))


def _ask_again(call: Call, config: Config, lost: list[tuple[str, list[str]]]) -> None:
    """What a process was asking that is gone."""
    changed = diff_since_session_start(call, [path for _, paths in lost for path in paths]).change
    files = {file.path: file for file in changed.files}
    for name, paths in lost:
        if files.keys() >= set(paths) and name in config.gates:
            change = replace(changed, files=tuple(files[path] for path in paths))
            event = replace(call.event, kind=EventKind.BEFORE_EDIT, change=change)
            _ask_later(replace(call, event=event), config, config.gates[name])


def _counters(call: Call) -> SessionCounters:
    kept = call.project.store.subjects(call.event.session, call.agent, SessionMark.JUDGED_SO_FAR)
    try:
        return SessionCounters(**json.loads(kept[-1])) if kept else SessionCounters()
    except (ValueError, TypeError):
        return SessionCounters()


def _count(call: Call, *, denied: bool) -> None:
    """Each of the session's agents by itself."""
    store, session = call.project.store, call.event.session
    now = _counters(call).after(call.event, denied=denied)
    store.unmark(session, call.agent, SessionMark.JUDGED_SO_FAR)
    store.mark(session, call.agent, SessionMark.JUDGED_SO_FAR, json.dumps(asdict(now)))
