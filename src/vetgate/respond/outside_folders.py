"""Files that commands write in folders outside of every project: nobody's code, but no place for a secret either."""

from __future__ import annotations

import os
import stat
from itertools import islice
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from vetgate.config.outside_config import guards_only
from vetgate.gates.sequence import judged
from vetgate.respond.call import listening
from vetgate.respond.session_diff import began
from vetgate.source.edit import on_disk
from vetgate.source.root import project_root, real
from vetgate.store import SessionMark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.config.schema import Config
    from vetgate.model import Outcome
    from vetgate.respond.call import Call

# Of each folder: how deep, how many names, how many files, and how large they may be.
_DEEPEST = 3
_MOST_NAMES = 2_000
_MOST_FILES = 200
_LARGEST = 1 << 20
_NEVER_ENTERED = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", "venv", ".cache"})
_SHARED = (Path("/"), Path("/tmp"), Path("/var/tmp"), Path("/home"), Path(gettempdir()))  # noqa: S108


def note_folder(call: Call) -> None:
    """Where a command runs that is in no project."""
    folder = call.event.cwd
    if call.home is None or call.home is not call.project or folder == call.project.root:
        return
    place = real(folder)
    if not place.is_relative_to(call.project.root) and project_root(place) is None:
        call.project.store.mark(call.event.session, str(place), SessionMark.OUTSIDE)


def outside(call: Call, config: Config) -> tuple[Outcome, ...]:
    """What the gates say that guard the person, of all that changed there since the session began."""
    if call.at_home is not call or call.home is None:
        return ()
    folders = call.project.store.marked(call.event.session, SessionMark.OUTSIDE)
    since, own = began(call), real(call.own[0])
    files = [file for folder in folders for file in _changed(Path(folder), since, own)]
    files += [path for path in call.event.touched if project_root(path.parent) is None]
    if not files:
        return ()
    guards = guards_only(config)
    root = call.project.root
    change = on_disk(dict.fromkeys(files), root, root)
    verdict = judged(listening(guards, call.event.kind), guards, call.runners(guards, call.memory(guards), change))
    return tuple(outcome for outcome in verdict.outcomes if outcome.findings)


def _changed(folder: Path, since: int, own: Path) -> Iterator[Path]:
    """In a folder that others write to as well only what lies in it directly, and nothing hidden.

    `own` is where the gate itself writes. Its files are compared with what they were, and its databases are not to be
    opened beside the connections to them: that would end their locks.
    """
    if folder.is_relative_to(own):
        return
    is_shared = folder == real(Path.home()) or folder in _SHARED
    below = _below(folder, 0 if is_shared else _DEEPEST, str(own))
    entries = (entry for entry in below if not entry.is_dir(follow_symlinks=False))
    open_ones = (entry for entry in entries if not (is_shared and entry.name.startswith(".")))
    yield from (Path(entry.path) for entry in islice((each for each in open_ones if _is_new(each, since)), _MOST_FILES))


def _below(folder: Path, deepest: int, own: str) -> Iterator[os.DirEntry[str]]:
    """So many names at the most."""
    pending, left = [(str(folder), 0)], _MOST_NAMES
    while pending:
        here, depth = pending.pop()
        entries = _entries(Path(here))[:left]
        left -= len(entries)
        yield from entries
        inside = (entry for entry in entries if depth < deepest and entry.is_dir(follow_symlinks=False))
        pending += [(entry.path, depth + 1) for entry in inside if entry.path != own and _is_entered(entry)]


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _is_entered(entry: os.DirEntry[str]) -> bool:
    """Projects are looked at as such."""
    return entry.name not in _NEVER_ENTERED and not os.path.lexists(f"{entry.path}/.git")


def _is_new(entry: os.DirEntry[str], since: int) -> bool:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_ctime_ns > since and status.st_size <= _LARGEST
