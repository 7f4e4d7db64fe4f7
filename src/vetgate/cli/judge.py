"""`vetgate judge`: a judge asked by hand, or only what it would ask and what that would cost."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.cli.judgement import issue_lines, judgement_lines, usd
from vetgate.cli.surface import BLOCKED, say
from vetgate.judgement import JudgeDecision
from vetgate.service.judge import JudgeRequest, known_judges, plain, prepare

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from vetgate.service.judge import Prepared


def _completed(_context: click.Context, _argument: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in known_judges() if name.startswith(incomplete)]


@click.command(
    epilog="Exit status: 0 allowed, 1 denied, 2 wrong usage, 3 something to fix first (no answer, no model)."
)
@click.argument("name", metavar="NAME", shell_complete=_completed)
@click.option(
    "--transcript",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The conversation to judge by, as the agent's client writes it.",
)
@click.option("--diff", metavar="FILE", help="A unified diff to judge, - for standard input.")
@click.option("--file", metavar="PATH", help="A file to judge, as it is.")
@click.option("--model", "models", metavar="NAME", multiple=True, help="Ask this model; may be repeated.")
@click.option("--dry-run", is_flag=True, help="Print what would be sent and what it would cost; send nothing.")
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
def judge(name: str, **given: Any) -> int:
    """Ask a judge about a transcript, a diff, a file, or what the work tree changes since HEAD.

    Only models in a vetgate.yaml that a person accepted are asked. A gate with this judge decides which models and
    which consensus. The cost counts towards the budget and is in `vetgate stats --cost`.
    """
    if given["diff"] is not None and given["file"] is not None:
        raise click.UsageError("--diff and --file exclude each other")
    diff = _read(given["diff"]) if given["diff"] is not None else None
    request = JudgeRequest(name, Path.cwd(), given["transcript"], diff, given["file"], given["models"])
    prepared = prepare(request)
    if given["dry_run"]:
        sent = json.dumps(prepared.plain(), indent=2) if given["form"] == "json" else "\n".join(_sent(prepared))
        say(f"{sent}\n")
        return 0
    judgement = prepared.ask()
    lines = (*judgement_lines(judgement), *issue_lines(judgement))
    told = json.dumps(plain(judgement), indent=2) if given["form"] == "json" else "\n".join(lines)
    say(f"{told}\n")
    return BLOCKED if judgement.decision == JudgeDecision.DENY else 0


def _read(name: str) -> str:
    if name == "-":
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    try:
        return Path(name).read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise click.UsageError(f"{name} cannot be read: {error.strerror}") from None


def _sent(prepared: Prepared) -> Iterator[str]:
    question = prepared.question
    yield f"--- instructions ({len(question.instructions.encode()):,} bytes)"
    yield question.instructions
    for number, asked in enumerate(prepared.questions, 1):
        which = f" {number} of {len(prepared.questions)}" if len(prepared.questions) > 1 else ""
        yield f"--- prompt{which} ({len(asked.prompt.encode()):,} bytes)"
        yield asked.prompt
    if granted := question.investigate:
        yield f"--- the model may read, search and list files: {granted.turns} turns, {granted.tokens:,} tokens in all"
    calls = "one call" if len(prepared.questions) == 1 else f"{len(prepared.questions)} calls"
    yield f"--- cost, at most, of {calls}"
    for each in prepared.estimates:
        tokens = f"about {each.usage.input:,} tokens in, at most {each.usage.output:,} out"
        yield f"{each.model.name} ({each.model.api}, {each.model.model}): {tokens}, {usd(each.usd)}"
    yield "nothing was sent"
