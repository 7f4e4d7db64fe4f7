"""`vetgate check`: the gates of an edit, as a linter over files, the index or a diff."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.cli.progress import Bar
from vetgate.cli.report import FORMATS, render, statistics
from vetgate.cli.surface import BLOCKED, current_root, say, wants_colour
from vetgate.service.check import CheckRequest
from vetgate.service.check import check as judge
from vetgate.service.configuration import Configurations
from vetgate.service.finding_filter import FindingFilter
from vetgate.service.report.run import Run
from vetgate.service.safe_text import counted

if TYPE_CHECKING:
    from vetgate.service.check import Judged


@click.command(epilog="Exit status: 0 passed (warnings pass), 1 blocked, 2 wrong usage, 3 something to fix first.")
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATHS]...")
@click.option("--staged", is_flag=True, help="Judge what the next commit would change: the index against HEAD.")
@click.option("--diff", "base", metavar="BASE", help="Judge what the work tree changes since it left BASE.")
@click.option("--all", "everything", is_flag=True, help="Also show earlier and waived findings.")
@click.option("--all-findings", is_flag=True, help="Show every finding, however many: text shows three of each rule.")
@click.option("--fix", is_flag=True, help="Write corrections that are certain, show them as a diff, and check again.")
@click.option("--statistics", is_flag=True, help="Show only how many findings each rule has.")
@click.option("--select", metavar="NAMES", multiple=True, help="Only these: security,complexity/length,xss")
@click.option("--ignore", metavar="NAMES", multiple=True, help="Without these checks, rules or weaknesses.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="How to report: `output.format`, else text.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Use this file, not the project's own.")
def check(
    paths: tuple[str, ...],
    *,
    staged: bool,
    base: str | None,
    form: str | None,
    config_file: Path | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    **shows: bool,
) -> int:
    """Run the checks as a linter over files, the index or a diff.

    Without PATHS the whole project is checked, and every finding counts. With --staged or --diff only what the change
    introduces counts; PATHS narrow it down. Checks of changes (contracts, duplicates, weakened tests) only run with
    --staged and --diff. With more than 20 findings the report shows a summary first, then three of each rule. In a
    project that is set up, unchanged files are not checked a second time.
    """
    if staged and base is not None:
        raise click.UsageError("--staged and --diff exclude each other.")
    configurations = Configurations(config_file)
    written = configurations.written(current_root())
    form = form or written.output.format
    if shows["fix"] and staged:
        raise click.UsageError("--fix writes files; --staged judges the index.")
    if shows["statistics"] and form != "text":
        raise click.UsageError("--statistics is text; other formats have every finding.")
    wanted = FindingFilter.of(select, ignore, written)
    # Only this report gives the figures of all functions; nobody else pays for them.
    request = CheckRequest(Path.cwd(), paths, staged=staged, base=base, measured=form == "json")
    with Bar() as progress:
        judged = wanted.applied(judge(request, configurations, progress))
    if shows["fix"] and _fixes(judged):
        with Bar() as progress:
            judged = wanted.applied(judge(request, configurations, progress))
    for note in judged.notes:
        click.echo(f"note: {note}", err=True)
    run = Run.of(judged, everything=shows["everything"])
    if shows["statistics"]:
        say(statistics(run))
    else:
        say(render(run, form, colour=wants_colour(), capped=not shows["all_findings"]))
    return BLOCKED if run.blocked else 0


def _fixes(judged: Judged) -> bool:
    """Whether any file was written. The diffs go where they are not taken for the report."""
    from vetgate.service.fixing import fix  # noqa: PLC0415 - only on demand

    done = fix(judged)
    for each in done:
        say(each.diff(), err=True)
        for finding in each.left:
            told = (
                f"left as it is: {each.path}:{finding.span.line} {finding.id}, the correction alone would not be enough"
            )
            click.echo(told, err=True)
    fixed = sum(len(each.fixed) for each in done)
    click.echo(f"{counted(fixed, 'finding')} fixed" if fixed else "nothing could be fixed with certainty", err=True)
    return fixed > 0
