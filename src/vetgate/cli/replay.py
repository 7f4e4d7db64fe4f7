"""`vetgate replay`: what the gate would have stopped in edits of the past."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vetgate import runtime
from vetgate.agents.claude_code.calls import of_project
from vetgate.agents.claude_code.settings import config_dir
from vetgate.cli.progress import Bar
from vetgate.cli.replay_report import FORMATS, Replayed, render
from vetgate.model import UserError
from vetgate.service.configuration import configuration, in_force
from vetgate.service.replay.judge import judgements
from vetgate.service.replay.recording import history
from vetgate.service.replay.remembered import judged_again
from vetgate.service.replay.sessions import sessions, transcripts_at
from vetgate.service.replay.tally import difference, read_marks, tally
from vetgate.source import git
from vetgate.source.root import project_root, real, store_key
from vetgate.store import Store

if TYPE_CHECKING:
    from vetgate.config.schema import Config
    from vetgate.service.replay.judge import Judgement
    from vetgate.service.replay.recording import Recording

_COMMITS = 100
_DECISIONS = 10_000


@dataclass(frozen=True, slots=True)
class Options:
    commits: str | None
    of_project: bool
    transcripts: tuple[Path, ...]
    remembered: bool
    last: int | None
    config_file: Path | None
    other_file: Path | None
    marks_file: Path | None
    form: str
    examples: int


_FILE = click.Path(path_type=Path)


@click.command(epilog="Exit status: 0 whatever would have been blocked, 2 wrong usage, 3 something to put right first.")
@click.option("--git", "commits", metavar="RANGE", help="Each file of each commit of this range is an edit.")
@click.option(
    "--sessions", "of_project", is_flag=True, help="What Claude Code did in this project, by its transcripts."
)
@click.option("--transcript", "transcripts", type=_FILE, multiple=True, help="This transcript, or all in this folder.")
@click.option("--log", "remembered", is_flag=True, help="The decisions in our own log, as far as it tells.")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the newest N commits, or decisions.")
@click.option("--config", "config_file", type=_FILE, help="Use this file, not the project's own.")
@click.option("--diff", "other_file", type=_FILE, help="Compare with this configuration: what only one would block.")
@click.option("--marks", "marks_file", type=_FILE, help="What you said of blocks, for the precision of each rule.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to report.")
@click.option("--examples", type=click.IntRange(min=0), default=3, show_default=True, help="So many for each rule.")
def replay(**chosen: Any) -> None:
    """Tell what the gate would have blocked in edits of the past, by rule, and the time it would have cost.

    Without a source, the newest 100 commits of this repository are taken. Nothing is changed, and nothing is run but
    the checks. With --format jsonl each block is a line of JSON; write `right`, `arguable` or `wrong` behind its
    `verdict`, and --marks reads it.
    """
    options = Options(**chosen)
    if sum((options.commits is not None, options.of_project, bool(options.transcripts), options.remembered)) > 1:
        raise click.UsageError("--git, --sessions, --transcript and --log exclude each other.")
    started = time.perf_counter()
    root = project_root(real(Path.cwd())) or real(Path.cwd())
    configs = [configuration(root, options.config_file) if options.config_file else in_force(root).config]
    if options.other_file is not None:
        configs.append(configuration(root, options.other_file))
    marks = read_marks(options.marks_file) if options.marks_file else {}
    what, notes, judged = _judged(options, root, configs)
    current, *other = ([each[index] for each in judged] for index in range(len(configs)))
    replayed = Replayed(
        what=what,
        tally=tally(current, marks),
        elapsed_ms=(time.perf_counter() - started) * 1000,
        examples=options.examples,
        difference=difference(current, other[0]) if other else None,
        other=str(options.other_file or ""),
        notes=(*notes, *(_OFF for config in configs if not config.enabled)),
        marks=marks,
    )
    click.echo(render(replayed, options.form).encode("utf-8", "backslashreplace"), nl=False)


_OFF = "a configuration says `enabled: false`: it stops nothing, whatever is counted here"


def _judged(
    options: Options, root: Path, configs: list[Config]
) -> tuple[str, tuple[str, ...], list[tuple[Judgement, ...]]]:
    if options.remembered:
        rows = Store.open(runtime.state_dir(), store_key(root)).decisions(options.last or _DECISIONS)
        if not rows:
            raise UserError(
                "the log of this project is empty", hint="replay commits instead: vetgate replay --git RANGE"
            )
        again = [list(judged_again(reversed(rows), config)) for config in configs]
        return "our own log", (), list(zip(*again, strict=True))
    recording = _recording(options, root)
    with Bar() as progress:
        return recording.what, recording.notes, judgements(recording, configs, progress)


def _recording(options: Options, root: Path) -> Recording:
    if options.transcripts:
        return sessions(transcripts_at(options.transcripts))
    if options.of_project:
        found = of_project(config_dir(), root)
        if not found:
            raise UserError(f"Claude Code keeps no transcripts of {root}", hint="name one: --transcript FILE")
        return sessions(found)
    newest = options.last or (_COMMITS if options.commits is None else None)
    return history(git.open_at(root), options.commits or "HEAD", newest)
