"""Which content a project has now, and what of it changed: asked of git, and remembered while nothing has moved."""

from __future__ import annotations

import os
import stat
import threading
import time
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from vetgate.gates.command_kinds import digest
from vetgate.model import UserError
from vetgate.source.git_base import Start, base_commits
from vetgate.source.git_tree import Content, Folders, TreeDifference, changes, content, hashed

if TYPE_CHECKING:
    from pathlib import Path

    from vetgate.project import Project

# A tree that takes longer to name is not named: gates then run without evidence.
SECONDS = 20.0
# The clock by which a file system dates its files is no finer than this.
_TICK = 10_000_000
# Beyond these git is asked for all of it.
_FEW = 50
_LARGE = 1 << 20


class _KnownContent(NamedTuple):
    content: Content
    at: int
    is_watched: bool
    names: frozenset[str]


_known: WeakKeyDictionary[Project, _KnownContent] = WeakKeyDictionary()
_folders: WeakKeyDictionary[Project, Folders] = WeakKeyDictionary()
_changes: WeakKeyDictionary[Project, tuple[tuple[str, str, str | None], TreeDifference]] = WeakKeyDictionary()
_lock = threading.Lock()


def tree_of(project: Project) -> str:
    """The name of what lies there; "" without git."""
    found = content_of(project)
    return found.id if found else ""


def content_of(project: Project) -> Content | None:
    """None without git, or when it takes too long."""
    with _lock:
        known = _known.get(project)
    touched = _touched(project, known) if known else None
    if known and touched is not None and not touched:
        return known.content
    at = time.time_ns()
    if known and touched and (name := _renamed(project, known, touched)):
        found = known.content._replace(id=name, mark="")  # the mark is of the content before
        with _lock:
            _known[project] = known._replace(content=found, at=at)
        return found
    return _named(project, at, known.content if known else None)


def content_mark(found: Content, at: int) -> str:
    """By which it is known again beside files that came later: its name, the moment, and which files there were."""
    return f"{found.id} {at} {digest(sorted(found.names))}"


def is_still_there(project: Project, mark: str) -> bool:
    """Whether all of it is, and none of it was written since; what commands leave beside it is no other content."""
    tree, _, rest = mark.partition(" ")
    at, _, names = rest.partition(" ")
    now = content_of(project)
    if now is None or now.id == tree:
        return now is not None
    if not names:
        return False
    older = (name for name in now.names if _newer(project.root / name, int(at)) is False)
    return digest(sorted(older)) == names


def _named(project: Project, at: int, known: Content | None) -> Content | None:
    found = content(project.root, SECONDS, known)
    if found is not None:
        watched = project.tree.is_watched and _sees_all(project, found.names)
        with _lock:
            _folders.pop(project, None)
            _known[project] = _KnownContent(found, at, watched, frozenset(found.names))
    return found


def _renamed(project: Project, known: _KnownContent, touched: set[str]) -> str:
    """The name after a few files changed that were there already; "" where git has to say."""
    if len(touched) > _FEW or not touched <= known.names or not all(_is_plain(project.root, each) for each in touched):
        return ""
    paths = tuple(sorted(touched))
    contents = hashed(project.root, paths, SECONDS)
    with _lock:
        folders = _folders.get(project) or _built(project, known)
        if folders is None or not contents or not all(_keeps_mode(folders, project.root, each) for each in paths):
            return ""
        for path, name in zip(paths, contents, strict=True):
            folders.replace(os.fsencode(path), name)
        return folders.id


def _built(project: Project, known: _KnownContent) -> Folders | None:
    """Only where it comes to the name that git gave."""
    try:
        folders = Folders(known.content.listed)
    except ValueError:
        return None
    if folders.id != known.content.id:
        return None
    _folders[project] = folders
    return folders


def _is_plain(root: Path, path: str) -> bool:
    """Whether nothing but its content matters: no settings of git, no line ends that git may treat in two ways."""
    if path.rpartition("/")[2].startswith(".git") or "\n" in path:
        return False
    try:
        status = (root / path).lstat()
        return stat.S_ISREG(status.st_mode) and status.st_size < _LARGE and b"\r" not in (root / path).read_bytes()
    except OSError:
        return False


def _keeps_mode(folders: Folders, root: Path, path: str) -> bool:
    try:
        runs = bool((root / path).lstat().st_mode & stat.S_IXUSR)
    except OSError:
        return False
    return folders.mode(os.fsencode(path)) == (b"100755" if runs else b"100644")


def _touched(project: Project, known: _KnownContent) -> set[str] | None:
    """Files that changed since then and are still there; None where the kernel cannot tell of all."""
    found = project.tree.changed(known.at) if known.is_watched else None
    if found is None or not found.whole:
        return None
    newer = {path: _newer(project.root / path, known.at) for path in found.paths}
    return None if None in newer.values() else {path for path, is_newer in newer.items() if is_newer}


def _newer(file: Path, moment: int) -> bool | None:
    """What is watched is dated when somebody looks, which may be later than it happened; None for what is gone."""
    try:
        return file.lstat().st_ctime_ns >= moment - _TICK
    except OSError:
        return None


def _sees_all(project: Project, names: tuple[str, ...]) -> bool:
    """Whether no file lies in a folder that is left out of what is watched."""
    enters = project.effective().config.paths.enters
    folders = {name.rpartition("/")[0] for name in names}
    return all(enters(folder) for folder in folders if folder)


def changes_of(project: Project, session: str, tree: str) -> TreeDifference:
    """What differs from how the session found it; the same content beside the same commit differs in the same."""
    key = (session, tree, base_of(project, session))
    with _lock:
        known = _changes.get(project)
    if known is not None and tree and known[0] == key:
        return known[1]
    found = changes(project.root, key[2], SECONDS)
    with _lock:
        _changes[project] = (key, found)
    return found


def base_of(project: Project, session: str) -> str | None:
    """The commit from which the session started; None where there was none."""
    start = project.start(session) if session else None
    try:
        found = base_commits(project.root, Start(time.time_ns()) if start is None else start)
    except UserError:
        return "HEAD"
    return found.base or None


def changed_since(project: Project, moment: int) -> tuple[str, ...]:
    """Files that were written after it, in nanoseconds, whether they count as content or not."""
    return tuple(name for name in project.tree.changed(moment).paths if _is_newer(project, name, moment))


def _is_newer(project: Project, name: str, moment: int) -> bool:
    """What is watched is dated when somebody looks, which may be later than it happened, and never earlier.

    A client writes beside a file and renames: what is gone by now may well have been gone before.
    """
    found = _newer(project.root / name, moment)
    return project.tree.noted(name) >= moment if found is None else found
