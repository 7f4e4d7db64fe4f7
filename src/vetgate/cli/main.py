"""The command line: one module per command, imported when it is called."""

from __future__ import annotations

import gc
import importlib
import sys
from difflib import get_close_matches
from typing import TYPE_CHECKING

import click

from vetgate import __version__
from vetgate.cli.surface import guarded

if TYPE_CHECKING:
    from collections.abc import Mapping

# New objects between two looks for garbage. Python's 700 have it look two hundred times while a command is loaded, and
# nothing of that is ever garbage.
_OBJECTS = 200_000

# Command -> module; the module holds a click command of the same name. The help line is here so that
# `vetgate --help` imports none of them.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "init": ("vetgate.cli.init", "Set up the gate in this repository: configuration, hooks and slash commands."),
    "doctor": ("vetgate.cli.doctor", "Is the gate really on? Probe every registered hook."),
    "status": ("vetgate.cli.status", "Is the gate on, which findings are open, what waits for a person?"),
    "check": ("vetgate.cli.check", "Run the checks as a linter over files, the index or a diff."),
    "review": ("vetgate.cli.review", "Run the gates of a review over what this branch changes."),
    "reconcile": ("vetgate.cli.reconcile", "Settle what a review or a pull request left open."),
    "ship": ("vetgate.cli.ship", "May this be pushed or published? Was exactly this content reviewed?"),
    "judge": ("vetgate.cli.judge", "Ask a judge about a transcript, a diff or a file."),
    "metrics": ("vetgate.cli.metrics", "Print the five measures of every function."),
    "index": ("vetgate.cli.index", "Show the index of the project, or build it."),
    "explain": ("vetgate.cli.explain", "Explain a check, a rule, a judge or a recorded decision."),
    "log": ("vetgate.cli.log", "Show decisions; verify that none was removed or changed."),
    "summary": ("vetgate.cli.summary", "Sum a session up: refused, corrected, deferred, let through."),
    "stats": ("vetgate.cli.stats", "Which rules block, and how it ended: fixed, overridden, waived."),
    "tune": ("vetgate.cli.stats", "Propose changes of the configuration from the record."),
    "replay": ("vetgate.cli.replay", "What would the gate have blocked in past edits?"),
    "test": ("vetgate.cli.test", "Run the examples of this project's own rules."),
    "config": ("vetgate.cli.config", "Show the effective configuration or its schema."),
    "trust": ("vetgate.cli.trust", "Accept this repository's vetgate.yaml."),
    "migrate": (
        "vetgate.cli.config",
        "Turn a gates.json, review-config.yaml or judge.config.json into a vetgate.yaml.",
    ),
    "allow": ("vetgate.cli.waive", "Let one refused call through, by its code."),
    "baseline": ("vetgate.cli.baseline", "Adopt vetgate on old code: list current findings."),
    "waive": ("vetgate.cli.waive", "Allow a finding on purpose, until a day, for a reason."),
    "hook": ("vetgate.cli.hook", "Answer one hook event on standard input."),
    "mcp": ("vetgate.cli.mcp", "Serve checks, tests and commits to agents over MCP."),
    "daemon": ("vetgate.cli.daemon", "Look at the warm process behind the hook, or stop it."),
    "completion": ("vetgate.cli.completion", "Print the completion script for your shell."),
}


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(COMMANDS[cmd_name][0])
        command = getattr(module, cmd_name)
        assert isinstance(command, click.Command)  # noqa: S101
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            near = get_close_matches(name, COMMANDS, n=1)
            meant = "vetgate --version" if name == "version" else f"vetgate {near[0]}" if near else ""
            hint = f"Did you mean `{meant}`?" if meant else "`vetgate --help` lists them all."
            raise click.UsageError(f"No such command '{name}'. {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="vetgate")
def vetgate() -> None:
    """Gate what AI coding agents write: every edit judged before it lands."""


def main() -> None:
    gc.set_threshold(_OBJECTS)
    status = guarded(vetgate)
    gc.freeze()  # the interpreter looks through all there is as it ends; the system takes it back anyway
    sys.exit(status)
