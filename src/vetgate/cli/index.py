"""`vetgate index`: what is known of the project, how far the building of it got, and building it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vetgate.cli.progress import Bar
from vetgate.cli.surface import current_root
from vetgate.runtime import state_dir
from vetgate.service.index import build_index, index_state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.service.index import IndexState


@click.command()
@click.option("--build", "wants_build", is_flag=True, help="Bring it up to date now.")
@click.option("--rebuild", is_flag=True, help="Delete it and build it anew.")
def index(*, wants_build: bool, rebuild: bool) -> None:
    """Show what vetgate knows of this project: files, functions, and whether the index is up to date.

    The hook builds the index after its first answer, and keeps it up to date.
    """
    root = current_root()
    if rebuild or wants_build:
        with Bar() as progress:
            found = build_index(root, state_dir(), anew=rebuild, progress=progress)
    else:
        found = index_state(root, state_dir())
    click.echo("\n".join(_lines(found)))


def _lines(found: IndexState) -> Iterator[str]:
    yield f"index of {found.root}: {found.files:,} files, {found.functions:,} functions long enough to compare"
    if found.building is not None:
        yield f"being built: {found.building.done:,} of {found.building.total:,} files"
    elif not found.is_ready:
        yield f"not built yet: {found.unread:,} files to read; `vetgate index --build` does it now"
    elif found.outstanding:
        yield f"{found.outstanding:,} files have changed since; they are read when they are needed"
    else:
        yield "up to date"
    if found.problem:
        yield f"note: {found.problem}"
