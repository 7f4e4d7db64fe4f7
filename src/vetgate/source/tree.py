"""What changed in a work tree since a moment, by whatever means: tracked, untracked and ignored files alike.

A process that stays has the kernel keep a list, and goes over every file itself when nobody waits (`verify`): the
kernel does not hear of a file that is written through a second name outside of the tree. Files that have one are asked
again whenever it matters. Everybody else asks every file when it was last changed.
"""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from vetgate.source.clock import ANSWERS, MonotonicClock
from vetgate.source.inotify import Inotify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from vetgate.source.inotify import FileEvent

    Enters = Callable[[str], bool]

_OF_VERSION_CONTROL = frozenset({".git", ".hg", ".svn"})
_NEVER_ENTERED = _OF_VERSION_CONTROL | {"__pycache__"}
# A link is one too: what it leads to may have been put there a moment ago.
_FILES = frozenset({stat.S_IFREG, stat.S_IFLNK})


@dataclass(slots=True)
class FolderScan:
    """What was `changed`, and when; every folder there is; files that have a second name (`shared`).

    `aside` are folders that nobody entered.
    """

    changed: dict[str, int] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    shared: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)


def scan(
    top: str,
    enters: Callable[[str, str], bool],
    since: int,
    *,
    folder: str = "",
    moved: bool = False,
    between: Callable[[], None] | None = None,
) -> FolderScan:
    """`moved`: a folder that came from elsewhere brings its files, which are as old as they were there.

    `between` two folders others may have to be let pass.
    """
    found = FolderScan()
    pending = [(folder, since)]
    while pending:
        here, after = pending.pop()
        found.folders.append(here)
        prefix = f"{here}/" if here else ""
        if between is not None:
            between()
        with contextlib.suppress(OSError), os.scandir(os.path.join(top, here)) as entries:  # noqa: PTH118
            folders = _scan_files(found, entries, prefix, after)
            for entry in folders:
                path = prefix + entry.name
                if enters(path, entry.name):
                    pending.append((path, _since_when(entry, after) if moved else after))
                elif entry.name not in _OF_VERSION_CONTROL:
                    found.aside.append(path)
    return found


def _scan_files(
    found: FolderScan, entries: Iterable[os.DirEntry[str]], prefix: str, since: int
) -> list[os.DirEntry[str]]:
    """The folders among the entries. Written out, for it asks about every file there is."""
    folders = []
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            folders.append(entry)
            continue
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        # Nearly every file is as it was, and has one name.
        if status.st_ctime_ns >= since or status.st_nlink > 1:
            _put(found, prefix + entry.name, status, since)
    return folders


def _put(found: FolderScan, path: str, status: os.stat_result, since: int) -> None:
    if stat.S_IFMT(status.st_mode) not in _FILES:
        return
    if status.st_ctime_ns >= since:
        found.changed[path] = status.st_ctime_ns
    if status.st_nlink > 1:
        found.shared.append(path)


def _since_when(entry: os.DirEntry[str], since: int) -> int:
    """Of a folder that has moved all files count.

    Whatever is put into a folder or taken out changes both of its times; a new place or new rights, only one.
    """
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return since
    return 0 if status.st_ctime_ns >= since > status.st_mtime_ns else since


# The kernel's clock for files ticks more slowly than ours.
_TICK = 50_000_000
# Names are kept for those who ask later; beyond so many everybody looks at every file once.
_MOST_KEPT = 50_000
# Files with a second name are asked one by one; with more than so many, all are.
_MOST_SHARED = 2_000


class ChangedPaths(NamedTuple):
    """Paths relative to the root, and `at`, where to go on from; unless `whole`, what was deleted is not among them."""

    paths: tuple[str, ...]
    at: int
    whole: bool = False


