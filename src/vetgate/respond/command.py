"""Before a command and other tools that are no edit: what they would do is judged; what nobody can read is refused."""

from __future__ import annotations

import shlex
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vetgate.engine.commands import judge_command
from vetgate.engine.decide import decided
from vetgate.model import SILENT, Change, Command, Decision, EventKind, Verdict
from vetgate.respond.push_guard import push_from
from vetgate.respond.questions import way_out, with_grant
from vetgate.respond.sweep import begin
from vetgate.respond.verdict import report, report_pass

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.model import Outcome, Touch
    from vetgate.respond.call import Call

    Respond = Callable[[Call], Verdict]


def before_command(call: Call) -> Verdict:
    """From here on what it changes is the session's."""
    begin(call)
    here, call = call.project.root, call.at_home
    config = call.project.effective().config
    gates = config.on.get(EventKind.BEFORE_COMMAND, ())
    if not config.enabled or not gates:
        return SILENT
    home = call.project.root
    text = call.event.command
    if call.event.tool == "PowerShell":  # it reads as both: what either would do counts
        text = f"{text}\npwsh -Command {shlex.quote(text)}"
    command = Command(text, call.event.cwd, here, home, call.own, push=partial(push_from, call))
    outcomes = tuple(judge_command(config.gates[name], command, call.analyzer.checks, config) for name in gates)
    if call.event.touches:  # a tool of others names files beside its command
        outcomes += on_credentials(call, config, call.event.touches, here)
    verdict = Verdict(decided(outcomes, config.gates), outcomes)
    if verdict.decision is Decision.ALLOW:
        return report_pass(call, verdict, config)
    return report(call, with_grant(call, verdict), config, Change(call.project.root), way_out(call))


def readable(respond: Respond) -> Respond:
    """A call that would write or run something nobody can read does not happen."""

    def answer(call: Call) -> Verdict:
        if not call.event.unreadable:
            return respond(call)
        call = call.at_home
        config = call.project.effective().config
        if not config.enabled:
            return SILENT
        what = f"this call of {call.event.tool or 'a tool'} cannot be read and does not happen: {call.event.unreadable}"
        note = f"{what}. Send it again in the form that the tool asks for"
        return report(call, Verdict(Decision.BLOCK, notes=(note,)), config, Change(call.project.root))

    return answer


def before_tool(call: Call) -> Verdict:
    """What reads credentials is judged as a command would be that does; everything else passes without a word."""
    touches = call.event.touches
    if not touches:
        return SILENT
    here, call = call.project.root, call.at_home
    config = call.project.effective().config
    outcomes = on_credentials(call, config, touches, here) if config.enabled else ()
    if not outcomes:
        return SILENT
    # By its text a person allows it once, like a command.
    text = " ".join((call.event.tool, *(each.path for each in touches)))
    call = replace(call, event=replace(call.event, command=text))
    verdict = Verdict(decided(outcomes, config.gates), outcomes)
    return report(call, with_grant(call, verdict), config, Change(call.project.root), way_out(call))


def on_credentials(call: Call, config: Config, touches: tuple[Touch, ...], here: Path) -> tuple[Outcome, ...]:
    """What the gates of commands say of files that a tool names; nothing where they have nothing to say."""
    home = call.at_home.project.root
    command = Command("", call.event.cwd, here, home, call.own, call.event.tool, touches)
    gates = (config.gates[name] for name in config.on.get(EventKind.BEFORE_COMMAND, ()))
    outcomes = (judge_command(gate, command, call.analyzer.checks, config) for gate in gates)
    return tuple(each for each in outcomes if each.findings or each.error)
