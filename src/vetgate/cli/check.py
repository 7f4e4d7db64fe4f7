"""`vetgate check`: the gates of an edit, as a linter over files, the index or a diff."""

from __future__ import annotations

import time
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.checks import checks_under
from vetgate.cli.progress import Bar
from vetgate.cli.report import FORMATS, render
from vetgate.cli.report.run import Run
from vetgate.cli.surface import BLOCKED, current_root, wants_colour
from vetgate.service.check import CheckRequest
from vetgate.service.check import check as judge
from vetgate.service.configuration import Configurations
from vetgate.service.pages import about

if TYPE_CHECKING:
    from vetgate.service.check import Judged


@click.command(
    epilog="Exit status: 0 passed (warnings pass), 1 blocked, 2 wrong usage, 3 something to put right first."
)
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATHS]...")
@click.option("--staged", is_flag=True, help="Judge what the next commit would change: the index against HEAD.")
@click.option("--diff", "base", metavar="BASE", help="Judge what the work tree changes since it left BASE.")
@click.option("--all", "everything", is_flag=True, help="Show what was there before and what is waived, too.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="How to report: `output.format`, else text.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Use this file, not the project's own.")
def check(
    paths: tuple[str, ...],
    *,
    staged: bool,
    base: str | None,
    everything: bool,
    form: str | None,
    config_file: Path | None,
) -> int:
    """Run the checks as a linter over files, the index or a diff.

    Without PATHS the whole project is checked, and every finding counts. With --staged or --diff only what the change
    introduces counts; PATHS then narrow it down. What speaks of changes alone (contracts, duplicates, weakened tests)
    is looked at with --staged and --diff.
    """
    if staged and base is not None:
        raise click.UsageError("--staged and --diff exclude each other.")
    configurations = Configurations(config_file)
    form = form or configurations.written(current_root()).output.format
    started = time.perf_counter()
    # Only this report gives the figures of all functions; nobody else pays for them.
    request = CheckRequest(Path.cwd(), paths, staged=staged, base=base, measured=form == "json")
    with Bar() as progress:
        judged = judge(request, configurations, progress)
    for note in judged.notes:
        click.echo(f"note: {note}", err=True)
    run = reported(judged, everything=everything, elapsed_ms=(time.perf_counter() - started) * 1000)
    click.echo(render(run, form).encode("utf-8", "backslashreplace"), nl=False)
    return BLOCKED if run.blocked else 0


def reported(judged: Judged, *, everything: bool = False, elapsed_ms: float = 0.0) -> Run:
    return Run(
        verdict=judged.verdict,
        root=judged.root,
        files=judged.files,
        broken=judged.broken,
        elapsed_ms=elapsed_ms,
        totals=judged.totals,
        everything=everything,
        snippets=judged.config.output.snippets,
        colour=wants_colour(),
        shown=lambda path: judged.names.get(path, path),
        text=lru_cache(maxsize=8)(judged.text),
        checks=checks_under(judged.config),
        page=about,
    )
