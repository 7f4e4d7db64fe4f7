"""Which files are the session's: those that it made itself, and none that git put into the tree by itself."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import structs

from vetgate.model import Change, EventKind, File
from vetgate.respond.landing import either
from vetgate.respond.session_diff import began
from vetgate.respond.verdict import content
from vetgate.source.git_losses import tree_state
from vetgate.source.root import name_in
from vetgate.store import Seen, StartFiles, divided

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from vetgate.config.schema import Config
    from vetgate.engine.run import FileBaseline
    from vetgate.model import Gate, Known
    from vetgate.project import Project, SessionMemory
    from vetgate.respond.call import Call
    from vetgate.respond.grants import AskedFinding


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


def accept(call: Call, config: Config, files: Iterable[File], asked: frozenset[AskedFinding] | None = None) -> None:
    """Files that are as a commit from before has them: from another branch, say.

    Or as a person wanted them who was `asked`: what is to be fixed and was no part of the question stays so.
    """
    store, session, root = call.project.store, call.event.session, call.project.root
    there = [file for file in files if file.after is not None]
    rows = store.seen_in(session) if there else {}
    known = [file for file in there if str(root / file.path) in rows]
    _learn(call, config, known, _Learning(call.memory(config), asked=asked))
    for file in known:
        place = str(root / file.path)
        seen = store.seen(session, place)
        if seen is not None and seen.config == config.digest:
            store.see(session, place, structs.replace(seen, judged=content(file), unverified=""))


def merge(call: Call, config: Config, files: Iterable[File], merged: Mapping[str, str]) -> None:
    """Files into which a merge has put the lines of another commit: `merged` is their text there."""
    changed = [file for file in files if file.path in merged]
    rows = call.project.store.seen_in(call.event.session) if changed else {}
    fresh = [file for file in changed if str(call.project.root / file.path) not in rows]
    memory = call.memory(config)
    _learn(call, config, [replace(file, after=file.before) for file in fresh], _Learning(memory))
    texts = [(file.path, merged[file.path]) for file in changed]
    _learn(call, config, [File(path, text, text) for path, text in texts], _Learning(memory, merged=True))


def unverified(project: Project, session: str) -> list[str]:
    """Files that somebody should have looked at and could not."""
    rows = project.store.seen_in(session).items()
    places = (name_in(project.root, project.root / place) for place, seen in rows if seen.unverified)
    return [place for place in places if not place.startswith("/")]


def _learn(call: Call, config: Config, files: list[File], learning: _Learning) -> None:
    """What the gates of an edit find in these files is kept as what the session started from."""
    if not files:
        return
    runner = call.runner(config, learning.memory, Change(call.project.root, tuple(files)))
    for gate in config.reached(config.on.get(EventKind.BEFORE_EDIT, ())):
        for path, before in runner.baselines(config.gates[gate]):
            learning.keep(path, config.gates[gate], before)


@dataclass(frozen=True, slots=True)
class _Learning:
    memory: SessionMemory
    merged: bool = False
    asked: frozenset[AskedFinding] | None = None

    def keep(self, path: str, gate: Gate, before: FileBaseline) -> None:
        store, session, config = self.memory.store, self.memory.session, self.memory.config
        place = str(self.memory.root / path)
        seen = store.seen(session, place) or Seen("", ())
        if not before.whole or seen.config not in {"", config}:
            return
        taken = tuple(each for each in before.known if not self._is_owed(path, each))
        stood, _ = divided(divided(seen.findings, gate.checks)[0], seen.checks)
        again, fresh = divided(taken, seen.checks)
        known = (*either(stood, again), *fresh) if seen.checks else taken
        if not self.merged:
            known = (
                *(each for each in known if not each.is_safeguard),
                *(each for each in before.known if each.is_safeguard),
            )
        store.see(session, place, seen.learned(config, gate.checks, known))

    def _is_owed(self, path: str, known: Known) -> bool:
        if self.asked is None or known.value is None or known.is_safeguard:
            return False
        return (path, known.id, known.symbol) not in self.asked and self.memory.owes(path)
