"""`vetgate check`: the gates of an edit, as a linter over files, the index or a diff."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vetgate.checks import checks_under, troubles
from vetgate.cli.progress import Bar
from vetgate.cli.report import FORMATS, render
from vetgate.cli.report.run import Run
from vetgate.cli.surface import BLOCKED, wants_colour
from vetgate.respond.loosened_config import with_loosened
from vetgate.service.check import Judged, joined, judge_change, judge_files, suppressions_of
from vetgate.service.configuration import InForce, configuration, in_force
from vetgate.service.figures import added
from vetgate.service.pages import about
from vetgate.service.selection import select
from vetgate.source import git
from vetgate.source.root import name_in, project_root, real

if TYPE_CHECKING:
    from vetgate.model import Change, Finding, Outcome, Verdict
    from vetgate.service.selection import Selection


@dataclass(frozen=True, slots=True)
class Options:
    staged: bool
    base: str | None
    everything: bool
    form: str
    config_file: Path | None

    @property
    def measured(self) -> bool:
        """Only this report gives the figures of all functions; nobody else pays for them."""
        return self.form == "json"


@click.command(
    epilog="Exit status: 0 passed (warnings pass), 1 blocked, 2 wrong usage, 3 something to put right first."
)
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATHS]...")
@click.option("--staged", is_flag=True, help="Judge what the next commit would change: the index against HEAD.")
@click.option("--diff", "base", metavar="BASE", help="Judge what the work tree changes since it left BASE.")
@click.option("--all", "everything", is_flag=True, help="Show what was there before and what is waived, too.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="How to report: `output.format`, else text.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Use this file, not the project's own.")
def check(paths: tuple[str, ...], **chosen: Any) -> int:
    """Run the checks as a linter over files, the index or a diff.

    Without PATHS the whole project is checked, and every finding counts. With --staged or --diff only what the change
    introduces counts; PATHS then narrow it down. What speaks of changes alone (contracts, duplicates, weakened tests)
    is looked at with --staged and --diff.
    """
    chosen["form"] = chosen["form"] or _configured_format(chosen["config_file"])
    options = Options(**chosen)
    if options.staged and options.base is not None:
        raise click.UsageError("--staged and --diff exclude each other.")
    started = time.perf_counter()
    judged = _judged(paths, options, Path.cwd())
    run = reported(judged, everything=options.everything, elapsed_ms=(time.perf_counter() - started) * 1000)
    click.echo(render(run, options.form).encode("utf-8", "backslashreplace"), nl=False)
    return BLOCKED if run.blocked else 0


def _configured_format(file: Path | None) -> str:
    here = real(Path.cwd())
    return configuration(project_root(here) or here, file).output.format


def _judged(paths: tuple[str, ...], options: Options, cwd: Path) -> Judged:
    if not options.staged and options.base is None:
        return _judged_files(paths, options, cwd)
    repository = git.open_at(cwd)
    if options.base is None:
        change = repository.staged()
        stands = _standing(change.root, options.config_file, change=change)
    else:
        change = repository.since(options.base)
        stands = _standing(change.root, options.config_file, commit=repository.fork(options.base))
    narrowed = _narrowed(change, paths, cwd)
    allowed = suppressions_of(change.root, stands.listed)
    with Bar() as progress:
        judged = judge_change(
            narrowed, stands.config, measured=options.measured, suppressions=allowed, progress=progress
        )
    return called_from(_with_loosened(judged, stands), cwd)


def _with_loosened(judged: Judged, stands: InForce) -> Judged:
    if not stands.config.enabled:
        return judged
    return replace(judged, verdict=with_loosened(judged.verdict, stands.findings, stands.config))


def called_from(judged: Judged, cwd: Path) -> Judged:
    """With the names that its files have for somebody who stands there."""
    here = real(cwd)
    paths = {item.span.path for item in judged.verdict.findings} | {item.path for item in judged.verdict.unchecked}
    paths |= judged.broken.keys() | {outcome.slowest[0] for outcome in judged.verdict.outcomes}
    return replace(judged, names={path: os.path.relpath(judged.root / path, here) for path in paths})


def _narrowed(change: Change, paths: tuple[str, ...], cwd: Path) -> Change:
    if not paths:
        return change
    wanted = [name_in(change.root, real(cwd / path)) for path in paths]

    def inside(path: str) -> bool:
        return any(name in {".", path} or path.startswith(f"{name}/") for name in wanted)

    return replace(
        change,
        files=tuple(file for file in change.files if inside(file.path)),
        unchecked=tuple(each for each in change.unchecked if inside(each.path)),
    )


def _judged_files(paths: tuple[str, ...], options: Options, cwd: Path) -> Judged:
    parts = [_judged_part(each, options) for each in select(paths, cwd)]
    if len(parts) == 1:
        return parts[0]
    here = real(cwd)
    return Judged(
        root=here,
        config=parts[0].config,
        verdict=joined(_with_paths(part.verdict, part.root, here) for part in parts),
        files=sum(part.files for part in parts),
        broken={name_in(here, part.root / path): line for part in parts for path, line in part.broken.items()},
        names={name_in(here, part.root / path): name for part in parts for path, name in part.names.items()},
        totals=added(part.totals for part in parts),
    )


def _judged_part(selection: Selection, options: Options) -> Judged:
    stands = _standing(selection.root, options.config_file)
    allowed = suppressions_of(selection.root, stands.listed)
    with Bar() as progress:
        judged = judge_files(
            selection, stands.config, measured=options.measured, suppressions=allowed, progress=progress
        )
    return _with_loosened(judged, stands)


def _standing(root: Path, file: Path | None, commit: str = "HEAD", change: Change | None = None) -> InForce:
    """What is in force, or a file that somebody wants to try."""
    stands = in_force(root, commit, change)
    if file is not None:
        stands = InForce(configuration(root, file), stands.listed)
    if stands.note:
        click.echo(f"note: {stands.note}", err=True)
    for trouble in troubles(stands.config):
        click.echo(f"note: a rule of this project is left out: {trouble}", err=True)
    return stands


def _with_paths(verdict: Verdict, root: Path, here: Path) -> Verdict:
    """Several projects in one report: their files are told apart by where they lie from here."""

    def moved(path: str) -> str:
        return name_in(here, root / path)

    def finding(each: Finding) -> Finding:
        return replace(each, span=replace(each.span, path=moved(each.span.path)))

    def outcome(each: Outcome) -> Outcome:
        unchecked = tuple(replace(item, path=moved(item.path)) for item in each.unchecked)
        path, took = each.slowest
        slowest = (moved(path) if path else "", took)
        return replace(each, findings=tuple(map(finding, each.findings)), unchecked=unchecked, slowest=slowest)

    return replace(verdict, outcomes=tuple(map(outcome, verdict.outcomes)))


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
