"""What a command would do that cannot be taken back, or that nobody asked for, before it does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks.unsafe_command.command_context import CommandContext
from vetgate.checks.unsafe_command.effect import KINDS, Effect, Policy
from vetgate.checks.unsafe_command.file_tools import effects_of_tool
from vetgate.checks.unsafe_command.findings import findings_of
from vetgate.checks.unsafe_command.judge import judge
from vetgate.engine.check import Check, Rule
from vetgate.failure import CLOSED
from vetgate.model import Decision, Severity

if TYPE_CHECKING:
    from vetgate.config.schema import Commands, Config
    from vetgate.model import Command, Finding

__all__ = ["CHECK", "CommandContext", "Effect", "Policy", "findings_of", "judge", "policy_of"]

_RULES = tuple(
    Rule(id=name, severity=Severity.ERROR, summary=f"It {kind.summary}.", cwe=kind.cwe) for name, kind in KINDS.items()
)


def policy_of(commands: Commands) -> Policy:
    decisions = {effect: Decision[word.upper()] for effect, word in commands.effects.items()}
    return Policy(decisions, commands.trusted, commands.sensitive)


def _command(command: Command, config: Config) -> tuple[Finding, ...]:
    place = CommandContext(command.cwd, command.root, Path.home(), command.home, command.own, command.push)
    if command.tool:
        return tuple(effects_of_tool(command, place, policy_of(config.commands)))
    return findings_of(command.text, judge(command.text, place, policy_of(config.commands)))


CHECK = Check(
    id="unsafe-command",
    summary="Commands that destroy, leak, publish, stay behind, or get around the gate.",
    details=(
        "commands that delete, lose work, run fetched code, read or send credentials, publish, destroy "
        "infrastructure, skip hooks or tamper with the gate, with a safe way to do the same; words in `grep`, "
        "`echo` and commit messages are text"
    ),
    scope="shell, with Python, Node, Perl and Ruby one-liners",
    rules=_RULES,
    on_command=_command,
    rank=130,
    gate="commands",
    on_error=CLOSED,
)
