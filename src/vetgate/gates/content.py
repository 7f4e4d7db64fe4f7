"""Which content a project has now, and what of it changed: asked of git, and remembered while nothing has moved."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from vetgate.model import UserError
from vetgate.source.git_past import base, second_after
from vetgate.source.git_tree import Changes, changes, content

if TYPE_CHECKING:
    from vetgate.project import Project

# A tree that takes longer to name is not named: gates then run without evidence.
SECONDS = 20.0


class _Known(NamedTuple):
    id: str
    at: int
    is_watched: bool


_known: WeakKeyDictionary[Project, _Known] = WeakKeyDictionary()
_changes: WeakKeyDictionary[Project, tuple[tuple[str, str, str | None], Changes]] = WeakKeyDictionary()
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


def changes_of(project: Project, session: str, tree: str) -> Changes:
    """What differs from how the session found it; the same content beside the same commit differs in the same."""
    key = (session, tree, _base(project, session))
    with _lock:
        known = _changes.get(project)
    if known is not None and tree and known[0] == key:
        return known[1]
    found = changes(project.root, key[2], SECONDS)
    with _lock:
        _changes[project] = (key, found)
    return found


def _base(project: Project, session: str) -> str | None:
    """The commit from which the session started; None where there was none."""
    began = project.store.began(session, project.root) if session else None
    try:
        found = base(project.root, second_after(began if began is not None else time.time_ns()))
    except UserError:
        return "HEAD"
    return next(iter(found.commits), None)
