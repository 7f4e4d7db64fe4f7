"""Before tools that are neither an edit nor a command, and before calls that nobody can read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vetgate.engine.decide import decided
from vetgate.engine.order import ordered
from vetgate.model import SILENT, Change, Command, Decision, EventKind, Touch, Verdict
from vetgate.respond.grants import way_out, with_grant
from vetgate.respond.verdict import report

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.model import Outcome
    from vetgate.respond.call import Call

    Respond = Callable[[Call], Verdict]


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
    outcomes = (ordered(gate, command, call.analyzer.checks, config) for gate in gates)
    return tuple(each for each in outcomes if each.findings or each.error)
