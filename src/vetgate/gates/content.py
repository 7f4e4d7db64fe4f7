"""Which content a project has now: asked of git, and remembered while the kernel says that nothing has changed."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from vetgate.source.git_tree import content

if TYPE_CHECKING:
    from vetgate.project import Project

# A tree that takes longer to name is not named: gates then run without evidence.
SECONDS = 20.0


class _Known(NamedTuple):
    id: str
    at: int
    is_watched: bool


_known: WeakKeyDictionary[Project, _Known] = WeakKeyDictionary()
_lock = threading.Lock()


def tree_of(project: Project) -> str:
    """The name of what lies there; "" without git."""
    with _lock:
        known = _known.get(project)
        if known is not None and known.is_watched and _is_unchanged(project, known.at):
            return known.id
    at = time.time_ns()
    found = content(project.root, SECONDS)
    if found is None:
        return ""
    watched = project.tree.is_watched and _sees_all(project, found.names)
    with _lock:
        _known[project] = _Known(found.id, at, watched)
    return found.id


def _is_unchanged(project: Project, since: int) -> bool:
    found = project.tree.changed(since)
    return found.whole and not found.paths


def _sees_all(project: Project, names: tuple[str, ...]) -> bool:
    """Whether no file lies in a folder that is left out of what is watched."""
    enters = project.effective().config.paths.enters
    folders = {name.rpartition("/")[0] for name in names}
    return all(enters(folder) for folder in folders if folder)
