"""`vetgate index`: what is known of the project, how far the building of it got, and building it."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetgate.checks import all_checks
from vetgate.cli.config import current_root
from vetgate.cli.spread import Spread
from vetgate.index.build import build, single_builder
from vetgate.model import UserError
from vetgate.project import Project
from vetgate.runtime import state_dir
from vetgate.store.index import UnusableError, remove

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from vetgate.config.schema import Config
    from vetgate.index.build import Spread as Spreading
    from vetgate.index.keep import IndexedFile, Work
    from vetgate.index.project import ProjectIndex

# Every batch is a transaction.
_BATCH = 128
_NEVER = sys.maxsize
_LOWEST = 19
_WAITS = 60.0  # seconds for somebody else who is building it


@click.command()
@click.option("--build", "wants_build", is_flag=True, help="Bring it up to date now.")
@click.option("--rebuild", is_flag=True, help="Throw it away and build it from the start.")
def index(*, wants_build: bool, rebuild: bool) -> None:
    """Show what vetgate knows of this project: files, functions, and whether that is up to date.

    The hook has the index built after its first answer, and keeps it up to date.
    """
    project = Project(current_root(), state_dir())
    found = opened(project)
    folder = found.store.path.parent
    if rebuild or wants_build:
        with single_builder(folder) as is_ours:
            if not is_ours:
                raise UserError("somebody else is building the index", hint="`vetgate index` shows how far it got")
            if rebuild:
                found.store.close()
                remove(found.store.path)
                found = opened(Project(project.root, state_dir()))
            bring_up_to_date(found)
    click.echo("\n".join(_told(found)))


def opened(project: Project) -> ProjectIndex:
    found = project.index(project.effective().config)
    if found is None:
        raise UserError(f"there is no place for an index: {project.store.problem or 'its file cannot be used'}")
    return found


def ready(root: Path, config: Config, state: Path | None = None) -> ProjectIndex | None:
    """The index, up to date, for who has the time; None where nobody asks for it or it cannot be.

    A hook knows its own `state` folder, whatever the environment says.
    """
    if not is_wanted(config):
        return None
    found = Project(root, state or state_dir()).index(config)
    if found is None:
        return None
    with single_builder(found.store.path.parent, _WAITS) as is_ours, contextlib.suppress(UnusableError):
        if is_ours:
            _built(found, _spread)
    return found


def is_wanted(config: Config) -> bool:
    """Whether any check compares a change with the rest of the project."""
    families = {name.partition("/")[0] for gate in config.gates.values() for name in gate.checks}
    return any(check.on_whole_change is not None for name, check in all_checks().items() if name in families)


def bring_up_to_date(found: ProjectIndex) -> int:
    """How many files had to be read, or forgotten."""
    try:
        return _built(found, _spread).size
    except UnusableError as error:
        raise UserError(f"the index could not be written: {error}", hint="is the disk full?") from error


def _built(found: ProjectIndex, spread: Spreading) -> Work:
    """Once more from the start, where what was there turned out to be damaged and was thrown away."""
    try:
        return build(found, spread)
    except UnusableError:
        if found.store.roots():
            raise
        return build(found, spread)


def _spread(work: Callable[[tuple[str, ...]], list[IndexedFile]], paths: Sequence[str]) -> Iterable[list[IndexedFile]]:
    return Spread("indexing", work, batch=_BATCH).over(paths)


def _told(found: ProjectIndex) -> Iterable[str]:
    files, functions = found.store.counts(str(found.root))
    yield f"index of {found.root}: {files:,} files, {functions:,} functions long enough to compare"
    progress = found.progress()
    work = found.outstanding()
    if progress is not None:
        yield f"being built: {progress.done:,} of {progress.total:,} files"
    elif not found.is_ready:
        yield f"not built yet: {len(work.changed):,} files to read; `vetgate index --build` does it now"
    elif work.size:
        yield f"{work.size:,} files have changed since; they are read when they are asked about"
    else:
        yield "up to date"
    if found.store.problem:
        yield f"note: {found.store.problem}"


def _quietly(work: Callable[[tuple[str, ...]], list[IndexedFile]], paths: Sequence[str]) -> Iterable[list[IndexedFile]]:
    return Spread("indexing", work, many=_NEVER, batch=_BATCH).over(paths)


def main() -> None:
    """What a hook starts: `ROOT STATE [WAITS]`. Unless somebody waits so many seconds, it makes way for every other."""
    root, state, waits = Path(sys.argv[2]), Path(sys.argv[3]), float(sys.argv[4] if len(sys.argv) > 4 else 0)
    if not waits and hasattr(os, "nice"):
        os.nice(_LOWEST)
    project = Project(root, state)
    found = project.index(project.effective().config)
    if found is None:
        return
    with single_builder(found.store.path.parent, waits) as is_ours, contextlib.suppress(UnusableError):
        if is_ours:
            _built(found, _spread if waits else _quietly)
