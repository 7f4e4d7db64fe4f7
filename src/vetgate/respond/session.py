"""The start of a session, what the agent is told then, and the probe that shows whether the gate is on."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.checks.secrets.text_redaction import without_secrets
from vetgate.config.load import defaults
from vetgate.engine.run import CheckRunner
from vetgate.model import SILENT, Decision, EventKind, Message, Verdict
from vetgate.record import acceptance_words
from vetgate.redact import redacted
from vetgate.respond.attempts import forgotten_before
from vetgate.respond.call import SECONDS, listening
from vetgate.respond.correction import correction
from vetgate.respond.project_index import tend
from vetgate.respond.sweep import begin
from vetgate.respond.verdict import judged, texts
from vetgate.source.clock import Deadline
from vetgate.store import AcceptanceAct

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
    verdict = judged(config.on[event.kind], CheckRunner(event.change, analyzer, config, Deadline.after(SECONDS)))
    text = correction(verdict, config.gates, texts(event.change, verdict), config.output)
    return replace(verdict, messages=(Message(verdict.decision, text),))


def _has_commands(config: Config) -> bool:
    return any(gate.command for gate in config.gates.values())


def session_start(call: Call) -> Verdict:
    begin(call)
    in_force = call.project.effective()
    tend(call, in_force.config, listening(in_force.config, EventKind.BEFORE_EDIT))
    store = call.project.store
    skipped = "" if call.runs_programs or not _has_commands(in_force.config) else _SKIPPED
    notes = [note for note in (*in_force.notes, store.problem, skipped) if note]
    if call.event.kind is EventKind.SESSION_START and (accepted := store.accepted_since_report()):
        notes += _accepted(accepted)
        call.later.append(partial(store.mark_accepted_reported, accepted[-1].seq))
    text = greeting(in_force.config, notes)
    # The agent is told, but only a person can put these right.
    message = Message(Decision.ALLOW, text, "; ".join(f"vetgate: {note}" for note in notes))
    return Verdict(Decision.ALLOW, messages=(message,))


def _accepted(rows: Sequence[Accepted]) -> list[str]:
    """What was accepted since the last session: whoever did not do it themselves should know."""
    told = [acceptance_words(each.row) for each in rows if each.row.body.get("decision") != AcceptanceAct.USED]
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
        limits = config.complexity
        lines.append(f"vetgate checks every edit here before it is written ({checks}); only what an edit adds counts.")
        lines.append(
            f"Limits per function: cyclomatic complexity {limits.cyclomatic}, cognitive complexity "
            f"{limits.cognitive}, nesting {limits.nesting}, {limits.length} lines, {limits.parameters} parameters."
        )
        lines.append(
            "A refused edit names the lines and the fix: correct the code and write it again with the same tool."
        )
    if config.enabled:
        lines += _commands(config)
    lines += [f"vetgate: {note}" for note in notes]
    return "\n".join(lines)


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
        yield "Gates of this project that run by themselves; what fails comes back with its output and is to be mended:"
        yield from told


LONGEST = 200
_READ = 4_000


def prompt(call: Call) -> Verdict:
    """Nothing is said. What a machine wrote, as clients do when something ends in the background, is no task."""
    asked = call.event.prompt.strip()
    if asked and not asked.startswith("<"):
        call.later.append(partial(_keep, call, asked))
    return SILENT


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
    """Neither the task nor what was refused outlives its session, in any project that it has edited."""
    session = call.event.session
    for project in _projects(call):
        project.store.forget_task(session)
        project.store.forget_attempts(forgotten_before(project.effective().config), session)
    return SILENT
