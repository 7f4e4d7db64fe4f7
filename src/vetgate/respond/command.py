"""Before a command and other tools that are no edit: what they would do is judged; what nobody can read is refused."""

from __future__ import annotations

import shlex
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.agents import agent
from vetgate.engine.commands import ShellCheckRunner
from vetgate.engine.decide import decided
from vetgate.gates.sequence import judged
from vetgate.model import POWERSHELL, SILENT, Change, Command, Decision, EventKind, GateKind, Override, Verdict
from vetgate.respond.gates import config_of_checks
from vetgate.respond.grants import note_scheduled, of_command, use_grant, void_codes
from vetgate.respond.requested_removals import is_requested
from vetgate.respond.session_files import SessionFiles
from vetgate.respond.ship import before_shipping, push_from
from vetgate.respond.sweep import begin
from vetgate.respond.verdict import report, report_pass
from vetgate.store import SessionMark

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.model import Outcome, Touch
    from vetgate.respond.call import Call

    Respond = Callable[[Call], Verdict]


def before_command(call: Call) -> Verdict:
    """From here on what it changes is the session's. What is not refused for itself may still not leave."""
    begin(call)
    at_home = call.at_home
    config = config_of_checks(at_home, at_home.in_force.config)
    verdict = _effects(at_home, config, call.project.root)
    shipped = before_shipping(call)
    may_not_leave = shipped is not None and shipped.decision >= Decision.BLOCK
    if verdict is None or (may_not_leave and verdict.decision < Decision.BLOCK):
        return shipped or SILENT
    told = _report(at_home, verdict, config)
    if shipped is None:
        return told
    if may_not_leave:  # what was refused often enough becomes a question to a person, what nobody reviewed never does
        return told.joined(shipped) if told.decision >= Decision.BLOCK else shipped
    return told.joined(shipped)


def _effects(call: Call, config: Config, here: Path) -> Verdict | None:
    """None where no gate listens."""
    gates = config.on.get(EventKind.BEFORE_COMMAND, ())
    if not config.enabled or not gates:
        return None
    home = call.project.root
    text = call.event.command
    if call.event.shell == POWERSHELL:  # it reads as both: what either would do counts
        text = f"{text}\n{POWERSHELL} -Command {shlex.quote(text)}"
    command = Command(
        text,
        call.event.cwd,
        here,
        home,
        call.own,
        push=partial(push_from, call),
        is_new=SessionFiles(call).is_new,
        is_requested=partial(is_requested, call),
        moved=call.moved,
        moved_from=agent(call.event.agent).known.folder,
    )
    verdict = judged(gates, config, {GateKind.CHECKS: ShellCheckRunner(command, call.analyzer.checks, config)})
    if call.event.touches:  # a tool of others names files beside its command
        outcomes = (*verdict.outcomes, *on_credentials(call, config, call.event.touches, here))
        verdict = replace(verdict, decision=decided(outcomes, config), outcomes=outcomes)
    call.spoken[home] = verdict.outcomes
    return verdict


def _report(call: Call, verdict: Verdict, config: Config) -> Verdict:
    if verdict.decision is Decision.ALLOW:
        return report_pass(call, verdict, config)
    request = of_command(call.event.command, call.event.cwd)
    verdict = use_grant(call, verdict, request)
    if verdict.overridden is Override.PERSON:
        call.project.store.mark(call.event.session, "", SessionMark.ALLOWED, request.subject)
    return report(call, verdict, config, Change(call.project.root), request)


def readable(respond: Respond) -> Respond:
    """A call that would write or run something nobody can read does not happen."""

    def answer(call: Call) -> Verdict:
        home = call.at_home
        void = void_codes(home)
        if not call.event.unreadable and not void:
            return respond(call)
        call = home
        config = call.in_force.config
        if not config.enabled:
            return SILENT
        what = f"this call of {call.event.tool or 'a tool'} cannot be read and does not happen: {call.event.unreadable}"
        note = void or f"{what}. Send it again in the form that the tool asks for"
        return report(call, Verdict(Decision.BLOCK, notes=(note,)), config, Change(call.project.root))

    return answer


def before_tool(call: Call) -> Verdict:
    """What reads credentials is judged as a command would be that does; everything else passes without a word."""
    touches = call.event.touches
    if call.event.schedules:
        note_scheduled(call.at_home)
    if not touches:
        return SILENT
    here, call = call.project.root, call.at_home
    config = config_of_checks(call, call.in_force.config)
    outcomes = on_credentials(call, config, touches, here) if config.enabled else ()
    if not outcomes:
        return SILENT
    # By its text a person allows it once, like a command.
    text = " ".join((call.event.tool, *(each.path for each in touches)))
    call = replace(call, event=replace(call.event, command=text))
    verdict = Verdict(decided(outcomes, config), outcomes)
    request = of_command(call.event.command, call.event.cwd)
    return report(call, use_grant(call, verdict, request), config, Change(call.project.root), request)


def on_credentials(call: Call, config: Config, touches: tuple[Touch, ...], here: Path) -> tuple[Outcome, ...]:
    """What the gates of commands say of files that a tool names; nothing where they have nothing to say."""
    home = call.at_home.project.root
    command = Command("", call.event.cwd, here, home, call.own, call.event.tool, touches)
    runners = {GateKind.CHECKS: ShellCheckRunner(command, call.analyzer.checks, config)}
    outcomes = judged(config.on.get(EventKind.BEFORE_COMMAND, ()), config, runners).outcomes
    return tuple(each for each in outcomes if each.findings or each.error)