class Tree:
    """Thread-safe. `enters` says of a folder, by its path, whether anybody wants to know about what is in it."""

    def __init__(self, root: Path, enters: Enters, moments: MonotonicClock | None = None) -> None:
        self._root = str(root)
        self._enters = enters
        self._moments = moments or MonotonicClock()
        self._lock = threading.Lock()
        self._verifying = threading.Lock()
        self._inotify: Inotify | None = None
        self._refused = False
        self._folders: dict[int, str] = {}
        self._place: tuple[int, int] | None = None  # the root that is watched: another may come to stand there
        self._changed: dict[str, int] = {}
        self._since = 0  # from when on the list is complete
        self._gone = 0  # when a folder was last taken away, with files that nobody is told of
        self._verified = 0  # up to when every file was asked as well
        self._asking_since = 0  # while every file is asked: when that began
        self._awaited = 0  # how many wait for it to end
        self._aside: set[str] = set()  # folders that nobody enters, as far as the list reaches
        self._shared: tuple[str, ...] = ()  # then: files with a second name, which may be outside of the tree

    def watch(self) -> bool:
        """Have the kernel keep a list from now on; False where it cannot, or could not once."""
        with self._lock:
            if self._inotify is None and not self._refused:
                with contextlib.suppress(OSError):
                    self._inotify = Inotify()
                    self._begin()
                self._refused = self._inotify is None
            return self._inotify is not None

    @property
    def is_watched(self) -> bool:
        return self._inotify is not None

    @property
    def is_asking(self) -> bool:
        """Whether somebody is at asking every file."""
        return self._asking_since > 0

    def close(self) -> None:
        with self._lock:
            self._stop()

    def listed(self, since: int, *, verified: bool = False) -> ChangedPaths | None:
        """What changed after `since` (nanoseconds) without a look at every file; None when that takes one."""
        if verified and self._asking_since > since:
            self._wait_for_verification()
        with self._lock:
            now = self._moments.now()
            self._drain()
            if self._inotify is None or since - _TICK < self._since or since > now:
                return None
            if verified and (self._verified <= since or len(self._shared) > _MOST_SHARED):
                return None
            paths = {path for path, at in self._changed.items() if at >= since - _TICK}
            start, shared = since - _TICK - self._moments.behind, self._shared if verified else ()
            whole = self._gone < since - _TICK
        paths.update(path for path in shared if _changed_at(os.path.join(self._root, path)) >= start)  # noqa: PTH118
        return ChangedPaths(tuple(sorted(paths)), now - _TICK, whole=whole)

    def _wait_for_verification(self) -> None:
        """Every file is being asked, since a moment that will do: the rest of that takes less than to begin anew."""
        with self._lock:
            self._awaited += 1
        ANSWERS.look_again()
        try:
            with self._verifying:
                pass
        finally:
            with self._lock:
                self._awaited -= 1

    def aside(self) -> tuple[str, ...] | None:
        """Folders that nobody enters, those of version control left out; None where the kernel keeps no list."""
        with self._lock:
            return tuple(sorted(self._aside)) if self._inotify is not None else None

    def take_note(self) -> None:
        """Put on the list what has happened so far: it is dated by when somebody looks."""
        with self._lock:
            self._drain()

    def noted(self, path: str) -> int:
        """When a path was last put on the list; 0 for one that is not on it."""
        with self._lock:
            return self._changed.get(path, 0)

    def changed(self, since: int) -> ChangedPaths:
        """What changed after `since`: from the list, or by asking every file."""
        return self.listed(since) or self.looked_for(since)

    def looked_for(self, since: int) -> ChangedPaths:
        """What changed after `since` when nobody's word is taken for it."""
        with self._lock:
            now = self._moments.now()
            self._drain()
            listed = {path for path, at in self._changed.items() if at >= since - _TICK}
            # A moment yet to come: the clock was set back, and nobody knows how far.
            start = since - _TICK - self._moments.behind if since <= now else 0
        return ChangedPaths(tuple(sorted(listed.union(self._scan(start, moved=True).changed))), now - _TICK)

    def verify(self, since: int) -> None:
        """Put on the list what the kernel did not tell, and make it reach back to `since`. Answers come first."""
        with self._lock:
            asked = self._moments.now()
        with self._verifying:  # one after the other: who had to wait may find it done
            try:
                self._verify(since, asked)
            finally:
                self._asking_since = 0

    def _verify(self, since: int, asked: int) -> None:
        with self._lock:
            began = self._moments.now()
            if self._inotify is None:
                return
            known_from = self._since
            reaches = since - _TICK >= known_from
            if reaches and self._verified > asked:
                return
            start = (self._verified if reaches else since) - _TICK
            behind = self._moments.behind
            self._asking_since = began
        found = self._scan(start - behind, moved=not reaches, between=ANSWERS.aside(unless=lambda: self._awaited > 0))
        with self._lock:
            self._drain()
            now = self._moments.now()  # not when we began: somebody may have looked since, and is to hear of it
            for path, at in found.changed.items():
                if self._changed.get(path, 0) < at + behind + _TICK:
                    self._changed[path] = now
            if not reaches and known_from == self._since:
                self._since, self._gone = start, max(self._gone, known_from)  # what was deleted before, nobody knows
            self._verified, self._shared = max(self._verified, began), tuple(found.shared)
            self._aside.update(found.aside)
            self._watch_all(found.folders)

    def _watch_all(self, folders: list[str]) -> None:
        """Also those that nobody wanted to know about when the list was begun."""
        watched = set(self._folders.values())
        with contextlib.suppress(OSError):
            for folder in folders:
                if folder not in watched and self._inotify is not None:
                    self._add(folder)

    def _begin(self) -> None:
        self._folders.clear()
        self._changed.clear()
        self._aside.clear()
        self._place = _identity(self._root)
        for folder in self._below(""):
            self._add(folder)
        self._since = self._verified = self._moments.now()
        if not self._folders:
            self._stop()  # there is no root now; whoever asks next begins anew

    def _add(self, folder: str) -> None:
        assert self._inotify is not None  # noqa: S101
        try:
            self._folders[self._inotify.add(os.path.join(self._root, folder))] = folder  # noqa: PTH118
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError:
            self._refused = True
            self._stop()  # out of watches: better to look at every file than to miss one
            raise

    def _stop(self) -> None:
        if self._inotify is not None:
            self._inotify.close()
            self._inotify = None

    def _drain(self) -> None:
        if self._inotify is None:
            return
        now = self._moments.now()
        queued = list(self._inotify.drain())  # first of all: taking in a folder may end the watch
        ended = any(seen.lost or (seen.ended and not self._folders.get(seen.watch, "?")) for seen in queued)
        if ended or _identity(self._root) != self._place:
            with contextlib.suppress(OSError):
                # A folder may have appeared unseen, or another root at its place; who asks for earlier looks at all.
                self._begin()
            return
        for seen in queued:
            folder = self._folders.get(seen.watch)
            if folder is not None and seen.name:
                self._note(f"{folder}/{seen.name}" if folder else seen.name, seen, now)
        if len(self._changed) > _MOST_KEPT:
            self._changed.clear()
            self._since = now

    def _note(self, path: str, seen: FileEvent, now: int) -> None:
        if not seen.is_folder:
            self._changed[path] = now
        elif not self._is_entered(path, seen.name):
            self._leave_aside(path, seen.name)
        elif seen.appeared:
            self._add_folder(path, now)
        else:
            self._gone = now

    def _add_folder(self, folder: str, now: int) -> None:
        """A folder that appeared: what was put into it before it was watched is new as well."""
        if self._inotify is None:
            return  # whoever asks looks at every file
        with contextlib.suppress(OSError):
            for below in self._below(folder):
                self._add(below)
            self._changed.update(dict.fromkeys(self._scan(0, folder).changed, now))

    def _below(self, folder: str) -> Iterator[str]:
        pending = [folder]
        while pending:
            here = pending.pop()
            yield here
            for entry, path in self._entries(here):
                if not entry.is_dir(follow_symlinks=False):
                    continue
                if self._is_entered(path, entry.name):
                    pending.append(path)
                else:
                    self._leave_aside(path, entry.name)

    def _leave_aside(self, path: str, name: str) -> None:
        if name not in _OF_VERSION_CONTROL:
            self._aside.add(path)

    def _scan(
        self, since: int, folder: str = "", *, moved: bool = False, between: Callable[[], None] | None = None
    ) -> FolderScan:
        return scan(self._root, self._is_entered, since, folder=folder, moved=moved, between=between)

    def _entries(self, folder: str) -> Iterator[tuple[os.DirEntry[str], str]]:
        with contextlib.suppress(OSError), os.scandir(os.path.join(self._root, folder)) as entries:  # noqa: PTH118
            for entry in entries:
                yield entry, f"{folder}/{entry.name}" if folder else entry.name

    def _is_entered(self, path: str, name: str) -> bool:
        return name not in _NEVER_ENTERED and self._enters(path)


def _changed_at(path: str) -> int:
    """-1 for what is gone."""
    try:
        return os.lstat(path).st_ctime_ns
    except OSError:
        return -1


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        status = os.stat(folder)  # noqa: PTH116 - asked whenever the list is read
    except OSError:
        return None
    return status.st_dev, status.st_ino
