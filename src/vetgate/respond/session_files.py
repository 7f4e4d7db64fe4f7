"""Which files a session made itself: those that were not there, by name or by inode, when it began."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from vetgate.respond.session_diff import began
from vetgate.source.git_losses import tree_state
from vetgate.store import StartFiles

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vetgate.respond.call import Call

# Whoever has more than these has them from a tool; then none of them counts as the session's.
_MOST = 20_000
_MOST_FOLDERS = 1_000


def note_start_files(call: Call) -> None:
    """What no commit had as the session began: without git, every file."""
    root = call.project.root
    if (root / ".git").exists():
        state = tree_state(root)
        names = {*state.changed, *state.untracked, *state.ignored} if state is not None else None
    else:
        names = {*call.project.tree.looked_for(0).paths}
    if names is not None and len(names) <= _MOST:
        since = began(call)
        kept = {name for name in names if not _is_younger(root / name, since)}
        files = StartFiles(frozenset(kept), frozenset(_inodes(root / name for name in kept)))
        call.project.store.set_start_files(call.event.session, root, files)


def _is_younger(path: Path, since: int) -> bool:
    """A command may have run before there was time to look around."""
    try:
        return path.lstat().st_ctime_ns > since and not path.is_dir()
    except OSError:
        return False


def _inodes(paths: Iterable[Path]) -> Iterable[int]:
    for path in paths:
        try:
            yield path.lstat().st_ino
        except OSError:
            continue


@dataclass
class SessionFiles:
    """What one call asks of them; what stood at the start is read once for all of its files."""

    call: Call

    @cached_property
    def _stood(self) -> StartFiles | None:
        return self.call.project.store.start_files(self.call.event.session, self.call.project.root)

    def is_new(self, place: Path) -> bool:
        """Whether the session made this file, or all of this folder. A moved file keeps its inode, and so its age."""
        root, stood = self.call.project.root, self._stood
        if stood is None or not place.is_relative_to(root):
            return False
        name = place.relative_to(root).as_posix()
        above = {f"{each.as_posix()}/" for each in place.relative_to(root).parents}
        if name in stood.names or f"{name}/" in stood.names or not above.isdisjoint(stood.names):
            return False
        inside = [place]
        if place.is_dir() and not place.is_symlink():
            if any(each.startswith(f"{name}/") for each in stood.names):
                return False
            for at, (folder, _, files) in enumerate(os.walk(place)):
                inside += [type(place)(folder, each) for each in files]
                if at > _MOST_FOLDERS:
                    return False
        return not any(each in stood.inodes for each in _inodes(inside))
