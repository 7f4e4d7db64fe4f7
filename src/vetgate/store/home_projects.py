"""Which project each session began in: one small file a session, so that whoever answers a call can ask.

The answer may come from the daemon of another folder, or from a process that lives for one call; both find it here.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import OrderedDict
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.ownership import fault, make
from vetgate.store.encoding import write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vetgate.store.protocol import HomeProjects

_FOLDER = "sessions"
_KEPT_DAYS = 30
_MOST_KNOWN = 256
_LONGEST = 8192


class HomeProjectFiles:
    """Thread-safe. The first project that is told of a session stays its home; asking leaves no trace."""

    def __init__(self, state_dir: Path) -> None:
        self._folder = state_dir / _FOLDER
        self._is_ours = not fault(str(self._folder))
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Path] = OrderedDict()

    def of(self, session: str) -> Path | None:
        if not session:
            return None
        with self._lock:
            known = self._known.get(session)
        if known is None and self._is_ours:
            known = _read(self._file(session))
            if known is not None:
                self._remember(session, known)
        return known

    def keep(self, session: str, root: Path) -> None:
        """A folder that cannot be written to leaves it to this process, and to what the client says next time."""
        if not session:
            return
        self._remember(session, root)
        if not self._is_ours:
            return
        with contextlib.suppress(OSError):
            make(str(self._folder))
            for file in self._outdated():
                file.unlink(missing_ok=True)
            write(self._file(session), f"{root}\n")

    def forget(self, root: Path) -> None:
        """The gate was taken out of this project: its sessions are left alone from now on."""
        with contextlib.suppress(OSError), os.scandir(self._folder) as entries:
            for file in [Path(entry.path) for entry in entries]:
                if _read(file) == root:
                    file.unlink(missing_ok=True)

    def _remember(self, session: str, root: Path) -> None:
        with self._lock:
            self._known[session] = root
            while len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)

    def _file(self, session: str) -> Path:
        return self._folder / blake2b(session.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()

    def _outdated(self) -> Iterator[Path]:
        before = time.time() - _KEPT_DAYS * 86400
        with os.scandir(self._folder) as entries:
            yield from (Path(entry.path) for entry in entries if entry.stat(follow_symlinks=False).st_mtime < before)


def open_home_projects(state_dir: Path) -> HomeProjects:
    return HomeProjectFiles(state_dir)


def _read(file: Path) -> Path | None:
    try:
        with os.fdopen(
            os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)), "rb"
        ) as stream:
            text = stream.read(_LONGEST).decode("utf-8", "surrogateescape").removesuffix("\n")
    except OSError:
        return None
    return Path(text) if text.startswith("/") or Path(text).is_absolute() else None
