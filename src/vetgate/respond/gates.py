"""The sequence of an event beyond its checks: commands, proofs and judges in the order as written, until one holds."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING

from vetgate.config.gates import running_only
from vetgate.engine.analysis import digest_of
from vetgate.engine.decide import after_rounds, decided, decided_by
from vetgate.gates.command import CommandRunner, takes_files
from vetgate.gates.command_kinds import TEST
from vetgate.gates.content import tree_of
from vetgate.gates.evidence import claims_tests_pass, gate_kind, note_own_run, note_start, passed_kind, test_gate
from vetgate.gates.jobs import claim_finished
from vetgate.gates.proof import ProofRunner
from vetgate.gates.report import report_line, report_text
from vetgate.gates.sequence import of_kinds, run_steps, steps_left
from vetgate.judges.triggers import BEFORE
from vetgate.model import SILENT, Decision, EventKind, GateKind, Message, Outcome, Status, Verdict
from vetgate.record import fresh_id, record
from vetgate.redact import redacted
from vetgate.respond.call import ENDS, is_held, roots_of
from vetgate.respond.judging import (
    JudgesInTurn,
    at_home,
    count,
    get_ready,
    judge_seconds,
    report_judged,
    report_late,
    seconds_left,
)
from vetgate.respond.project_index import edited
from vetgate.respond.session_diff import diff_since_session_start
from vetgate.respond.verdict import claim_earlier_news, postpone
from vetgate.source.clock import elapsed_ms
from vetgate.store import SessionMark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from vetgate.config.schema import Config, GateSequence
    from vetgate.gates.sequence import Runner, Runners, Steps
    from vetgate.model import Event
    from vetgate.respond.call import Call

    Respond = Callable[[Call], Verdict]

_AFTER = frozenset({EventKind.AFTER_EDIT, EventKind.AFTER_COMMAND})
_RUNS_CALLED = _AFTER | ENDS
_RUNS_PROGRAMS = _AFTER | ENDS | {EventKind.SESSION_START, EventKind.PROMPT}
# Gates that run programs of the project, once its checks have spoken.
_OF_PROGRAMS = frozenset({GateKind.COMMAND, GateKind.PROOF})
_OF_ALL = _OF_PROGRAMS | {GateKind.JUDGE}
# Sessions of which it is being found out with which content they begin, and how long an edit waits for that.
_noting: dict[tuple[str, str], threading.Event] = {}
_PATIENCE = 1.0


def sequenced(respond: Respond) -> Respond:
    """The answer of those who look at the call itself, and that of the gates that have yet to run."""

    def answer(call: Call) -> Verdict:
        verdict = respond(call)
        runs_programs = call.event.kind in _RUNS_PROGRAMS
        if runs_programs:
            verdict = verdict.joined(claim_earlier_news(call))
        asks = _asks_judges(call)
        home = at_home(call) if asks else call
        if asks:
            get_ready(home)
        if (asks or runs_programs) and call.runs_programs and not is_silent(call.event):
            verdict = verdict.joined(_in_turn(home, verdict, asks=asks))
        if asks:
            call.later.append(partial(count, home, denied=is_held(call, verdict)))
        if call.event.kind is EventKind.SESSION_START and _is_held_to_commands(call):
            done = _noting.setdefault(_session(call), threading.Event())
            call.later.insert(0, partial(_note_first_tree, call, done))
        return verdict

    return answer


def _asks_judges(call: Call) -> bool:
    """Of what the session is about to do, the project it began in says it."""
    here = call.at_home if call.event.kind in BEFORE else call
    return here.in_force.config.asks_judges


def begun(respond: Respond) -> Respond:
    """Before anything changes: with which content the session begins is written down by then."""

    def answer(call: Call) -> Verdict:
        noting = _noting.get(_session(call)) if _noting else None
        if noting is not None and not noting.wait(min(_PATIENCE, call.seconds / 3)):
            _noting.pop(_session(call), None)  # once is enough
        return respond(call)

    return answer


def timed(respond: Respond) -> Respond:
    """Before a command: when it began is known if it is let go now."""

    def answer(call: Call) -> Verdict:
        verdict = respond(call)
        call.project.tree.take_note()
        note_start(call.event)
        return verdict

    return answer


def is_silent(event: Event) -> bool:
    """While something still runs in the background it stops again; a prompt that no person wrote is none."""
    if event.kind in ENDS:
        return event.background
    return event.is_automatic


def _in_turn(call: Call, verdict: Verdict, *, asks: bool) -> Verdict:
    """In every project that the session has worked in, when it ends."""
    held = min(verdict.decision, Decision.BLOCK) if is_held(call, verdict) else None
    if held is None and call.event.kind is EventKind.AFTER_COMMAND:
        _note_own_run(call)
    news = report_late(call, call.in_force.config) if asks and held is None else SILENT
    if is_held(call, news):  # what is stopped for an earlier call is not paid for
        return news
    roots: tuple[Path, ...] = (call.project.root,)
    if call.event.kind in _RUNS_PROGRAMS:
        roots = roots_of(call) if call.event.kind in ENDS else (*roots, *call.spoken)
    for root in dict.fromkeys(roots):
        here = call if root == call.project.root else replace(call, project=call.open_project(root))
        news = news.joined(_in_project(here, held, asks=asks and here is call))
        if is_held(call, news):
            break
    return news


def _note_own_run(call: Call) -> None:
    """Before the answer: the end of the turn may be the very next event, and asks for it."""
    config = call.in_force.config
    if config.enabled and any(gate.command for gate in config.gates.values()) and call.is_from_client:
        told_at = time.time_ns() - int((time.perf_counter() - call.started) * 1e9)
        note_own_run(call.project, config, call.event, told_at)


def _session(call: Call) -> tuple[str, str]:
    return call.event.session, str(call.project.root)


def _is_held_to_commands(call: Call) -> bool:
    config = call.in_force.config
    listed = (name for kind in ENDS for name in config.on.get(kind, ()))
    return config.enabled and any(config.gates[name].kind in _OF_PROGRAMS for name in config.reached(listed))


def _note_first_tree(call: Call, done: threading.Event) -> None:
    """With which content the session begins: one that changes nothing is not held to gates at its end."""
    try:
        if tree := tree_of(call.project):
            call.project.store.set_first_tree(call.event.session, str(call.project.root), tree, time.time())
    finally:
        _noting.pop(_session(call), None)
        done.set()


def _in_project(call: Call, held: Decision | None, *, asks: bool) -> Verdict:
    """What is left of its sequence; with a verdict that has `held` the agent, what stands before that."""
    config, kind = call.in_force.config, call.event.kind
    if not config.enabled:
        return SILENT
    steps = of_kinds(_steps(call, config, held), config, _OF_ALL if asks else _OF_PROGRAMS)
    if held is not None and not steps:
        return SILENT
    runner = _runner(call) if of_kinds(steps, config, _OF_PROGRAMS) else None
    if runner is not None and _is_moot(call, config, runner):
        steps, runner = of_kinds(steps, config, (GateKind.JUDGE,)), None
    if runner is not None:
        _begin(call, config, runner)
    outcomes = _run(call, config, steps, runner)
    if decided(outcomes, config) < Decision.BLOCK and not any(each.pending for each in outcomes):
        call.spoken.pop(call.project.root, None)
    # What only judges have called is reported with them.
    ran = tuple(each for each in outcomes if runner is not None and config.gates[each.gate].kind is not GateKind.JUDGE)
    verdict = SILENT
    if kind in _RUNS_PROGRAMS:
        # What ended on this very content is among them by now.
        late = _late(call, config)
        verdict = _concluded(call, config, (*late, *ran)) if runner is not None else _meanwhile(call, config, late)
    judged = tuple(each for each in outcomes if each not in ran)
    return verdict.joined(report_judged(call, config, judged)) if judged else verdict


def _steps(call: Call, config: Config, held: Decision | None) -> Steps:
    sequence = config.sequences.get(call.event.kind)
    if sequence is None or not listens(sequence, call.event):
        return ()
    return steps_left(sequence, config_of_checks(call, config), call.spoken.get(call.project.root, ()), held)


def _begin(call: Call, config: Config, runner: CommandRunner) -> None:
    if runner.tree and call.event.kind in _AFTER:
        call.memory(config).mark("", SessionMark.GATES_RAN, _content(call, config, runner))
    if not call.event.held_before and call.event.kind in ENDS:
        for name in config.gates:
            call.project.store.let_go(_held(call, name))


def _run(call: Call, config: Config, steps: Steps, runner: CommandRunner | None) -> tuple[Outcome, ...]:
    if not steps:
        return ()
    names = [name for step in steps for name in step]
    runners = runners_for(call, config, config.reached(names), runner)
    judges = runners.get(GateKind.JUDGE)
    if isinstance(judges, JudgesInTurn) and judges.are_waited_for and call.long_wait:
        with call.long_wait(judge_seconds(call)):
            return run_steps(steps, config, runners)
    return run_steps(steps, config, runners)


def runners_for(call: Call, config: Config, gates: Iterable[str], runner: CommandRunner | None = None) -> Runners:
    """What runs these gates, whatever they are; who is not needed is not made."""
    kinds = {config.gates[name].kind for name in gates}
    runners: dict[GateKind, Runner] = {}
    if GateKind.COMMAND in kinds or runner is not None:
        runner = runners[GateKind.COMMAND] = runner or _runner(call)
    if GateKind.PROOF in kinds:
        runners[GateKind.PROOF] = ProofRunner(
            call.project, call.environment, seconds_left(call), session=call.event.session
        )
    if GateKind.JUDGE in kinds:
        runners[GateKind.JUDGE] = JudgesInTurn.of(call, config)
    if GateKind.CHECKS in kinds:
        files = edited(call, config) if runner is None else (*runner.changes.files, *runner.changes.gone)
        runners |= _check_runners(call, config, files)
    return runners


def _check_runners(call: Call, config: Config, files: Sequence[str]) -> Runners:
    """For checks that commands call: over the edit, or else over what the session has changed."""
    change = call.event.change if call.event.kind is EventKind.AFTER_EDIT else None
    change = change or diff_since_session_start(call, list(files)).change
    return call.runners(config, call.memory(config), change)


def _late(call: Call, config: Config) -> tuple[Outcome, ...]:
    """Gates that nobody could wait for, and what they came to; each is told once."""
    names = [name for name, gate in config.gates.items() if gate.command]
    return claim_finished(call.project, call.event.session, names, call.later) if names else ()


def _meanwhile(call: Call, config: Config, late: tuple[Outcome, ...]) -> Verdict:
    decision = decided(late, config)
    return _report(call, config, late, decision) if decision > Decision.ALLOW else _claim(call, config)


def listens(sequence: GateSequence, event: Event) -> bool:
    """Whether this tool and this kind of agent are among those it is for; exact names and globs."""
    return _is_meant(sequence.tools, event.tool) and _is_meant(sequence.agents, event.subagent)


def config_of_checks(call: Call, config: Config) -> Config:
    """Where nobody runs what checks would call, they decide by themselves."""
    kind = call.event.kind
    if call.runs_programs and kind in BEFORE:
        return running_only(config, GateKind.CHECKS, GateKind.JUDGE)
    sequence = config.sequences.get(kind) if kind in _RUNS_CALLED else None
    if call.runs_programs and sequence is not None and listens(sequence, call.event):
        return config
    return running_only(config, GateKind.CHECKS)


def _is_meant(globs: Sequence[str], name: str) -> bool:
    return not globs or any(fnmatchcase(name, glob) for glob in globs)


def _runner(call: Call) -> CommandRunner:
    change = call.event.change
    files = None
    if call.event.kind is EventKind.AFTER_EDIT and change is not None:
        files = tuple(file.path for file in change.files if file.after is not None and not file.path.startswith("/"))
    return CommandRunner(
        call.project, call.environment, call.seconds, stays=call.stays, files=files, session=call.event.session
    )


def _is_moot(call: Call, config: Config, runner: CommandRunner) -> bool:
    """Nothing to say of: the session changed nothing, or the same content was looked at before."""
    if not runner.tree:
        return False
    if call.event.kind in ENDS:
        first = call.project.store.first_tree(call.event.session, str(call.project.root))
        return first == runner.tree
    if call.event.kind in _AFTER:
        return call.memory(config).is_marked("", SessionMark.GATES_RAN, _content(call, config, runner))
    return False


def _content(call: Call, config: Config, runner: CommandRunner) -> str:
    about = digest_of("\n".join(runner.changes.files)) if _asks_for_files(config) else ""
    return f"{call.event.kind} {runner.tree} {about}"


def _asks_for_files(config: Config) -> bool:
    """Then one edit says nothing about the files of another, although they left the same content."""
    return any(takes_files(gate) or gate.scope == "changed" for gate in config.gates.values() if gate.command)


def _concluded(call: Call, config: Config, outcomes: tuple[Outcome, ...]) -> Verdict:
    for outcome in outcomes:
        if outcome.status is Status.PASSED:
            call.project.store.let_go(_held(call, outcome.gate))
    decision = decided(outcomes, config)
    if decision is Decision.ALLOW:
        verdict = _verdict(call, outcomes, decision)
        call.later.append(_recording(call, config, verdict))
        # One that passed just now says it, although it may have left files behind that make it another content.
        return verdict if _tests_passed(config, outcomes) else _claim(call, config)
    if decision is Decision.BLOCK and call.event.kind in ENDS:
        return _held_back(call, config, outcomes)
    return _report(call, config, outcomes, decision)


def _held_back(call: Call, config: Config, outcomes: tuple[Outcome, ...]) -> Verdict:
    """So many times in a row for the same failure; the last time is announced."""
    first = next(each for each in outcomes if decided_by(each, config) is Decision.BLOCK)
    name, rounds = first.gate, config.gates[first.gate].rounds
    number = call.project.store.hold(_held(call, name), _failure(first))
    decision = after_rounds(Decision.BLOCK, number, rounds)
    if decision < Decision.BLOCK:
        text = f"vetgate held this session back {rounds} times for {name}, which still fails, and no longer holds it"
        verdict = _verdict(call, outcomes, decision)
        call.later.append(_recording(call, config, verdict))
        return replace(verdict, messages=(Message(decision, "", text),))
    last = f"This is the last of {rounds} times that it holds you back. If you cannot fix it, say what is in the way."
    return _report(call, config, outcomes, decision, last if number == rounds else "")


def _held(call: Call, gate: str) -> str:
    return f"{call.event.session} {call.event.subagent_id} {call.project.root} gate {gate}"


def _failure(outcome: Outcome) -> str:
    """What makes it the same: what fails, where that could be read; fewer or other failures are another."""
    return digest_of("\n".join([outcome.gate, *sorted(finding.fingerprint for finding in outcome.findings)]))


def _verdict(call: Call, outcomes: tuple[Outcome, ...], decision: Decision) -> Verdict:
    """Also of what passed, and of why it was not run."""
    notes = tuple(f"{each.gate}: {each.evidence}" for each in outcomes if each.evidence)
    number = fresh_id(call.project.store, call.payload + str(call.project.root).encode("utf-8", "replace"))
    return Verdict(decision, outcomes, notes=notes, id=number)


def _recording(call: Call, config: Config, verdict: Verdict) -> Callable[[], None]:
    return partial(record, call.project.decisions, call.event, verdict, config, elapsed_ms(call.started))


def _report(call: Call, config: Config, outcomes: tuple[Outcome, ...], decision: Decision, more: str = "") -> Verdict:
    verdict = _verdict(call, outcomes, decision)
    keep = _recording(call, config, verdict)
    if decision < Decision.BLOCK:
        call.later.append(keep)
    else:
        keep()
    text = "\n\n".join(part for part in (report_text(outcomes, config), more) if part)
    if decision < Decision.BLOCK and call.event.kind in ENDS:
        # Once for each failure, and not for a gate of ours.
        memory = call.memory(config)
        failures = " ".join(_failure(each) for each in outcomes if each.status is Status.FAILED)
        if not failures or memory.is_marked("", SessionMark.GATES_TOLD, failures):
            text = ""
        else:
            memory.mark("", SessionMark.GATES_TOLD, failures)
    message = Message(decision, text, report_line(outcomes, config))
    return replace(verdict, messages=(postpone(call, config, message),))


def _tests_passed(config: Config, outcomes: tuple[Outcome, ...]) -> bool:
    passed = (config.gates[each.gate] for each in outcomes if each.status is Status.PASSED)
    return any(gate.command and gate_kind(gate) == TEST for gate in passed)


def _claim(call: Call, config: Config) -> Verdict:
    """The word that tests pass without a run of them on this content is answered, once."""
    gate = test_gate(config.gates)
    if call.event.kind not in ENDS or gate is None or not claims_tests_pass(call.event.last_message):
        return SILENT
    tree = tree_of(call.project)
    if not tree or passed_kind(call.project.store, tree, TEST):
        return SILENT
    memory = call.memory(config)
    if memory.is_marked("", SessionMark.CLAIM, tree):
        return SILENT
    memory.mark("", SessionMark.CLAIM, tree)
    text = (
        "You say that the tests pass, but vetgate has seen no passing run on the current files. Run "
        f"`{redacted(gate.command)}` on its own (no pipe, no `|| true`), or say plainly that you did not run them."
    )
    missing = Outcome.unproven(gate.id, "a claim without evidence")
    number = fresh_id(call.project.store, call.payload + b"claim")
    decision = decided((missing,), config)
    message = Message(decision, text, "vetgate: a claim without evidence")
    verdict = Verdict(decision, (missing,), id=number, messages=(message,))
    record(call.project.decisions, call.event, verdict, config, elapsed_ms(call.started))
    return verdict
