"""Before a command: what it would do is judged, and from here on what it changes is the session's."""

from __future__ import annotations

import shlex
from functools import partial
from typing import TYPE_CHECKING

from vetgate.engine.decide import decided
from vetgate.engine.order import ordered
from vetgate.model import SILENT, Change, Command, Decision, EventKind, Verdict
from vetgate.respond.grants import way_out, with_grant
from vetgate.respond.push_guard import push_from
from vetgate.respond.sweep import begin
from vetgate.respond.tool import on_credentials
from vetgate.respond.verdict import report, report_pass

if TYPE_CHECKING:
    from vetgate.respond.call import Call


def before_command(call: Call) -> Verdict:
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
    outcomes = tuple(ordered(config.gates[name], command, call.analyzer.checks, config) for name in gates)
    if call.event.touches:  # a tool of others names files beside its command
        outcomes += on_credentials(call, config, call.event.touches, here)
    verdict = Verdict(decided(outcomes, config.gates), outcomes)
    if verdict.decision is Decision.ALLOW:
        return report_pass(call, verdict, config)
    return report(call, with_grant(call, verdict), config, Change(call.project.root), way_out(call))
