"""The index of one work tree: kept up to date where it is asked, and quiet where it knows nothing yet."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, NamedTuple

from vetgate.index.keep import Work, is_manifest, is_storable, keep, outstanding, read_files, stamp_of
from vetgate.model import UserError
from vetgate.redact import holds_token
from vetgate.source.disk import walked
from vetgate.source.git import find
from vetgate.source.git_ignored import ignored
from vetgate.source.language import language_of
from vetgate.store import UnusableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from vetgate.source.tree import Tree
    from vetgate.store import IndexStore

_BUILT = "built"
_BUILDING = "building"
# Who does not say for so long how far it got is no longer at it.
_SILENT = 60.0
_GIT_SECONDS = 1.0


class BuildProgress(NamedTuple):
    done: int
    total: int


class ProjectIndex:
    """`covers` says of a path whether it is part of the project."""

    def __init__(self, root: Path, store: IndexStore, covers: Callable[[str], bool]) -> None:
        self.root = root
        self.store = store
        self._given = covers
        self._current = 0  # when all of it was last known to be as the work tree is

    @property
    def is_ready(self) -> bool:
        """Whether all files of the work tree were read at least once."""
        return bool(self.store.state(f"{_BUILT} {self.root}"))

    def covers(self, path: str) -> bool:
        """What is kept names no secret."""
        return self._given(path) and not holds_token(path)

    def built(self) -> None:
        self.store.set_state(f"{_BUILT} {self.root}", f"{time.time():.0f}")
        self.store.set_state(f"{_BUILDING} {self.root}", "")

    def advanced(self, done: int, total: int) -> None:
        """Somebody else may want to know how far the building got."""
        told = {"pid": os.getpid(), "done": done, "total": total, "at": time.time()}
        self.store.set_state(f"{_BUILDING} {self.root}", json.dumps(told))

    def progress(self) -> BuildProgress | None:
        """None when nobody is at it."""
        try:
            told = json.loads(self.store.state(f"{_BUILDING} {self.root}"))
            if time.time() - told["at"] > _SILENT:
                return None
            return BuildProgress(int(told["done"]), int(told["total"]))
        except (ValueError, KeyError, TypeError):
            return None

    def outstanding(self, listed: Iterable[str] | None = None) -> Work:
        """Asks git which files there are, unless they are `listed`, and every file whether it is still the same."""
        names = _listed(self.root) if listed is None else listed
        return outstanding(self.store, self.root, names, self.covers)

    def catch_up(self, tree: Tree, most: int) -> bool:
        """Make all of it as the work tree is; False when more files than `most` would have to be read."""
        listed = tree.listed(self._current) if self._current else None
        if listed is not None and listed.whole and not any(map(_says_what_belongs, listed.paths)):
            at, work = listed.at, self._work_in(listed.paths)
        else:
            at, work = time.time_ns(), self.outstanding()
        if work.size > most:
            return False
        if self.take(work.changed, work.gone):
            self._current = at
        return True

    def complete(self, most: int) -> bool:
        """Read all of it here and now; False when that is more than so many files, or cannot be kept."""
        at, work = time.time_ns(), self.outstanding()
        if work.size > most or not self.take(work.changed, work.gone):
            return False
        try:
            self.built()
        except UnusableError:
            return False
        self._current = at
        return True

    def refresh(self, paths: Iterable[str]) -> None:
        """Read these files again, where they are not as they were."""
        work = self._work_in(paths)
        self.take(work.changed, work.gone)

    def _work_in(self, paths: Iterable[str]) -> Work:
        changed, gone, new = [], [], []
        for path in paths:
            if not (is_manifest(path) or language_of(path)) or not self.covers(path) or not is_storable(path):
                continue
            known, stamp = self.store.stamp(str(self.root), path), stamp_of(self.root, path)
            if stamp is None and known is not None:
                gone.append(path)
            elif stamp is not None and known is None:
                new.append(path)
            elif stamp != known:
                changed.append(path)
        aside = ignored(self.root, tuple(new), _GIT_SECONDS) if new else frozenset()
        return Work((*changed, *(path for path in new if path not in aside)), tuple(gone))

    def take(self, changed: Iterable[str], gone: Iterable[str]) -> bool:
        """Whether all of it is in the store now; where not, `problem` says so, and the next one to ask tries again."""
        changed, gone = tuple(changed), tuple(gone)
        try:
            if changed:
                keep(self.store, self.root, read_files(self.root, changed))
            if gone:
                self.store.drop_files(str(self.root), gone)
        except UnusableError:
            return False
        return True


def _says_what_belongs(path: str) -> bool:
    """With these, files that nobody has touched become part of the project, or no longer are."""
    return path.rpartition("/")[2] == ".gitignore"


def _listed(root: Path) -> tuple[str, ...]:
    try:
        repository = find(root) if (root / ".git").exists() else None
        return repository.files() if repository else walked(root).files
    except UserError:
        return walked(root).files
