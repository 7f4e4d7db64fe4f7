"""A project under the gate: its root, the configuration in force, and what the store remembers of a session."""

from __future__ import annotations

import contextlib
import json
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vetgate.checks import known_names
from vetgate.config.trust import Effective, effective
from vetgate.model import UserError
from vetgate.runtime import NOTES
from vetgate.source.disk import read
from vetgate.source.git import Repository
from vetgate.source.root import CONFIG_NAME, name_in, store_key
from vetgate.source.text import NotText, decode
from vetgate.store import Known, Seen, Store

if TYPE_CHECKING:
    from collections.abc import Iterator

_MISSING = (0, 0, 0, 0)
# A function that moved is looked for in this many files at most.
_LOOKED_INTO = 20


class Project:
    """Kept warm by the daemon. Nothing in here outlives a change of the file it came from."""

    def __init__(self, root: Path, state_dir: Path) -> None:
        self.root = root
        self._notes = state_dir / NOTES
        self.store = Store.open(state_dir, store_key(root))
        self._lock = threading.Lock()
        self._effective: tuple[object, Effective] | None = None

    def effective(self) -> Effective:
        """The configuration in force, read anew when the file or what a person trusts has changed."""
        trusted = self.store.trusted()
        state = (self._identity(), trusted and trusted[0])
        with self._lock:
            if self._effective is None or self._effective[0] != state or self._extends():
                self._effective = (state, self._load(trusted))
            return self._effective[1]

    def _load(self, trusted: tuple[str, str] | None) -> Effective:
        found = effective(self.root, trusted, self.store.last_good(), known_names())
        if found.problem is None and found.text is not None:
            self.store.set_last_good(found.text)
        return found

    def _identity(self) -> tuple[int, int, int, int]:
        try:
            status = (self.root / CONFIG_NAME).stat()
        except OSError:
            return _MISSING
        return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns

    def _extends(self) -> bool:
        """Files it extends are not watched: a configuration made of several is read each time."""
        return self._effective is not None and self._effective[1].extends

    def notes(self, session: str) -> dict[str, str]:
        """Files that passed unchecked while the full program could not run, with the cause; each is told once."""
        found = {}
        for note in self._notes.glob("*.json"):
            with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
                told = json.loads(note.read_bytes())
                if told["session"] == session and Path(told["path"]).is_relative_to(self.root):
                    found[name_in(self.root, Path(told["path"]))] = str(told["cause"])
                    note.unlink()
        return found

    @property
    def set_up(self) -> bool:
        """Whether a person ever chose to gate this project."""
        return self._identity() != _MISSING or self.store.trusted() is not None


def head_text(root: Path, path: str) -> str | None:
    """A file's text in the last commit; without git, or when git does not answer, there is none."""
    if not (root / ".git").exists() or Path(path).is_absolute():
        return None
    try:
        data = Repository(root, store_key(root)).head(path)
        return decode(data).text if data is not None else None
    except (NotText, UserError):
        return None


def mentioning(root: Path, name: str, path: str) -> Iterator[tuple[str, str]]:
    """Other files of the project, of the same kind, that speak of this name, with their text."""
    if not (root / ".git").exists() or not Path(path).suffix:
        return
    try:
        places = Repository(root, store_key(root)).mentioning(name, Path(path).suffix)
    except UserError:
        return
    for place in places[:_LOOKED_INTO]:
        with contextlib.suppress(NotText):
            if place != path:
                yield place, read(root / place)


@dataclass(frozen=True, slots=True)
class SessionMemory:
    """The files of one session: as first seen, and as judged last."""

    project: Project
    session: str
    config: str

    def baseline(self, path: str, disk: tuple[Known, ...]) -> tuple[Known, ...]:
        seen = self._seen(path)
        if seen is not None:
            return seen.findings
        self.project.store.see(self.session, self._place(path), Seen(self.config, disk))
        return disk

    def elsewhere(self, path: str) -> frozenset[str]:
        place = self._place(path)
        others = (seen for name, seen in self.project.store.seen_in(self.session).items() if name != place)
        return frozenset(known.evidence for seen in others for known in seen.findings)

    def passed(self, path: str, judged: str, unverified: str = "") -> None:
        seen = self._seen(path)
        findings = seen.findings if seen else ()
        self.project.store.see(self.session, self._place(path), Seen(self.config, findings, judged, unverified))

    def doubt(self, path: str, cause: str) -> None:
        """Somebody could not check this file: it has to be looked at before the session ends."""
        seen = self._seen(path) or Seen(self.config, ())
        self.project.store.see(self.session, self._place(path), Seen(seen.config, seen.findings, "", cause))

    def places(self) -> tuple[Path, ...]:
        """Every file of the session that somebody looked at, or should have."""
        for path, cause in self.project.notes(self.session).items():
            self.doubt(path, cause)
        return tuple(Path(place) for place in self.project.store.seen_in(self.session))

    def stands(self, path: str, digest: str) -> bool:
        """Whether this content is what passed last."""
        seen = self._seen(path)
        return seen is not None and seen.judged == digest and not seen.unverified

    def rounds(self) -> int:
        """How often in a row the session was held back at its end."""
        return self.project.store.held(self.session)

    def held_back(self) -> None:
        self.project.store.hold(self.session, self.rounds() + 1)

    def let_go(self) -> None:
        if self.rounds():
            self.project.store.hold(self.session, 0)

    def untold(self, path: str, mark: str) -> bool:
        """Whether this was not said yet in this session; from now on it was."""
        place = self._place(path)
        if mark in self.project.store.told(self.session, place):
            return False
        self.project.store.tell(self.session, place, [mark])
        return True

    def _seen(self, path: str) -> Seen | None:
        """What another configuration found is no measure for this one."""
        seen = self.project.store.seen(self.session, self._place(path))
        return seen if seen and seen.config == self.config else None

    def _place(self, path: str) -> str:
        return str(self.project.root / path)
