"""The start of a session, what the agent is told then, and the probe that shows whether the gate is on."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.checks.complexity.definitions import LIMITS
from vetgate.checks.secrets.text_redaction import without_secrets
from vetgate.config.load import defaults
from vetgate.engine.run import CheckRunner
from vetgate.gates.sequence import judged
from vetgate.model import SILENT, Decision, EventKind, GateKind, Message, Outcome, Verdict
from vetgate.record import acceptance_words, decision_id, record
from vetgate.redact import redacted
from vetgate.respond.attempts import forgotten_before
from vetgate.respond.call import ALWAYS, SECONDS, listening
from vetgate.respond.correction import correction
from vetgate.respond.grants import is_persons_prompt, typed_code
from vetgate.respond.judging import note_prompt
from vetgate.respond.project_index import tend
from vetgate.respond.protected_files import switched_off
from vetgate.respond.requested_removals import note_requests
from vetgate.respond.review_context import review_context
from vetgate.respond.ship import at_prompt
from vetgate.respond.sweep import begin
from vetgate.respond.verdict import ShownTexts
from vetgate.source.clock import Deadline, elapsed_ms
from vetgate.store import AcceptanceAct, SessionMark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from vetgate.config.schema import Config
    from vetgate.engine.analysis import Analyzer
    from vetgate.model import Event
    from vetgate.project import Project
    from vetgate.respond.call import Call
    from vetgate.store import Accepted

# Acceptances that are told one by one; of more than these the number is told.
_TOLD_ONE_BY_ONE = 5
# Decisions among which the end of the last turn is looked for.
_LOOKED_BACK = 50
_SKIPPED = "commands of this project do not run, because the gate runs under another account; run them in CI"
_WHEN = {
    EventKind.PROMPT: "with every prompt",
    EventKind.AFTER_EDIT: "after an edit",
    EventKind.AFTER_COMMAND: "after a command",
    EventKind.SUBAGENT_STOP: "at the end of a subagent",
    EventKind.STOP: "at the end of your turn",
    EventKind.COMMIT: "before a commit",
}


def canary(event: Event, analyzer: Analyzer) -> Verdict:
    if event.kind is not EventKind.BEFORE_EDIT or event.change is None:
        return SILENT
    config = defaults()
    runner = CheckRunner(event.change, analyzer, config, Deadline.after(SECONDS))
    verdict = judged(config.on[event.kind], config, {GateKind.CHECKS: runner})
    text = correction(verdict, config.gates, ShownTexts(event.change), config.output)
    return replace(verdict, messages=(Message(verdict.decision, text),))


def session_start(call: Call) -> Verdict:
    begin(call)
    in_force = call.in_force
    call.later.append(partial(tend, call, in_force.config, listening(in_force.config, EventKind.BEFORE_EDIT)))
    store = call.project.store
    has_commands = any(gate.command for gate in in_force.config.gates.values())
    skipped = _SKIPPED if has_commands and not call.runs_programs else ""
    notes = [note for note in (*in_force.notes, store.problem, skipped) if note]
    if call.event.kind is EventKind.SESSION_START and (accepted := store.accepted_since_report()):
        notes += _accepted(accepted)
        call.later.append(partial(store.mark_accepted_reported, accepted[-1].seq))
    notes += _left_open(call) if call.event.kind is EventKind.SESSION_START else []
    off = switched_off(call.project.root) if call.event.kind is EventKind.SESSION_START else []
    notes += [f"{each.message} {each.fix}" for each in off]
    text = greeting(in_force.config, notes)
    # The agent is told, but only a person can put these right.
    message = Message(Decision.ALLOW, text, "; ".join(f"vetgate: {note}" for note in notes))
    if not off:
        return Verdict(Decision.ALLOW, messages=(message,))
    verdict = Verdict(
        Decision.WARN, (Outcome.of_findings(ALWAYS, off),), id=decision_id(call.payload), messages=(message,)
    )
    spent = elapsed_ms(call.started)
    call.later.append(partial(record, call.project.decisions, call.event, verdict, in_force.config, spent))
    return verdict


def _left_open(call: Call) -> list[str]:
    """What the last session's turn was held for when it ended: with some agents the end of a turn holds nothing."""
    rows = [row for row in call.project.store.decisions(_LOOKED_BACK) if row.session]
    if any(row.session == call.event.session for row in rows):  # it goes on: compacted or resumed
        return []
    last = next((row for row in rows if row.session == rows[0].session and row.event == EventKind.STOP), None)
    if last is None or last.body.decision != Decision.BLOCK.name.lower():
        return []
    blocking = [each for each in last.body.findings if each.blocks]
    shown = [f"{each.check}/{each.rule} at {each.path}:{each.line}" for each in blocking[:_TOLD_ONE_BY_ONE]]
    more = [f"{len(blocking) - len(shown)} more"] if len(blocking) > len(shown) else []
    what = ", ".join((*shown, *more)) or "a gate that failed"
    return [f"the last session's turn was held for {what}; `vetgate check` says what is still open"]


