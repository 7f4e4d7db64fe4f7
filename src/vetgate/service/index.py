"""The index of a project: what is known of it, how far the building of it got, and building it."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks import all_checks
from vetgate.index.build import build, single_builder
from vetgate.model import UserError
from vetgate.progress import Progress, unseen
from vetgate.project import Project
from vetgate.service.spread import MANY, Spread
from vetgate.store import UnusableError, remove_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from vetgate.config.schema import Config
    from vetgate.index.build import Spread as Spreading
    from vetgate.index.keep import IndexedFile, Work
    from vetgate.index.project import BuildProgress, ProjectIndex

# Every batch is a transaction.
_BATCH = 128
_NEVER = sys.maxsize
_LOWEST = 19
_WAITS = 60.0  # seconds for somebody else who is building it


@dataclass(frozen=True, slots=True)
class IndexState:
    """`building` is how far somebody got who is at it; `unread` and `outstanding` count files."""

    root: Path
    files: int
    functions: int
    is_ready: bool
    building: BuildProgress | None
    unread: int
    outstanding: int
    problem: str


def index_state(root: Path, state: Path) -> IndexState:
    project = Project(root, state)
    return _state_of(_opened(project, project.effective().config))


def build_index(root: Path, state: Path, *, anew: bool = False, progress: Progress = unseen) -> IndexState:
    """Bring it up to date, or throw it away and build it `anew`."""
    project = Project(root, state)
    config = project.effective().config
    found = _opened(project, config)
    with single_builder(found.store.path.parent) as is_ours:
        if not is_ours:
            raise UserError("somebody else is building the index", hint="`vetgate index` shows how far it got")
        if anew:
            found.store.close()
            remove_index(found.store.path)
            found = _opened(Project(root, state), config)
        try:
            _built(found, _spread(progress))
        except UnusableError as error:
            raise UserError(f"the index could not be written: {error}", hint="is the disk full?") from error
    return _state_of(found)


def ready_index(
    root: Path, config: Config, state: Path, progress: Progress = unseen, listed: Iterable[str] | None = None
) -> ProjectIndex | None:
    """The index, up to date, for who has the time; None where nobody asks for it or it cannot be.

    `listed` are the files that git knows of or could, where they are known.
    """
    if not is_wanted(config):
        return None
    found = Project(root, state).index(config)
    if found is None:
        return None
    with single_builder(found.store.path.parent, _WAITS) as is_ours, contextlib.suppress(UnusableError):
        if is_ours:
            _built(found, _spread(progress), listed)
    return found


def is_wanted(config: Config) -> bool:
    """Whether any check compares a change with the rest of the project."""
    families = {name.partition("/")[0] for gate in config.gates.values() for name in gate.checks}
    return any(check.on_whole_change is not None for name, check in all_checks().items() if name in families)


def _opened(project: Project, config: Config) -> ProjectIndex:
    found = project.index(config)
    if found is None:
        raise UserError(f"the index cannot be stored anywhere: {project.store.problem or 'its file cannot be used'}")
    return found


def _state_of(found: ProjectIndex) -> IndexState:
    files, functions = found.store.counts(str(found.root))
    building, work = found.progress(), found.outstanding()
    problem = found.store.problem
    return IndexState(found.root, files, functions, found.is_ready, building, len(work.changed), work.size, problem)


def _built(found: ProjectIndex, spread: Spreading, listed: Iterable[str] | None = None) -> Work:
    """Once more from the start, where what was there turned out to be damaged and was thrown away."""
    try:
        return build(found, spread, listed)
    except UnusableError:
        if found.store.roots():
            raise
        return build(found, spread)


def _spread(progress: Progress = unseen, *, alone: bool = False) -> Spreading:
    def over(work: Callable[[tuple[str, ...]], list[IndexedFile]], paths: Sequence[str]) -> Iterable[list[IndexedFile]]:
        many = _NEVER if alone else MANY
        return Spread("indexing", work, many=many, batch=_BATCH, progress=progress).over(paths)

    return over


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
            _built(found, _spread(alone=not waits))
