"""Every file below a folder, asked when it was last changed. Not when it was modified: that time anybody can set."""

from __future__ import annotations

import contextlib
import os
import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Enters = Callable[[str, str], bool]

# A link is one too: what it leads to may have been put there a moment ago.
_FILES = frozenset({stat.S_IFREG, stat.S_IFLNK})


@dataclass(slots=True)
class FolderScan:
    """What was `changed`, and when; every folder there is; files that have a second name (`shared`)."""

    changed: dict[str, int] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    shared: list[str] = field(default_factory=list)


def scan(top: str, enters: Enters, since: int, *, folder: str = "", moved: bool = False) -> FolderScan:
    """`moved`: a folder that came from elsewhere brings its files, which are as old as they were there.

    Written out, for it asks about every file there is.
    """
    found = FolderScan()
    pending = [(folder, since)]
    while pending:
        here, after = pending.pop()
        found.folders.append(here)
        prefix = f"{here}/" if here else ""
        with contextlib.suppress(OSError), os.scandir(os.path.join(top, here)) as entries:  # noqa: PTH118
            for entry in entries:
                path = prefix + entry.name
                if not entry.is_dir(follow_symlinks=False):
                    _ask(found, path, entry, after)
                elif enters(path, entry.name):
                    pending.append((path, _since_when(entry, after) if moved else after))
    return found


def _ask(found: FolderScan, path: str, entry: os.DirEntry[str], since: int) -> None:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return
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