def _accepted(rows: Sequence[Accepted]) -> list[str]:
    """What was accepted since the last session: whoever did not do it themselves should know."""
    told = [acceptance_words(each.row) for each in rows if each.row.body.decision != AcceptanceAct.USED]
    more = len(told) - _TOLD_ONE_BY_ONE
    shown = [f"since the last session: {each}" for each in told[-_TOLD_ONE_BY_ONE:]]
    return [f"since the last session: {more} more acceptances, see `vetgate log`", *shown] if more > 0 else shown


def greeting(config: Config, notes: Iterable[str]) -> str:
    lines = []
    gates = config.on.get(EventKind.BEFORE_EDIT, ())
    if not config.enabled:
        lines.append("vetgate is switched off in this project (enabled: false).")
    elif gates:
        checks = ", ".join(dict.fromkeys(name for gate in gates for name in config.gates[gate].checks))
        lines.append(f"vetgate checks every edit here before it is written ({checks}); only what an edit adds counts.")
        limits = _limits(config, gates)
        if limits:
            lines.append(f"Limits per function: {', '.join(limits)}.")
        lines.append(
            "A refused edit names the lines and the fix: correct the code and write it again with the same tool."
        )
    if config.enabled:
        lines += _commands(config)
    lines += [f"vetgate: {note}" for note in notes]
    return "\n".join(lines)


_LIMITS = {
    "cyclomatic": "cyclomatic complexity {}",
    "cognitive": "cognitive complexity {}",
    "nesting": "nesting {}",
    "length": "{} lines",
    "parameters": "{} parameters",
}


def _limits(config: Config, gates: Iterable[str]) -> list[str]:
    """Of the measures that are looked at here; a limit of one that is off is none."""
    named = {name for gate in gates for name in config.gates[gate].checks}
    return [
        _LIMITS[name].format(limit.of(config))
        for name, limit in LIMITS.items()
        if not named.isdisjoint({"complexity", f"complexity/{name}"})
        and not any(
            each in config.rules and config.rules[each] is None for each in ("complexity", f"complexity/{name}")
        )
    ]


def _commands(config: Config) -> Iterable[str]:
    """The project's own commands, by when they run."""
    told = []
    for event, when in _WHEN.items():
        sequence = config.sequences.get(event)
        names = [name for name in sequence.names if config.gates[name].command] if sequence else []
        if sequence and names:
            only = f" of {', '.join(sequence.agents)}" if sequence.agents else ""
            gates = ", ".join(f"{name} (`{redacted(config.gates[name].command)}`)" for name in names)
            told.append(f"- {when}{only}: {gates}")
    if told:
        yield "These gates of the project run by themselves. You get the output of what fails; fix it:"
        yield from told


LONGEST = 200
_READ = 4_000


def prompt(call: Call) -> Verdict:
    """What a person asked for is the task. Nothing is said unless they typed a command that wants context."""
    if call.event.task:
        if (said := typed_code(call, _projects(call))) is not None:
            return Verdict(Decision.ALLOW, messages=(said,))
        if is_persons_prompt(call):
            note_requests(call)
            call.later.append(partial(note_prompt, call))
        call.later.append(partial(_keep, call, call.event.task))
    if (shipped := at_prompt(call)) is not None:
        return shipped
    context = review_context(call)
    return SILENT if context is None else Verdict(Decision.ALLOW, messages=(context,))


def _keep(call: Call, asked: str) -> None:
    words = "".join(filter(str.isprintable, " ".join(without_secrets(asked[:_READ]).split())))
    short = words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
    for project in _projects(call):
        project.store.set_task(call.event.session, short)
        # With a new task it is held back anew for what it left open.
        project.store.let_go(call.event.session)


def _projects(call: Call) -> Iterator[Project]:
    for root in dict.fromkeys((call.project.root, *call.project.store.visited(call.event.session))):
        yield call.open_project(root)


def session_end(call: Call) -> Verdict:
    """Neither what was asked for nor what was refused outlives its session, in any project that it has edited."""
    session = call.event.session
    for project in _projects(call):
        project.store.forget_task(session)
        project.store.unmark(session, "", SessionMark.PROMPTS)
        project.store.forget_attempts(forgotten_before(project.effective().config), session)
    return SILENT
