"""A command, or what a tool touches, judged where it would run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.command_context import CommandContext
from vetgate.checks.unsafe_command.findings import effects_of_tool, findings_of
from vetgate.checks.unsafe_command.judge import judge

if TYPE_CHECKING:
    from vetgate.checks.unsafe_command.effect import Policy
    from vetgate.model import Command, Finding


def judge_in_place(command: Command, policy: Policy) -> tuple[Finding, ...]:
    place = CommandContext(
        command.cwd,
        command.root,
        Path.home(),
        command.home,
        command.own,
        command.push,
        command.is_new,
        command.is_requested,
        command.moved,
        command.moved_from,
    )
    if command.tool:
        return tuple(effects_of_tool(command, place, policy))
    return findings_of(command.text, judge(command.text, place, policy))
